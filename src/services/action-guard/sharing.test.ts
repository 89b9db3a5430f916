import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { addTestKey } from '#identity/test-people.ts';
import { sharersOf, testSharing, type Attempt, type Who } from '../../../test/fixtures/sharing.ts';
import { openTestService } from './fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens } = service;

const who = await sharersOf(call, tokens);

const sets = '/api/v1/policies/sets';
const policies = '/api/v1/policies/policy';
const rules = { no_deletions: { description: 'Never delete files.', severity: 'High' } };

const kinds = {
  policy: { path: policies, items: 'policies', body: { name: 'Shared policy', rules } },
  'policy set': { path: sets, items: 'policy_sets', body: { name: 'Shared set' } },
};

const make = async (kind: keyof typeof kinds, sent: object = {}, as: Who = 'owner'): Promise<string> => {
  const { path, body } = kinds[kind];
  const made = await call('POST', path, { as: who[as], body: { ...body, ...sent } });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  return made.body.policy_id;
};

/** Who may read a policy may use it in a set of their own. */
async function usePolicy({ as, id, read, label }: Attempt): Promise<void> {
  const used = await call('POST', sets, { as: who[as], body: { name: 'Uses', policy_ids: [id] } });
  assert.equal(used.status, read, label);
  if (read !== 200) return;
  const detached = await call('DELETE', `${sets}/${used.body.policy_id}/policies/${id}`, { as: who[as] });
  assert.equal(detached.status, 200);
}

async function attachPolicy({ status, change, label }: Attempt): Promise<void> {
  assert.equal(await status('POST', '/policies', { policy_ids: ['pol_preset_gdpr'] }), change, label);
}

for (const [kind, more] of [
  ['policy', usePolicy],
  ['policy set', attachPolicy],
] as const) {
  const { path, items } = kinds[kind];
  const shared = { path, items, id: 'id', ownerName: 'created_by_name', changeBy: 'PUT' } as const;
  const listAll = ['', '?owner=all'];
  testSharing(kind, { ...shared, listAll, make: (sent) => make(kind, sent), more }, call, who);
}

test('What is not said to be shared is private', async () => {
  for (const kind of ['policy', 'policy set'] as const) {
    const id = await make(kind);
    const { body } = await call('GET', `${kinds[kind].path}/${id}`, { as: who.owner });
    assert.equal(body.visibility, 'private');
  }
});

test('An API key reads and changes what its user may', async () => {
  const key = await addTestKey(service.db, 'colleague');
  const shared = await make('policy', { visibility: 'tenant' });
  const hidden = await make('policy');
  const own = await make('policy', {}, 'colleague');
  const status = async (method: 'GET' | 'DELETE', id: string) =>
    (await call(method, `${policies}/${id}`, { key })).status;
  assert.deepEqual(
    [await status('GET', shared), await status('GET', hidden), await status('GET', own)],
    [200, 404, 200],
  );
  assert.deepEqual(
    [await status('DELETE', shared), await status('DELETE', hidden), await status('DELETE', own)],
    [403, 404, 200],
  );
});

test('A set keeps a policy that is shared no longer, judges by it, and its owner cannot delete it unnoticed', async () => {
  const policy = await make('policy', { visibility: 'tenant' });
  const set = await make('policy set', { policy_ids: [policy] }, 'colleague');
  const change = (visibility: string) =>
    call('PUT', `${policies}/${policy}`, { as: who.owner, body: { visibility } });
  assert.equal((await change('private')).status, 200);

  const { body: kept } = await call('GET', `${sets}/${set}`, { as: who.colleague });
  assert.equal(kept.policy_count, 1);
  const [member] = kept.policies;
  assert.deepEqual(
    [member.name, member.created_by_name, member.readable, member.rules, member.rule_count],
    ['Shared policy', 'member', false, {}, 1],
  );
  const action = { policyId: set, tool: 'delete_file', params: { path: '/reports/1' } };
  const verdict = await service.judge(action, who.colleague);
  assert.equal(verdict.body.allowed, false, JSON.stringify(verdict.body));

  const refused = await call('DELETE', `${policies}/${policy}`, { as: who.owner });
  assert.equal(refused.status, 409);
  assert.match(refused.body.detail, /held by 1 policy set of other users/);
  // With its own set it does not go either.
  const own = await make('policy set', { policy_ids: [policy] });
  const { body: gone } = await call('DELETE', `${sets}/${own}`, { as: who.owner });
  assert.deepEqual(gone.deleted_policy_ids, []);
  assert.equal(
    (await call('DELETE', `${sets}/${set}/policies/${policy}`, { as: who.colleague })).status,
    200,
  );
  assert.equal((await call('DELETE', `${policies}/${policy}`, { as: who.owner })).status, 200);
});

test('A shared set shows the policies of its owner', async () => {
  const policy = await make('policy');
  const set = await make('policy set', { policy_ids: [policy], visibility: 'tenant' });
  const { body } = await call('GET', `${sets}/${set}`, { as: who.colleague });
  assert.equal(body.policies[0].readable, true);
  assert.equal(body.policies[0].rules.no_deletions.description, 'Never delete files.');
  assert.equal((await call('GET', `${policies}/${policy}`, { as: who.colleague })).status, 404);
});

test('The log names users, sets and gateways, deleted sets too', async () => {
  const set = await make('policy set');
  const question = { policyId: set, sessionId: 'named', more: {} };
  const { body: first } = await service.judge(question, who.colleague);
  assert.equal(first.allowed, true);
  const body = {
    session_history: {
      session_info: { gateway_id: 'gw_one', gateway_name: 'Front' },
      trace: [{ role: 'agent', action: 'Reads' }],
    },
    session_id: 'named',
    policy_id: set,
  };
  assert.equal((await call('POST', '/api/v1/guard_actions', { as: who.colleague, body })).status, 200);
  assert.equal((await call('DELETE', `${sets}/${set}`, { as: who.owner })).status, 200);
  const { body: log } = await call('GET', '/api/v1/logs?session_id=named', { as: who.administrator });
  assert.deepEqual(
    log.logs.map((each: Record<string, unknown>) => [
      each['policy_name'],
      each['user_name'],
      each['gateway_name'],
    ]),
    [
      ['Shared set', 'colleague', 'Front'],
      ['Shared set', 'colleague', null],
    ],
  );
});
