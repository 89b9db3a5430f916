/** Two `bulwark serve action-guard` on one PostgreSQL: limits and approvals are exact in both together. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTogether, whyNot, type Together } from './together.ts';

const skip = await whyNot();
let together: Together;

before(async () => {
  if (skip === false) together = await startTogether('action-guard', 2, {});
});
after(async () => {
  if (skip === false) await together[Symbol.asyncDispose]();
});

const call: Together['call'] = (...args) => together.call(...args);

/** A set with one rule, made through the first process. */
async function makeSet(rule: object): Promise<string> {
  const policy = await call(0, 'POST', '/api/v1/policies/policy', {
    name: 'Limits',
    rules: { only: { ...rule, severity: 'High' } },
  });
  const set = await call(0, 'POST', '/api/v1/policies/sets', {
    name: 'Limits',
    policy_ids: [policy.policy_id],
  });
  return String(set.policy_id);
}

/** One call, in a session of its own unless one is named. */
const judge = (at: number, policyId: string, session: string, params: object) =>
  call(at, 'POST', '/api/v1/guard_actions', {
    session_id: session,
    policy_id: policyId,
    session_history: {
      trace: [
        { role: 'user', content: 'Please refund me.' },
        { role: 'agent', metadata: { tool_name: 'issue_refund', tool_params: params } },
      ],
    },
  });

test('of forty refunds at once in two processes exactly three pass for each customer', { skip }, async () => {
  const set = await makeSet({ description: 'No more than three refunds per customer per month.' });
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, async (_, at) => {
      const customer = `C${at % 4}`;
      const { allowed } = await judge(at % 2, set, `s${at}`, { customer_id: customer, amount: 5 });
      return { customer, allowed: allowed === true };
    }),
  );
  for (const customer of ['C0', 'C1', 'C2', 'C3']) {
    const passed = outcomes.filter((one) => one.customer === customer && one.allowed).length;
    assert.equal(passed, 3, customer);
  }
});

test('of sixteen refunds at once in two processes as many pass as the sum allows', { skip }, async () => {
  const set = await makeSet({ description: 'No more than $500 of refunds per customer per day.' });
  const outcomes = await Promise.all(
    Array.from({ length: 16 }, async (_, at) => {
      const params = { customer_id: 'S1', amount: 99.99, currency: 'USD' };
      return (await judge(at % 2, set, `sum${at}`, params)).allowed === true;
    }),
  );
  assert.equal(outcomes.filter(Boolean).length, 5);
  const rest = await judge(0, set, 'rest', { customer_id: 'S1', amount: 0.05, currency: 'USD' });
  const beyond = await judge(1, set, 'beyond', { customer_id: 'S1', amount: 0.01, currency: 'USD' });
  assert.deepEqual([rest.allowed, beyond.allowed], [true, false]);
});

test('a call approved through one process passes once in both together', { skip }, async () => {
  const set = await makeSet({
    rule: {
      when: { is: 'action', acts: ['refund'] },
      requires: { is: 'approval', from: 'checked' },
      on_missing: 'ask',
    },
  });
  const refund = { customer_id: 'C9', amount: 900 };
  const held = await judge(0, set, 'approved', refund);
  await call(1, 'POST', `/api/v1/approvals/${held.approval.id}`, { decision: 'approve' });
  const outcomes = await Promise.all(
    Array.from({ length: 10 }, (_, at) => judge(at % 2, set, 'approved', refund)),
  );
  assert.equal(outcomes.filter(({ allowed }) => allowed === true).length, 1);
});
