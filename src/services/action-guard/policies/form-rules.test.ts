import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens, judge } = service;
const as = tokens.admin;
const path = '/api/v1/policies/policy';

const rule = {
  when: {
    all: [
      { is: 'tool', names: ['*security_group*'] },
      { is: 'argument', path: 'cidr', operator: 'covers_network', value: '0.0.0.0/0' },
    ],
  },
  on_missing: 'deny',
};
const canonical =
  'Deny when it is the tool "*security_group*" and it has an argument "cidr" that takes in the network "0.0.0.0/0".';

async function enforced(rules: object): Promise<{ policyId: string; setId: string }> {
  const { status, body } = await call('POST', path, { as, body: { name: 'Forms', rules } });
  assert.equal(status, 200, JSON.stringify(body));
  const set = await call('POST', '/api/v1/policies/sets', {
    as,
    body: { name: 'Forms', policy_ids: [body.policy_id] },
  });
  return { policyId: body.policy_id, setId: set.body.policy_id };
}

test('a rule that is given as a form is enforced as it stands, and comes back with its sentence', async () => {
  const { policyId, setId } = await enforced({ open: { rule, severity: 'High' } });
  const { body } = await call('GET', `${path}/${policyId}`, { as });
  const { open } = body.rules;
  assert.deepEqual(
    [open.rule, open.canonical, open.description, open.origin],
    [rule, canonical, canonical, 'form'],
  );
  const change = (tool: string, cidr: string) =>
    judge({ policyId: setId, tool, params: { group: 'sg-1', cidr } });
  const blocked = (await change('update_security_group', '0.0.0.0/0')).body;
  assert.equal(blocked.allowed, false);
  assert.match(blocked.violations_detail[0].reason, /`cidr` is "0\.0\.0\.0\/0"/);
  assert.equal((await change('update_security_group', '10.0.0.0/8')).body.allowed, true);
  assert.equal((await change('describe_network', '0.0.0.0/0')).body.allowed, true);
});

test('`on_missing: ask` blocks until a person confirms', async () => {
  const asking = { when: { is: 'tool', names: ['delete_*'] }, on_missing: 'ask' };
  const { setId } = await enforced({ ask: { rule: asking, severity: 'High', description: 'Deletions' } });
  const { body } = await judge({ policyId: setId, tool: 'delete_file', params: { path: 'a' } });
  assert.deepEqual([body.allowed, body.violations_detail[0].action], [false, 'ask']);
  assert.equal(body.violations_detail[0].description, 'Deletions');
});

test('a rule changes between sentence and form, and keeps its id', async () => {
  const { policyId } = await enforced({ open: { rule, severity: 'High' } });
  const put = async (one: object) =>
    (await call('PUT', `${path}/${policyId}`, { as, body: { rules: { open: one } } })).body.rules.open;
  const before = (await call('GET', `${path}/${policyId}`, { as })).body.rules.open;
  const sentence = await put({ description: 'Never open a security group.', severity: 'High' });
  assert.deepEqual([sentence.id, sentence.origin, sentence.rule], [before.id, 'sentence', undefined]);
  assert.notDeepEqual(sentence.compiled, before.compiled);
  // Its canonical sentence is the form itself.
  const form = await put({ description: canonical, severity: 'High' });
  assert.deepEqual([form.id, form.origin, form.rule], [before.id, 'form', rule]);
});

test('a form that is wrong, or that could not be enforced, is refused with the name of the field', async () => {
  const tried = async (one: object) => call('POST', path, { as, body: { name: 'Bad', rules: { it: one } } });
  const cases: readonly [object, RegExp][] = [
    [
      { when: { is: 'argument', path: 'a', operator: 'over', value: 'lots' }, on_missing: 'deny' },
      /rules\.it\.rule\.when.*number/,
    ],
    [{ when: { is: 'anything' }, on_missing: 'deny' }, /rules\.it\.rule\.when\.is/],
    [{ when: { is: 'role', roles: ['intern'] }, on_missing: 'deny' }, /role or an attribute of the user/],
    [
      { when: { is: 'changes' }, requires: { is: 'approval', from: 'checked' }, on_missing: 'ask' },
      /checked identity/,
    ],
    [{ when: { is: 'repeat', over: 3, window: 'month' }, on_missing: 'deny' }, /more than the session/],
  ];
  for (const [bad, reason] of cases) {
    const { status, body } = await tried({ rule: bad });
    assert.equal(status, 422, JSON.stringify(bad));
    assert.match(JSON.stringify(body), reason);
  }
  assert.equal((await tried({ severity: 'High' })).status, 400);
});
