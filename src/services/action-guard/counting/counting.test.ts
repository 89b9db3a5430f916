import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestService, type TestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens } = service;
const as = tokens.admin;

async function makeSet(description: string, who = as): Promise<string> {
  const rules = { limit: { description, severity: 'High' } };
  const { body: policy } = await call('POST', '/api/v1/policies/policy', {
    as: who,
    body: { name: 'L', rules },
  });
  const { body } = await call('POST', '/api/v1/policies/sets', {
    as: who,
    body: { name: 'L', policy_ids: [policy.policy_id] },
  });
  return body.policy_id;
}

let sessions = 0;
/** Each in a session of its own. */
const refund = async (
  policyId: string,
  customer: string | undefined,
  by: TestService = service,
): Promise<boolean> => {
  const answer = await by.judge({
    policyId,
    tool: 'issue_refund',
    params: { ...(customer !== undefined && { customer_id: customer }), amount: 5 },
    sessionId: `s${(sessions += 1)}`,
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.allowed;
};

const monthly = 'No more than three refunds per customer per month.';

test('a limit by the month holds over sessions, for each customer, and a refused call does not count', async () => {
  const set = await makeSet(monthly);
  const allowed: boolean[] = [];
  for (let at = 0; at < 5; at++) allowed.push(await refund(set, 'C1'));
  assert.deepEqual(allowed, [true, true, true, false, false]);
  assert.equal(await refund(set, 'C2'), true);
  // Whom it is for is left out: that is no way around.
  assert.equal(await refund(set, undefined), false);
  const [row] = await service.db.query<{ count: number }>(
    "select count(distinct call_id) as count from action_guard.counted_calls where key = 'c1'",
  );
  assert.equal(row?.count, 3);
});

test('what is older than the window no longer counts', async () => {
  const set = await makeSet('No more than two refunds per customer per day.');
  const again = () => refund(set, 'C9');
  // The calls that named nobody count for everybody.
  await service.db.query("delete from action_guard.counted_calls where key = ''");
  assert.deepEqual([await again(), await again(), await again()], [true, true, false]);
  await service.db.query("update action_guard.counted_calls set at = at - interval '25 hours'");
  assert.equal(await again(), true);
});

test('calls that were logged before the rule was made count as well', async () => {
  for (let at = 0; at < 3; at++)
    await service.judge({
      policyId: 'agp_default',
      tool: 'cancel_booking',
      params: { customer_id: 'C7', booking: `B${at}` },
      request: 'Please cancel my bookings B0, B1 and B2.',
    });
  const logged = await service.db.query(
    "select 1 as one from action_guard.logs where allowed and tool_name = 'cancel_booking'",
  );
  const set = await makeSet('No more than three cancellations per customer per week.');
  const { body } = await service.judge({
    policyId: set,
    tool: 'cancel_booking',
    params: { customer_id: 'C7', booking: 'B4' },
  });
  assert.equal(logged.length, 3);
  assert.equal(body.allowed, false);
});

test('of many calls at once in two services exactly as many pass as may', async () => {
  await using other = await openTestService({ db: service.db });
  const set = await makeSet(monthly);
  const outcomes = await Promise.all(
    Array.from({ length: 16 }, (_, at) => refund(set, 'C3', at % 2 === 0 ? service : other)),
  );
  assert.equal(outcomes.filter(Boolean).length, 3);
});

test('a call that is judged twice under one id counts once, and another call under that id counts too', async () => {
  const set = await makeSet('No more than two refunds per customer per day.');
  const judged = async (callId: string, customer: string) => {
    const { body } = await call('POST', '/api/v1/guard_actions', {
      as,
      body: {
        session_history: {
          trace: [
            {
              role: 'agent',
              step_id: 1,
              metadata: { tool_name: 'issue_refund', tool_params: { customer_id: customer, amount: 5 } },
            },
          ],
        },
        session_id: 'same',
        policy_id: set,
        call_id: callId,
      },
    });
    return body.allowed;
  };
  await service.db.query("delete from action_guard.counted_calls where key = ''");
  const asked = ['a', 'a', 'a', 'b', 'b', 'c', 'a'];
  const allowed: boolean[] = [];
  for (const id of asked) allowed.push(await judged(id, 'C20'));
  assert.deepEqual(allowed, [true, true, true, true, true, false, true]);
  const [row] = await service.db.query<{ count: number }>(
    "select count(distinct call_id) as count from action_guard.counted_calls where key = 'c20'",
  );
  assert.equal(row?.count, 2);
  assert.deepEqual([await judged('a', 'C21'), await judged('a', 'C22')], [true, true]);
});

const refundOf = async (policyId: string, params: Record<string, unknown>, by = as) => {
  const { body } = await service.judge(
    { policyId, tool: 'issue_refund', params, sessionId: `s${(sessions += 1)}` },
    by,
  );
  return body;
};

test('what a colleague has done under a set of their own counts for nobody else', async () => {
  const ours = await makeSet(monthly);
  assert.equal((await refundOf(ours, { customer_id: 'C30', amount: 1 })).allowed, true);
  const theirs = await makeSet(monthly, tokens.member);
  const without = await makeSet('Never delete backups.', tokens.member);
  for (const [set, customer] of [
    [theirs, 'C31'],
    [without, 'C31'],
    [theirs, undefined],
    [without, undefined],
  ] as const)
    for (let at = 0; at < 3; at++)
      await refundOf(set, { ...(customer && { customer_id: customer }), amount: 1 }, tokens.member);
  assert.equal((await refundOf(ours, { customer_id: 'C31', amount: 1 })).allowed, true);
  // Nor for a set that is made after it, whoever makes it.
  const later = await makeSet(monthly);
  assert.equal((await refundOf(later, { customer_id: 'C31', amount: 1 })).allowed, true);
});

test('a set that is shared counts what all its callers do', async () => {
  const { body: policy } = await call('POST', '/api/v1/policies/policy', {
    as,
    body: { name: 'L', rules: { limit: { description: monthly, severity: 'High' } }, visibility: 'tenant' },
  });
  const { body } = await call('POST', '/api/v1/policies/sets', {
    as,
    body: { name: 'L', policy_ids: [policy.policy_id], visibility: 'tenant' },
  });
  const allowed: boolean[] = [];
  for (const who of [as, tokens.member, as, tokens.member])
    allowed.push((await refundOf(body.policy_id, { customer_id: 'C40', amount: 1 }, who)).allowed);
  assert.deepEqual(allowed, [true, true, true, false]);
});

test('one customer is one however the id is written, and a blank names nobody', async () => {
  const set = await makeSet('No more than two refunds per customer per week.');
  const spelled = ['k77', ' K77', '\uff4b\uff17\uff17', 'k\u200b77'];
  const allowed: boolean[] = [];
  for (const customer of spelled)
    allowed.push((await refundOf(set, { customer_id: customer, amount: 1 })).allowed);
  assert.deepEqual(allowed, [true, true, false, false]);
  assert.equal((await refundOf(set, { customer_id: '  ', amount: 1 })).allowed, false);
});

test('the reason names the latest of the calls that were counted', async () => {
  const set = await makeSet('No more than one refund per customer per week.');
  const first = await refundOf(set, { customer_id: 'C50', amount: 1 });
  const second = await refundOf(set, { customer_id: 'C50', amount: 1 });
  const [{ reason }] = second.violations_detail;
  assert.match(
    reason,
    /^It is number 2 within a week\. The latest before it is the call \S+ of \d{4}-\d\d-\d\d \S+ UTC\.$/,
  );
  const { body } = await call('GET', '/api/v1/logs?limit=2', { as });
  const ids: string[] = body.logs.map(({ id, log_id: logId }: Record<string, string>) => id ?? logId);
  assert.ok(
    ids.some((id) => reason.includes(id)),
    `${reason} ${JSON.stringify(body.logs[0])} ${first.allowed}`,
  );
});

test('another tenant has counts of its own', async () => {
  const theirs = await makeSet(monthly, tokens.stranger);
  const { body } = await service.judge(
    { policyId: theirs, tool: 'issue_refund', params: { customer_id: 'C3', amount: 5 } },
    tokens.stranger,
  );
  assert.equal(body.allowed, true);
});
