import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskInstance } from './instance.ts';
import { shippedTasks } from './load.ts';
import { TaskChecker } from './self-check.ts';

/** One instance at least of each scenario in each vector, and of each goal. test/red-team checks all of them. */
function selection(): TaskInstance[] {
  const seen = new Set<string>();
  return shippedTasks().filter(({ id, vector }) => {
    const [scenario = '', goal = ''] = id.split('+');
    const keys = [`${scenario} ${vector}`, `goal ${goal}`].filter((key) => !seen.has(key));
    for (const key of keys) seen.add(key);
    return keys.length > 0;
  });
}

test('Replays of a selection of the shipped tasks give the expected verdicts', async () => {
  const checker = new TaskChecker();
  const problems: string[] = [];
  for (const task of selection())
    problems.push(...(await checker.problems(task)).map((problem) => `${task.id}: ${problem}`));
  assert.deepEqual(problems.slice(0, 20), []);
});

test('The ids of the shipped tasks differ', () => {
  assert.equal(new Set(shippedTasks().map(({ id }) => id)).size, shippedTasks().length);
});
