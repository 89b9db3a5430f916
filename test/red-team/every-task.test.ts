/** Every shipped instance of a task is proved by replays. The fast suite does so for a selection of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shippedTasks } from '#engine/red-team/tasks/load.ts';
import { TaskChecker } from '#engine/red-team/tasks/self-check.ts';

test('Replays of every shipped task give the expected verdicts', async () => {
  const checker = new TaskChecker();
  const problems: string[] = [];
  for (const task of shippedTasks())
    problems.push(...(await checker.problems(task)).map((problem) => `${task.id}: ${problem}`));
  assert.deepEqual(problems.slice(0, 20), []);
});
