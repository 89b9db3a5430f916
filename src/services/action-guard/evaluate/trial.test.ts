/** Trials of a playground: judged like any other action, and leaving nothing behind. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { adminKey } from '../fixtures/service-key.ts';
import { openTestService, question } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens, judge, db } = service;
const as = tokens.admin;
const trial = { trial: true };

async function makeSet(description: string): Promise<string> {
  const { body: policy } = await call('POST', '/api/v1/policies/policy', {
    as,
    body: { name: 'Tried', rules: { only: { description, severity: 'High' } } },
  });
  const { body } = await call('POST', '/api/v1/policies/sets', {
    as,
    body: { name: 'Tried', policy_ids: [policy.policy_id] },
  });
  return body.policy_id;
}

const left = async () => {
  const { body } = await call('GET', '/api/v1/logs', { as });
  const [held] = await db.query<{ count: number }>('select count(*) as count from action_guard.approvals');
  return { logs: body.total, evaluations: body.stats.total_evaluations, held: held?.count };
};

test('a trial gets the verdict of a call, is marked, and is neither logged nor counted', async () => {
  const policyId = await makeSet('Never delete files.');
  const deletion = { policyId, tool: 'delete_file', params: { path: 'a.txt' } };
  const before = await left();
  const tried = await judge({ ...deletion, more: trial });
  assert.equal(tried.body.trial, true);
  assert.deepEqual(await left(), before);
  const real = await judge(deletion);
  assert.equal(real.body.trial, undefined);
  assert.deepEqual(
    [tried.body.allowed, tried.body.violations, tried.body.explanation],
    [real.body.allowed, real.body.violations, real.body.explanation],
  );
  assert.equal((await left()).logs, before.logs + 1);
});

test('a trial takes no place in a count, asks nobody for approval, and uses none up', async () => {
  const counted = await makeSet('No more than three refunds per customer per month.');
  const refund = async (more?: object) =>
    (
      await judge({
        policyId: counted,
        tool: 'issue_refund',
        params: { customer_id: 'C1', amount: 5 },
        ...(more && { more: { ...more } }),
      })
    ).body.allowed;
  for (let at = 0; at < 5; at++) assert.equal(await refund(trial), true);
  assert.deepEqual(
    [await refund(), await refund(), await refund(), await refund()],
    [true, true, true, false],
  );
  assert.equal(await refund(trial), false, 'it sees the count of the others');

  const asking = await makeSet('Sending a message requires approval.');
  const before = await left();
  const message = { policyId: asking, tool: 'send_message', params: { text: 'Hello' } };
  const tried = await judge({ ...message, more: trial });
  assert.equal(tried.body.allowed, false);
  assert.equal(tried.body.approval, undefined);
  assert.deepEqual(await left(), before);
});

test('an application cannot send trials with its key', async () => {
  const key = await adminKey(service);
  const { status, body } = await call('POST', '/api/v1/guard_actions', {
    headers: { 'x-api-key': key },
    body: question({ policyId: 'agp_default', more: trial }),
  });
  assert.equal(status, 403, JSON.stringify(body));
});

test('blocked actions are listed alone, newest first, for those who may see them', async () => {
  const policyId = await makeSet('Never delete files.');
  await judge({ policyId, tool: 'read_file', params: { path: 'a.txt' } });
  await judge({ policyId, tool: 'delete_file', params: { path: 'b.txt' }, sessionId: 'blocked one' });
  const list = async (who: string, query = '') =>
    (await call('GET', `/api/v1/logs/blocked${query}`, { as: who })).body.logs as {
      session_id: string;
      allowed: boolean;
    }[];
  const [newest, ...older] = await list(as);
  assert.equal(newest?.session_id, 'blocked one');
  assert.ok(older.every(({ allowed }) => !allowed));
  assert.deepEqual(await list(tokens.member), []);
  assert.deepEqual(await list(tokens.stranger), []);
  assert.equal((await list(as, '?limit=1')).length, 1);
  assert.deepEqual(await list(as, `?start_date=${new Date(Date.now() + 3_600_000).toISOString()}`), []);
});
