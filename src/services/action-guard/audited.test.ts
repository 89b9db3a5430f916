/** Who changed what is enforced on actions is in the audit trail, with what each field and each rule was and is. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { walkAuditedOperations } from '../../../test/fixtures/audited-operations.ts';
import { openTestService } from './fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, db, judge, tokens } = service;
const walk = await walkAuditedOperations(call, tokens.admin, { db });
const { change } = walk;
const policies = '/api/v1/policies/policy';
const sets = '/api/v1/policies/sets';
const rules = { pay: { description: 'Never pay anyone.', severity: 'High' } };

test('policies: their fields, and of each rule what was written and what is enforced', async () => {
  const made = await change('POST', policies, { body: { name: 'Money', rules } });
  const id = made.body.policy_id;
  assert.deepEqual(
    [made.event, made.user_name, made.details.name, made.details['id']],
    ['action_policy_created', 'admin', 'Money', id],
  );
  assert.deepEqual(made.details.changes?.['rule "pay"'], { old: null, new: 'Never pay anyone.' });

  const long = `Never pay ${'x'.repeat(500)}`;
  const changed = await change('PUT', `${policies}/${id}`, {
    body: {
      visibility: 'tenant',
      rules: { pay: { ...rules.pay, severity: 'Low' }, ask: { description: long } },
    },
  });
  assert.deepEqual([changed.event, changed.details.name], ['action_policy_updated', 'Money']);
  const { visibility, 'rule "pay" severity': severity, 'rule "ask"': added } = changed.details.changes ?? {};
  assert.deepEqual(visibility, { old: 'private', new: 'tenant' });
  assert.deepEqual(severity, { old: 'High', new: 'Low' });
  assert.match(String(added?.new), /^Never pay x+… \(510 characters\)$/);
  assert.equal(changed.details.changes?.['rule "pay"'], undefined, 'it says what it said');

  const confirmed = await change('POST', `${policies}/${id}/rules/pay/confirm`, { body: {} });
  assert.deepEqual(confirmed.details.changes, { 'rule "pay" confirmed': { old: false, new: true } });
  const gone = await change('DELETE', `${policies}/${id}`);
  assert.deepEqual([gone.event, gone.details.name], ['action_policy_deleted', 'Money']);
  assert.deepEqual(gone.details.changes?.['rule "pay" severity'], { old: 'Low', new: null });
});

test('policy sets: what blocks, who is told, who has which role, and each policy by its name', async () => {
  const policyId = async (name: string) =>
    (await call('POST', policies, { as: tokens.admin, body: { name, rules } })).body.policy_id;
  const [first, second] = [await policyId('First'), await policyId('Second')];
  const made = await change('POST', sets, { body: { name: 'Office', policy_ids: [first] } });
  const path = `${sets}/${made.body.policy_id}`;
  assert.deepEqual([made.event, made.details.name], ['policy_set_created', 'Office']);
  assert.deepEqual(made.details.changes?.['policy "First"'], { old: null, new: 'enabled' });

  const changed = await change('PUT', path, {
    body: {
      blocking_config: { blocking_mode: 'strict' },
      notify_emails: ['boss@example.com'],
      user_roles: { finance: ['admin'] },
      policies: { [first]: { enabled: false } },
    },
  });
  assert.deepEqual(changed.details.changes, {
    blocking_mode: { old: null, new: 'strict' },
    notify_emails: { old: [], new: ['boss@example.com'] },
    'user role "finance"': { old: null, new: ['admin'] },
    'policy "First"': { old: 'enabled', new: 'disabled' },
  });
  const attached = await change('POST', `${path}/policies`, { body: { policy_ids: [second] } });
  assert.deepEqual(
    [attached.event, attached.details.name, attached.details.changes],
    ['policy_set_policies_attached', 'Office', { 'policy "Second"': { old: null, new: 'enabled' } }],
  );
  const detached = await change('DELETE', `${path}/policies/${second}`);
  assert.deepEqual(
    [detached.event, detached.details.changes],
    ['policy_set_policy_detached', { 'policy "Second"': { old: 'enabled', new: null } }],
  );
  const gone = await change('DELETE', path);
  assert.deepEqual([gone.event, gone.details.name], ['policy_set_deleted', 'Office']);
  assert.deepEqual(gone.details['deleted_policies'], ['First']);
  assert.deepEqual(gone.details.changes?.['blocking_mode'], { old: 'strict', new: null });
});

test('decisions about held calls, without the arguments of the call', async () => {
  const rule = {
    when: { is: 'action', acts: ['pay'] },
    requires: { is: 'approval', from: 'checked' },
    on_missing: 'ask',
  };
  const policy = await call('POST', policies, {
    as: tokens.admin,
    body: { name: 'Held', rules: { pay: { rule, severity: 'High' } } },
  });
  assert.equal(policy.status, 200, JSON.stringify(policy.body));
  const set = await call('POST', sets, {
    as: tokens.admin,
    body: { name: 'Held', policy_ids: [policy.body.policy_id] },
  });
  const held = await judge({
    policyId: set.body.policy_id,
    tool: 'transfer_money',
    params: { amount: 4321.99, to: 'IBAN' },
  });
  const id = held.body.approval?.id;
  const decided = await change('POST', `/api/v1/approvals/${id}`, {
    body: { decision: 'deny', note: `Not due. ${'x'.repeat(400)}` },
  });
  assert.deepEqual([decided.event, decided.details['tool']], ['action_denied', 'transfer_money']);
  assert.deepEqual(decided.details.changes, { status: { old: 'pending', new: 'denied' } });
  assert.match(String(decided.details['note']), /^Not due\. x+… \(409 characters\)$/);
  assert.ok(!JSON.stringify(decided.details).includes('4321'));
});

test('what is refused leaves no entry', async () => {
  const count = async () =>
    (await db.query("select 1 as one from identity.audit_events where event not like 'login%'")).length;
  const { body } = await call('POST', policies, { as: tokens.admin, body: { name: 'Own', rules } });
  const before = await count();
  const refused = [
    await call('DELETE', `${policies}/${body.policy_id}`, { as: tokens.stranger }),
    await call('PUT', `${sets}/agp_default`, { as: tokens.admin, body: { name: 'Mine' } }),
    await call('POST', `${policies}/${body.policy_id}/rules/none/confirm`, { as: tokens.admin, body: {} }),
  ];
  assert.deepEqual(
    refused.map(({ status }) => status),
    [404, 403, 404],
  );
  assert.equal(await count(), before);
});

test('every changing operation is recorded, or here is why it is not', () => {
  const reads = 'Reads a sentence or judges a trial, and keeps nothing.';
  const extraction = 'A job proposes rules and changes nothing before they are saved in a policy.';
  walk.assertComplete({
    guardActions: 'Judges; the log of actions has it.',
    draftRule: reads,
    tryRule: reads,
    extractRules: extraction,
    extractRulesFromFiles: extraction,
  });
});
