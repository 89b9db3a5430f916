import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shippedTasks } from './load.ts';
import { TaskChecker } from './self-check.ts';

test('Replays of every shipped task give the expected verdicts', async () => {
  const checker = new TaskChecker();
  const problems: string[] = [];
  for (const task of shippedTasks())
    problems.push(...(await checker.problems(task)).map((problem) => `${task.id}: ${problem}`));
  assert.deepEqual(problems.slice(0, 20), []);
  assert.equal(new Set(shippedTasks().map((task) => task.id)).size, shippedTasks().length);
});
