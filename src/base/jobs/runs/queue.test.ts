import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Database } from '../../db/database.ts';
import { openTestDatabase } from '../../db/testing.ts';
import { createMetrics } from '../../metrics/metrics.ts';
import { anna, bert, carl, led, name, processOn, reached } from './fixtures/led-runs.ts';
import { runMigrations } from './migrations.ts';
import type { Runs } from './runs.ts';

let db: Database;
before(async () => {
  db = await openTestDatabase([runMigrations]);
});
after(async () => db[Symbol.asyncDispose]());

const process = processOn(() => db);

test('lists are paged, newest first, and can be filtered', async () => {
  await using runs = process();
  const kind = runs.define<{ n: number }, null>(name(), {}, async () => ({ completed: null }));
  const ids: string[] = [];
  for (let n = 0; n < 5; n++)
    ids.unshift(await kind.start(n === 4 ? bert : anna, { n }, { subject: n % 2 === 0 ? 'even' : 'odd' }));
  await kind.cancel(ids[2] ?? '', anna);
  const listed = async (...page: Parameters<typeof kind.list>) =>
    (await kind.list(...page)).runs.map(({ id }) => ids.indexOf(id));
  const first = await kind.list({ tenantId: 't1' }, { limit: 3 });
  assert.deepEqual(
    first.runs.map(({ id }) => id),
    ids.slice(0, 3),
  );
  const second = await kind.list({ tenantId: 't1' }, { limit: 3, after: first.next });
  assert.deepEqual([second.runs.map(({ id }) => id), second.next], [ids.slice(3), undefined]);
  assert.deepEqual(await listed(anna, { limit: 9 }), [1, 2, 3, 4]);
  assert.deepEqual(await listed(anna, { limit: 9, subject: 'even' }), [2, 4]);
  assert.deepEqual(await listed({}, { limit: 9, statuses: ['cancelled'] }), [2]);
});

test('starts with the same key create one run, also across processes', async () => {
  await using one = process();
  await using two = process();
  const kind = name();
  const define = (runs: Runs) => runs.define(kind, {}, async () => ({ completed: null }));
  const kinds = [define(one), define(two)];
  const ids = await Promise.all(
    Array.from({ length: 10 }, async (_, i) => kinds[i % 2]?.start(anna, {}, { key: 'once' })),
  );
  assert.equal(new Set(ids).size, 1);
  assert.notEqual(await kinds[0]?.start(bert, {}, { key: 'once' }), ids[0]);
});

test('a run exists only if its transaction commits, and the number under way is limited', async () => {
  await using runs = process();
  const kind = runs.define(name(), {}, async () => ({ completed: null }));
  await assert.rejects(
    db.transaction(async (tx) => {
      await kind.start(anna, {}, { tx });
      throw new Error('undone');
    }),
    /undone/,
  );
  const most = { underWay: 2, refuse: () => new Error('too many') };
  const sent = await Promise.allSettled(Array.from({ length: 6 }, () => kind.start(anna, {}, { most })));
  assert.equal(sent.filter(({ status }) => status === 'fulfilled').length, 2);
  const { runs: made } = await kind.list(anna, { limit: 9 });
  assert.equal(made.length, 2);
  await kind.cancel(made[0]?.id ?? '', anna);
  await kind.start(anna, {}, { most });
  await assert.rejects(kind.start(anna, { text: 'a'.repeat(2 ** 20) }), /limit is 1048576/);
});

test('queue positions match the order in which runs start, which alternates between users', async () => {
  await using runs = process();
  const order: string[] = [];
  const kind = runs.define<object, null>(name(), {}, async ({ id }) => {
    order.push(id);
    return { completed: null };
  });
  const start = async (who: typeof anna, count: number) => {
    for (let i = 0; i < count; i++) await kind.start(who, {});
  };
  await start(anna, 6);
  await start(bert, 2);
  await start(carl, 1);
  const { queued } = await kind.queue({}, 99);
  const users = await Promise.all(queued.map(async (id) => (await kind.find(id, {}))?.userId[0]));
  assert.equal(users.join(''), 'abcabaaaa', 'other users do not wait for all runs of the first');
  const places = await Promise.all(queued.map((id) => kind.position(id)));
  assert.deepEqual(
    places.map((place) => place?.position),
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
  );
  assert.deepEqual(
    places.map((place) => place?.positionOfUser),
    [1, 1, 1, 2, 2, 3, 4, 5, 6],
  );
  assert.deepEqual((await kind.queue(bert, 99)).queued, [queued[1], queued[4]]);
  await kind.cancel(queued[0] ?? '', {});
  assert.equal((await kind.position(queued[8] ?? ''))?.position, 8);
  assert.equal((await kind.position(queued[0] ?? ''))?.position, null);
  await runs.start();
  for (const id of queued.slice(1)) await reached(kind, id, 'completed');
  assert.deepEqual(order, queued.slice(1));
});

test('limits on concurrent runs hold across processes, in total and per user', async () => {
  const kindName = name();
  const code = led();
  const options = { concurrency: 4, overall: 5, perUser: 3 };
  await using one = process();
  await using two = process();
  const kind = one.define(kindName, options, code.run);
  two.define(kindName, options, code.run);
  const ids: string[] = [];
  for (let i = 0; i < 12; i++) ids.push(await kind.start(i % 4 === 0 ? bert : anna, {}));
  /** Waits until the maximum number of runs is running, and returns it. */
  const running = async () => {
    for (;;) {
      const [ofAnna, ofBert] = [await kind.queue(anna, 99), await kind.queue(bert, 99)];
      const now = [ofAnna.running.length, ofBert.running.length] as const;
      assert.ok(now[0] <= 3 && now[0] + now[1] <= 5, `${now.join(' and ')} run`);
      const full = now[0] + now[1] === 5 || (now[0] === 3 && ofBert.queued.length === 0);
      if (full || ofAnna.queued.length === 0) return now;
    }
  };
  await Promise.all([one.start(), two.start()]);
  assert.deepEqual(await running(), [3, 2]);
  for (let ended = 0; ended < ids.length; ended++) {
    await running();
    while (code.begun[ended] === undefined) await running();
    code.begun[ended]?.end({ completed: null });
    await reached(kind, code.begun[ended]?.run.id ?? '', 'completed');
  }
});

test('metrics count queued and running runs, and the ways runs end', async () => {
  const metrics = createMetrics('test');
  await using runs = process();
  const code = led();
  const kind = runs.define('counted', { metrics }, code.run);
  runs.define('idle', { metrics }, code.run);
  const ids = [await kind.start(anna, {}), await kind.start(anna, {})];
  assert.match(await metrics.text(), /bulwark_runs\{kind="counted",status="queued",service="test"\} 2/);
  const began = code.next();
  await runs.start();
  (await began).end({ failed: 'for the count' });
  await reached(kind, ids[0] ?? '', 'failed');
  await kind.cancel(ids[1] ?? '', anna);
  const text = await metrics.text();
  assert.match(text, /bulwark_runs\{kind="counted",status="queued",service="test"\} 0/);
  assert.match(text, /seconds_count\{service="test",kind="counted",status="failed",error="failed"\} 1/);
  assert.match(text, /seconds_count\{service="test",kind="counted",status="cancelled",error=""\} 1/);
});
