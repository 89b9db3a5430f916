import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { shiftedClock } from '../shifted-clock.ts';
import { createLog } from '../log/log.ts';
import { openTestDatabase } from '../db/testing.ts';
import { openEventLog } from './event-log.ts';
import type { LoggedEvent } from './event-store.ts';
import { eventMigrations } from './migrations.ts';

const db = await openTestDatabase([eventMigrations]);
after(() => db[Symbol.asyncDispose]());
const log = createLog({ level: 'silent' });
const clock = shiftedClock();
const open = (mostPerTopic?: number) =>
  openEventLog({ db, log, clock, ...(mostPerTopic !== undefined && { mostPerTopic }) });

const isLast = ({ event }: LoggedEvent) => event === 'end';
async function read(events: AsyncIterable<LoggedEvent>): Promise<number[]> {
  const seqs: number[] = [];
  for await (const { seq } of events) seqs.push(seq);
  return seqs;
}
const upTo = (last: number, from = 1) => Array.from({ length: last - from + 1 }, (_, i) => i + from);
const step = (done: number) => ({ event: 'progress', data: { done } });
const end = { event: 'end', data: {} };

test('readers in any process get each event once, in order, starting after their last event', async () => {
  await using here = await open();
  await using elsewhere = await open();
  await here.append('run 1', [step(1), step(2)]);
  const readers = [0, 0, 1, 2].map((after) => read(elsewhere.follow('run 1', { after, isLast })));
  const live = read(here.follow('run 1', { after: 0, isLast }));
  for (let i = 0; i < 20; i += 1) await here.append('run 1', [step(i)]);
  await here.append('another', [end]);
  await elsewhere.append('run 1', [end]);
  assert.deepEqual(await Promise.all([...readers, live]), [
    upTo(23),
    upTo(23),
    upTo(23, 2),
    upTo(23, 3),
    upTo(23),
  ]);
  assert.equal(await here.lastSeq('run 1'), 23);
  const [first] = await here
    .follow('run 1', { after: 22 })
    .next()
    .then(({ value }) => [value]);
  assert.deepEqual({ ...first, at: 0 }, { topic: 'run 1', seq: 23, event: 'end', data: '{}', at: 0 });
});

test('concurrent appends get sequence numbers without gaps, in commit order', async () => {
  await using events = await open();
  const reading = read(events.follow('busy', { after: 0, isLast: ({ seq }) => seq === 60 }));
  await Promise.all(Array.from({ length: 30 }, () => events.append('busy', [step(1), step(2)])));
  assert.deepEqual(await reading, upTo(60));
});

test('an event appended in a transaction exists only if the transaction commits', async () => {
  await using events = await open();
  await assert.rejects(
    db.transaction(async (tx) => {
      await events.append('undone', [step(1)], tx);
      throw new Error('changed its mind');
    }),
    /changed its mind/,
  );
  assert.equal(await events.lastSeq('undone'), 0);
  await db.transaction((tx) => events.append('undone', [end], tx));
  assert.deepEqual(await read(events.follow('undone', { after: 0, isLast })), [1]);
});

test('a topic keeps only its newest events, and old topics are deleted', async () => {
  await using events = await open(5);
  for (let i = 0; i < 12; i += 1) await events.append('long', [step(i)]);
  await events.append('long', [end]);
  assert.deepEqual(await read(events.follow('long', { after: 2, isLast })), upTo(13, 9));
  await assert.rejects(events.append('long', [{ event: 'x', data: { text: 'x'.repeat(70_000) } }]), {
    status: 422,
  });
  clock.advance(1000);
  await events.append('new', [end]);
  await events.deleteBefore(new Date(clock.now() - 500), 100);
  assert.deepEqual([await events.lastSeq('long'), await events.lastSeq('new')], [0, 1]);
});

test('reading ends when the reader aborts and when the log is closed', async () => {
  const events = await open();
  const leaving = new AbortController();
  const first = read(events.follow('quiet', { after: 0, signal: leaving.signal }));
  const second = read(events.follow('quiet', { after: 0 }));
  leaving.abort();
  assert.deepEqual(await first, []);
  await events[Symbol.asyncDispose]();
  assert.deepEqual(await second, []);
});
