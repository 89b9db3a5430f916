import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { unavailable } from '../errors.ts';
import { createMetrics } from '../metrics/metrics.ts';
import { BatchWriter, type BatchWriterOptions } from './batch-writer.ts';
import { openTestDatabase } from './testing.ts';

const db = await openTestDatabase();
after(() => db[Symbol.asyncDispose]());
await db.script('create table entries (at serial, text text not null check (text <> $$bad$$))');

const away = unavailable('The database cannot be reached.');

/** A writer into its own table; with `state.error` the database is unavailable. */
async function open(options: Partial<BatchWriterOptions<string>> = {}) {
  await db.script('truncate entries');
  const state: { error: Error | undefined; times: number } = { error: undefined, times: Infinity };
  const batches: string[][] = [];
  const lost: string[] = [];
  const waiters = new Set<() => void>();
  const writer = new BatchWriter<string>({
    async write(entries) {
      batches.push([...entries]);
      for (const wake of waiters) wake();
      if (state.error !== undefined && state.times-- > 0) throw state.error;
      await db.query(
        'insert into entries (text) select text from unnest($1::text[]) with ordinality as r(text, i) order by i',
        [entries],
      );
    },
    maxBatch: 10,
    gatherMs: 1,
    maxWaiting: 100,
    pauseMs: 1,
    onLost: (entries) => lost.push(...entries),
    ...options,
  });
  return {
    writer,
    state,
    batches,
    lost,
    kept: async () =>
      (await db.query<{ text: string }>('select text from entries order by at')).map(({ text }) => text),
    untilBatches: async (count: number) => {
      while (batches.length < count) await new Promise<void>((resolve) => waiters.add(resolve));
    },
  };
}

const numbered = (count: number) => Array.from({ length: count }, (_, i) => String(i));

test('awaited entries are stored in order and written in batches', async () => {
  const { writer, batches, kept } = await open();
  await using _ = writer;
  await Promise.all(numbered(25).map((text) => writer.write(text)));
  assert.deepEqual(await kept(), numbered(25));
  assert.deepEqual(
    batches.map(({ length }) => length),
    [10, 10, 5],
  );
  // One after the other, each as soon as the previous one is done.
  for (const text of ['a', 'b', 'c']) await writer.write(text);
  assert.deepEqual((await kept()).slice(25), ['a', 'b', 'c']);
});

test('entries written behind are stored after a delay, on flush and on dispose', async () => {
  const { writer, kept, untilBatches } = await open();
  assert.equal(writer.writeBehind('a'), true);
  await untilBatches(1);
  await writer.flush();
  assert.deepEqual(await kept(), ['a']);
  writer.writeBehind('b');
  await writer.flush();
  assert.deepEqual(await kept(), ['a', 'b']);
  for (const text of numbered(30)) writer.writeBehind(text);
  await writer[Symbol.asyncDispose]();
  assert.equal((await kept()).length, 32);
});

test('an entry that the database refuses does not make other entries of its batch fail', async () => {
  const { writer, kept, lost } = await open();
  await using _ = writer;
  const texts = numbered(8).flatMap((text) => [text, 'bad']);
  const results = await Promise.allSettled(texts.map((text) => writer.write(text)));
  assert.deepEqual(
    results.map(({ status }) => status === 'fulfilled'),
    texts.map((text) => text !== 'bad'),
  );
  for (const text of ['x', 'bad', 'y']) writer.writeBehind(text);
  await writer.flush();
  assert.deepEqual(lost, ['bad']);
  assert.deepEqual(await kept(), [...numbered(8), 'x', 'y']);
});

test('while the database is down, awaited writes fail at once and the others are written when it is back', async () => {
  const { writer, state, kept, lost, batches, untilBatches } = await open();
  await using _ = writer;
  state.error = away;
  for (const text of numbered(15)) writer.writeBehind(text);
  const first = writer.write('waited for');
  await assert.rejects(first, { status: 503 });
  await untilBatches(batches.length + 3);
  assert.equal(writer.waiting, 15);
  state.error = undefined;
  await writer.flush();
  await writer.write('later');
  assert.deepEqual(await kept(), [...numbered(15), 'later']);
  assert.deepEqual(lost, []);
});

test('memory is bounded: entries that do not fit are refused and counted', async () => {
  const metrics = createMetrics('test');
  const refused: number[] = [];
  const { writer, state, kept } = await open({
    maxWaiting: 20,
    maxWaitingSize: 12,
    sizeOf: (text) => text.length,
    onRefused: (count) => refused.push(count),
    metrics: metrics.writer('entries'),
  });
  await using _ = writer;
  state.error = away;
  const taken = numbered(30).map((text) => writer.writeBehind(text));
  assert.equal(taken.filter(Boolean).length, 11);
  await assert.rejects(writer.write('x'), { status: 503 });
  await writer.flush();
  assert.deepEqual(refused, [19]);
  const text = await metrics.text();
  assert.match(text, /bulwark_writer_waiting\{writer="entries".*\} 11/);
  assert.match(text, /bulwark_writer_lost_total\{writer="entries".*\} 19/);
  state.error = undefined;
  await writer.flush();
  assert.equal((await kept()).length, 11);
  assert.equal(writer.writeBehind('room again'), true);
});

test('with writeBehindWithRoom, entries wait until there is room and none is lost', async () => {
  const { writer, kept } = await open({ maxWaiting: 5 });
  await using _ = writer;
  const waits = numbered(40).map((text) => writer.writeBehindWithRoom(text));
  assert.equal(waits.filter((wait) => wait === undefined).length, 5);
  await Promise.all(waits.map(async (wait) => wait));
  await writer.flush();
  assert.deepEqual((await kept()).sort(), numbered(40).sort());
});

test('failed entries are retried up to the configured number of attempts, and for a limited time on dispose', async () => {
  const limited = await open({ attempts: 3 });
  limited.state.error = away;
  limited.writer.writeBehind('a');
  await limited.untilBatches(3);
  await limited.writer.flush();
  assert.deepEqual(limited.lost, ['a']);
  assert.equal(limited.batches.length, 3);

  const ending = await open();
  ending.state.error = away;
  ending.writer.writeBehind('b');
  await ending.writer[Symbol.asyncDispose]();
  assert.deepEqual(ending.lost, ['b']);
});

test('a conflict with another transaction is retried at once', async () => {
  const { writer, state, batches, kept } = await open();
  await using _ = writer;
  state.error = Object.assign(new Error('deadlock detected'), { code: '40P01' });
  state.times = 2;
  await writer.write('a');
  assert.equal(batches.length, 3);
  assert.deepEqual(await kept(), ['a']);
});

test('entries that nobody waits for gather between batches too, and are written at once for a flush or a waiter', async () => {
  // Long enough that nothing here is written because the time is over.
  const { writer, batches, untilBatches } = await open({ gatherMs: 60_000 });
  writer.writeBehind('first');
  const flushed = writer.flush();
  await untilBatches(1);
  await flushed;
  const waited = writer.write('waited for');
  await untilBatches(2);
  writer.writeBehind('arrives while it is written');
  await waited;
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.deepEqual(batches, [['first'], ['waited for']]);
  await writer.write('with another');
  assert.deepEqual(batches.slice(2), [['arrives while it is written', 'with another']]);
  for (let i = 0; i < 10; i += 1) writer.writeBehind(`${i}`);
  const last = writer.flush();
  writer.writeBehind('after a full batch');
  await last;
  assert.equal(writer.waiting, 0);
});
