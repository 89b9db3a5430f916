import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestService } from '../fixtures/service.ts';
import { deleteEmptyCounts, deleteLogsBefore } from './retention-store.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens, clock, judge, db } = service;
const as = tokens.admin;

const rules = { no_deletions: { description: 'Never delete files.', severity: 'High' } };
const { body: policy } = await call('POST', '/api/v1/policies/policy', { as, body: { name: 'P', rules } });
const { body: set } = await call('POST', '/api/v1/policies/sets', {
  as,
  body: { name: 'S', policy_ids: [policy.policy_id] },
});
const ask = (sessionId: string, tool: string) => judge({ policyId: set.policy_id, sessionId, tool });
const stats = async (query = '') => (await call('GET', `/api/v1/logs${query}`, { as })).body;

test('old entries go with all that was counted from them, what is younger stays exact', async () => {
  const nowMs = clock.now();
  clock.advance(-100 * 86_400_000);
  for (const session of ['old', 'both'])
    for (const tool of ['delete_file', 'read_file']) await ask(session, tool);
  clock.advance(nowMs - clock.now());
  await ask('both', 'delete_file');
  await ask('new', 'read_file');
  assert.equal((await stats()).stats.total_evaluations, 6);
  const before = new Date(nowMs - 50 * 86_400_000);
  assert.equal(await deleteLogsBefore(db, before, 3), 3);
  assert.deepEqual([(await stats()).stats.total_evaluations, (await stats()).logs.length], [3, 3]);
  assert.equal(await deleteLogsBefore(db, before, 3), 1);
  assert.equal(await deleteLogsBefore(db, before, 3), 0);
  await deleteEmptyCounts(db);
  const { logs, stats: left } = await stats();
  assert.equal(logs.length, 2);
  assert.deepEqual(
    [
      left.total_evaluations,
      left.total_violations,
      left.unique_sessions,
      left.threat_categories,
      left.violation_categories,
    ],
    [2, 1, 2, { destructive_action: 1 }, { 'User Rules': 1 }],
  );
  const until = `?end_date=${before.toISOString()}`;
  const old = (await stats(until)).stats;
  assert.deepEqual([old.total_evaluations, old.unique_sessions, old.threat_categories], [0, 0, {}]);
  const [counts] = await db.query('select min(bucket) as first from action_guard.log_counts');
  assert.ok((counts!['first'] as Date) > before);
});
