import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairTurns } from './fair-turns.ts';

test('waiting owners alternate, and each owner runs one task at a time', async () => {
  const turns = new FairTurns(2);
  const order: string[] = [];
  const busy = new Set<string>();
  const send = (owner: string, count: number) =>
    Array.from({ length: count }, async (_, i) =>
      turns.take(owner, async () => {
        assert.ok(!busy.has(owner) && busy.size < 2);
        busy.add(owner);
        order.push(`${owner}${i}`);
        await new Promise(setImmediate);
        busy.delete(owner);
      }),
    );
  await Promise.all([...send('a', 5), ...send('b', 2), ...send('c', 2)]);
  assert.deepEqual(order.slice(0, 2), ['a0', 'b0']);
  assert.ok(order.indexOf('c0') < order.indexOf('a2'), order.join(' '));
  assert.ok(order.indexOf('c1') < order.indexOf('a3'), order.join(' '));
  assert.equal(order.length, 9);
});

test('a task that fails frees its turn', async () => {
  const turns = new FairTurns(1);
  await assert.rejects(
    turns.take('a', async () => Promise.reject(new Error('no'))),
    /no/,
  );
  assert.equal(await turns.take('a', async () => 7), 7);
});
