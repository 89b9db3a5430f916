/** Processes that execute runs of one PostgreSQL: they compete, stall, and are controlled by another process. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { openDatabase } from '#base/db/open.ts';
import {
  ended,
  endsOf,
  observe,
  type Observed,
  owner,
  startWorker,
  unitsOf,
  upTo,
} from '../faults/run-kinds.ts';

const serverUrl = process.env['BULWARK_TEST_DATABASE_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const name = `bulwark_test_${randomUUID().replaceAll('-', '')}`;
const onServer = async (sql: string): Promise<boolean> => {
  try {
    await using server = await openDatabase({ url: serverUrl, dataDir: '', poolSize: 1 });
    await server.query(sql);
    return true;
  } catch {
    return false;
  }
};
const skip = (await onServer(`create database ${name} template template0 encoding 'UTF8'`))
  ? false
  : 'needs PostgreSQL';
const url = new URL(serverUrl);
url.pathname = `/${name}`;
const settings = { url: url.href, dataDir: '' };
let observed: Observed;

before(async () => {
  if (skip === false) observed = await observe(settings);
});
after(async () => {
  if (skip !== false) return;
  await observed[Symbol.asyncDispose]();
  await onServer(`drop database if exists ${name} with (force)`);
});

test('two processes share 200 runs: each ends once, in queue order', { skip }, async (t) => {
  const { kind, db } = observed;
  for (let i = 0; i < 200; i++)
    await kind.start({ tenantId: 'tenant', userId: `user ${Math.floor(i / 80)}` }, { units: 1, unitMs: 0 });
  const { queued } = await kind.queue({}, 1000);
  assert.equal(queued.length, 200);
  for (const at of [0, 1, 99, 199]) assert.equal((await kind.position(queued[at] ?? ''))?.position, at + 1);
  await using one = startWorker(settings);
  await using two = startWorker(settings);
  const last = queued[199] ?? '';
  let shown = 200;
  for (let place = await kind.position(last); place?.position; place = await kind.position(last)) {
    assert.ok(place.position <= shown, 'the position never increases');
    assert.equal(place.position, place.queued, 'the last one has all others before it');
    shown = place.position;
  }
  for (const id of queued) assert.equal((await ended(observed, id))?.status, 'completed');
  const [took] = await db.query<{ ms: number }>(
    'select extract(epoch from max(finished_at) - min(started_at))::double precision * 1000 as ms from runs.runs',
  );
  t.diagnostic(`from the first start to the last end: ${Math.round(took?.ms ?? 0)} ms`);
  const started = await db.query<{ id: string }>('select run_id as id from runs.runs order by started_at');
  assert.deepEqual(
    started.map(({ id }) => id),
    queued,
  );
  const [row] = await db.query('select count(*) as n, count(distinct run_id) as of from faults.ends');
  assert.deepEqual(row, { n: 200, of: 200 });
  const workers = await db.query<{ pid: number }>('select distinct pid from faults.ends');
  assert.deepEqual(
    workers.map(({ pid }) => pid).sort((a, b) => a - b),
    [one.pid, two.pid].sort((a, b) => (a ?? 0) - (b ?? 0)),
  );
});

test('a run can be paused, resumed and cancelled through another process', { skip }, async () => {
  const { kind } = observed;
  await using worker = startWorker(settings);
  const id = await kind.start(owner, { units: 40, unitMs: 20 });
  await worker.noted(`unit ${id}`, 3);
  assert.equal((await kind.pause(id, owner))?.status, 'paused');
  await worker.noted(`broken ${id} paused`);
  const before = await unitsOf(observed, id);
  assert.deepEqual(before, upTo(before.length));
  assert.equal((await kind.find(id, owner))?.progress.done, before.length);
  await kind.resume(id, owner);
  await worker.noted(`unit ${id}`, before.length + 2);
  assert.equal((await kind.cancel(id, owner))?.status, 'cancelled');
  await worker.noted(`broken ${id} cancelled`);
  const all = await unitsOf(observed, id);
  assert.ok(all.length >= before.length + 2 && all.length < 40);
  assert.deepEqual(all, upTo(all.length), 'no unit twice, none left out');
  assert.equal((await kind.find(id, owner))?.status, 'cancelled');
  assert.equal(await endsOf(observed, id), 0);
});

test('a process that stalls loses its run, and changes nothing when it continues', { skip }, async () => {
  const { kind } = observed;
  const leaseMs = 1_000;
  await using stalled = startWorker(settings, leaseMs);
  await stalled.noted('ready');
  const id = await kind.start(owner, { units: 10, unitMs: 50 });
  await stalled.noted(`unit ${id}`, 2);
  stalled.kill('SIGSTOP');
  await using other = startWorker(settings, leaseMs);
  const run = await ended(observed, id);
  assert.deepEqual([run?.status, run?.result, run?.crashes], ['completed', other.pid, 1]);
  stalled.kill('SIGCONT');
  await stalled.noted(`broken ${id} claim_lost`);
  assert.deepEqual(await unitsOf(observed, id), upTo(10));
  assert.equal(await endsOf(observed, id), 1);
});
