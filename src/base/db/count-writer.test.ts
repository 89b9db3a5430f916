import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../log/log.ts';
import { CountWriter } from './count-writer.ts';

const log = createLog({ level: 'silent' });

function open() {
  const written: [string, number][] = [];
  const state: { error: Error | undefined; onWrite: () => void } = { error: undefined, onWrite: () => {} };
  const writer = new CountWriter<{ calls: number }>({
    async write(counts) {
      state.onWrite();
      await Promise.resolve();
      if (state.error !== undefined) throw state.error;
      written.push(...[...counts].map(([key, { calls }]): [string, number] => [key, calls]));
    },
    merge(into, more) {
      into.calls += more.calls;
    },
    everyMs: 3_600_000,
    what: 'counts of calls',
    log,
  });
  const count = (key: string) => (writer.of(key, () => ({ calls: 0 })).calls += 1);
  return { writer, written, state, count };
}

test('counts add up until they are written, then restart at zero', async () => {
  const { writer, written, count } = open();
  for (const key of ['a', 'b', 'a']) count(key);
  await writer.flush();
  count('a');
  await writer[Symbol.asyncDispose]();
  assert.deepEqual(written, [
    ['a', 2],
    ['b', 1],
    ['a', 1],
  ]);
});

test('after failed writes the counts are written once, together with what was counted meanwhile', async () => {
  const { writer, written, state, count } = open();
  state.error = new Error('the database is away');
  state.onWrite = () => count('a');
  count('a');
  count('b');
  for (let i = 0; i < 5; i += 1) await assert.rejects(writer.flush(), /away/);
  state.error = undefined;
  state.onWrite = () => {};
  await Promise.all([writer.flush(), writer.flush()]);
  assert.deepEqual(Object.fromEntries(written), { a: 6, b: 1 });
  assert.equal(written.length, 2);
  await writer[Symbol.asyncDispose]();
});
