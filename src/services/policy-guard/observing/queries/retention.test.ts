import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { openTestDatabase } from '#base/db/testing.ts';
import { createJobs } from '#base/jobs/jobs.ts';
import { scheduleRetention } from '#base/jobs/retention.ts';
import { runMigrations } from '#base/jobs/runs/migrations.ts';
import { policyGuardMigrations } from '../../service.ts';
import { firstIdAt, type Query } from './query.ts';
import { deleteQueriesBefore, insertQueries } from './store.ts';

const db = await openTestDatabase([runMigrations, policyGuardMigrations]);
after(() => db[Symbol.asyncDispose]());

const dayMs = 86_400_000;

const aged = (days: number): Query => ({
  queryId: firstIdAt(Date.now() - days * dayMs),
  tenantId: 'tenant',
  ownerId: 'owner',
  guardUuid: 'gd_1',
  guardVersion: 1,
  outcome: 'flagged',
  text: 'A text',
  textHash: 'f'.repeat(64),
  textLength: 6,
  messages: 0,
  door: 'topic_guard',
  userId: null,
  apiKeyId: null,
  requestId: null,
  traceId: null,
  fromCache: false,
  latencyMs: 1,
  allowedBy: null,
  found: [['00000000-0000-4000-8000-000000000009', 'Default', 0.5, 'medium', null, [['Hate', 0.9]]]],
});

test('expired entries are deleted with their policy results, and an entry written twice is stored once', async () => {
  await insertQueries(db, [aged(31), aged(400), aged(29), aged(1)]);
  await insertQueries(
    db,
    [aged(1)].map((query) => ({ ...query, queryId: firstIdAt(0) })),
  );
  const kept = aged(2);
  await insertQueries(db, [kept]);
  await insertQueries(db, [kept]);
  const counts = async () => {
    const [row] = await db.query<{ entries: number; policies: number }>(
      `select (select count(*) from policy_guard.queries) as entries,
        (select count(*) from policy_guard.query_policies) as policies`,
    );
    return [row?.entries, row?.policies];
  };
  assert.deepEqual(await counts(), [6, 6]);
  const jobs = createJobs(db, { pollSeconds: 1, graceMs: 1000 });
  await scheduleRetention({
    jobName: 'policy-guard-query-retention',
    days: 30,
    jobs,
    clock: systemClock,
    deleteBefore: (moment, limit) => deleteQueriesBefore(db, firstIdAt(moment.getTime()), limit),
  });
  await jobs.start();
  const endMs = Date.now() + 60_000;
  while ((await counts())[0] !== 3 && Date.now() < endMs) await new Promise((done) => setTimeout(done, 100));
  assert.deepEqual(await counts(), [3, 3]);
  await jobs[Symbol.asyncDispose]();
});
