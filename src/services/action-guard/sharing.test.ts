import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { addTestColleague, addTestKey } from '#identity/test-people.ts';
import { openTestService } from './fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens } = service;

/** The owner is a member; the administrator owns nothing. */
const who = {
  owner: tokens.member,
  colleague: await addTestColleague(call, tokens.admin),
  administrator: tokens.admin,
  stranger: tokens.stranger,
};
type Who = keyof typeof who;

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

/** Status of reading, and of changing and deleting; whether the list has it. */
const expected: Record<'private' | 'tenant', Record<Who, readonly [number, boolean, number]>> = {
  private: {
    owner: [200, true, 200],
    administrator: [200, true, 200],
    colleague: [404, false, 404],
    stranger: [404, false, 404],
  },
  tenant: {
    owner: [200, true, 200],
    administrator: [200, true, 200],
    colleague: [200, true, 403],
    stranger: [404, false, 404],
  },
};

for (const kind of ['policy', 'policy set'] as const)
  for (const visibility of ['private', 'tenant'] as const)
    test(`A ${kind} that is ${visibility === 'private' ? 'private' : 'shared with the tenant'}`, async () => {
      const { path, items } = kinds[kind];
      const id = await make(kind, { visibility });
      const { body: shown } = await call('GET', `${path}/${id}`, { as: who.owner });
      assert.deepEqual([shown.visibility, shown.created_by_name], [visibility, 'member']);
      for (const [as, [read, isListed, change]] of Object.entries(expected[visibility]) as [
        Who,
        readonly [number, boolean, number],
      ][]) {
        const label = `${as}, ${visibility}`;
        const status = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', end = '', body?: object) =>
          (await call(method, `${path}/${id}${end}`, { as: who[as], ...(body && { body }) })).status;
        const listed = async (owner: string) => {
          const { body } = await call('GET', `${path}?${owner}`, { as: who[as] });
          return body[items].some((each: { id: string }) => each.id === id);
        };
        assert.equal(await status('GET'), read, label);
        assert.equal(await listed(''), isListed, label);
        assert.equal(await listed('owner=all'), isListed, label);
        assert.equal(await listed('owner=me'), as === 'owner', label);
        assert.equal(await status('PUT', '', { name: 'Changed' }), change, label);
        if (kind === 'policy set')
          assert.equal(await status('POST', '/policies', { policy_ids: ['pol_preset_gdpr'] }), change, label);
        else {
          const using = { as: who[as], body: { name: 'Uses', policy_ids: [id] } };
          const used = await call('POST', sets, using);
          assert.equal(used.status, read, label);
          if (read === 200)
            assert.equal(
              (await call('DELETE', `${sets}/${used.body.policy_id}/policies/${id}`, { as: who[as] })).status,
              200,
            );
        }
        if (change !== 200) {
          assert.equal(await status('PUT', '', { visibility: 'tenant' }), change, label);
          assert.equal(await status('DELETE'), change, label);
        }
      }
      assert.equal((await call('DELETE', `${path}/${id}`, { as: who.administrator })).status, 200);
    });

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
