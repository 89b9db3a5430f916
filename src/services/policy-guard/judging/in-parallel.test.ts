import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { inParallel } from './in-parallel.ts';

test('results keep their order, and concurrency stays within the limit', async () => {
  let underWay = 0;
  let most = 0;
  const outcomes = await inParallel([3, 1, 2, 0, 4], 2, async (turns) => {
    most = Math.max(most, (underWay += 1));
    for (let i = 0; i < turns; i += 1) await turn();
    underWay -= 1;
    return turns * 10;
  });
  assert.deepEqual(outcomes, [30, 10, 20, 0, 40]);
  assert.equal(most, 2);
});

test('after a failure no further item is started', async () => {
  const asked: number[] = [];
  const ask = async (item: number) => {
    asked.push(item);
    await turn();
    if (item === 1) throw new Error('no');
    return item;
  };
  await assert.rejects(inParallel([1, 2, 3, 4, 5, 6], 2, ask), /no/);
  for (let i = 0; i < 10; i += 1) await turn();
  assert.deepEqual(asked, [1, 2, 3].slice(0, asked.length));
});
