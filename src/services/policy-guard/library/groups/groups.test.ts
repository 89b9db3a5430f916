import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { builtIn, refusal, startServer } from './fixtures/server.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const { first, colleague, stranger } = server;

const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

test('a group has the documented fields and defaults', async () => {
  const group = await first.createPolicyGroup({ body: { name: 'Bare' } });
  const { group_uuid, created_at, updated_at, ...rest } = group;
  assert.match(group_uuid, uuid7);
  assert.equal(created_at, updated_at);
  assert.deepEqual(rest, {
    name: 'Bare',
    description: '',
    threshold: 0.5,
    strictness_level: 'medium',
    is_template: false,
    policies: [],
    owner_id: 'user-first',
    owner_name: 'user-first',
    visibility: 'private',
    version: 1,
  });
  assert.deepEqual(await first.getPolicyGroup({ params: { group_uuid } }), group);
  const { status } = await server.send('POST', '/api/policy_groups', '{"name": "Created"}');
  assert.equal(status, 201);
});

test('texts are stored exactly as sent', async () => {
  const policies = [
    {
      name: 'Åsa’s policy \u{1F600}',
      description: "Robert'); drop table policies; --",
      block_activities: ['one', 'two "quoted"'],
      safe_activities: ['three \\ four'],
      enabled: false,
    },
    { name: 'constructor' },
  ];
  const body = {
    name: "'; delete from policy_guard.policy_groups; --",
    description: 'Text',
    threshold: 0.123456789,
    strictness_level: 'high' as const,
    policies,
  };
  const group = await first.createPolicyGroup({ body });
  const again = await first.getPolicyGroup({ params: { group_uuid: group.group_uuid.toUpperCase() } });
  assert.deepEqual(again, group);
  assert.equal(again.threshold, 0.123456789);
  assert.equal(again.name, body.name);
  assert.match(again.policies[0]!._id, uuid7);
  const stored = again.policies.map(({ judged_by: _judgedBy, ...policy }) => ({ ...policy, _id: undefined }));
  assert.deepEqual(stored[0], { ...policies[0], _id: undefined });
  assert.deepEqual(stored[1], {
    _id: undefined,
    name: 'constructor',
    description: '',
    block_activities: [],
    safe_activities: [],
    enabled: true,
  });
});

test('replacing policies keeps the ids of known ones, in the order sent', async () => {
  const before = await first.createPolicyGroup({
    body: { name: 'Replace', policies: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] },
  });
  const [a, b] = before.policies;
  const params = { group_uuid: before.group_uuid };
  const after = await first.replacePolicyGroup({
    params,
    body: {
      name: 'Replaced',
      threshold: 0.9,
      // a and b swap their names; c is removed; an unknown id counts as none.
      policies: [
        { _id: b!._id, name: 'a' },
        { _id: 'not-known', name: 'd' },
        { _id: a!._id.toUpperCase(), name: 'b' },
      ],
    },
  });
  assert.equal(after.version, 2);
  assert.equal(after.strictness_level, 'medium');
  assert.deepEqual(
    after.policies.map(({ name }) => name),
    ['a', 'd', 'b'],
  );
  assert.equal(after.policies[0]!._id, b!._id);
  assert.equal(after.policies[2]!._id, a!._id);
  assert.match(after.policies[1]!._id, uuid7);
  assert.deepEqual(await first.getPolicyGroup({ params }), after);

  const renamed = await first.replacePolicyGroup({ params, body: { name: 'Only renamed' } });
  assert.deepEqual(renamed.policies, after.policies);
  const emptied = await first.replacePolicyGroup({ params, body: { policies: [] } });
  assert.deepEqual(emptied.policies, []);
  assert.equal(emptied.version, 4);
  const twice = { _id: a!._id, name: 'x' };
  await first.replacePolicyGroup({ params, body: { policies: [{ name: 'x' }] } });
  const [x] = (await first.getPolicyGroup({ params })).policies;
  const refused = await refusal(
    first.replacePolicyGroup({
      params,
      body: {
        policies: [
          { ...twice, _id: x!._id },
          { _id: x!._id, name: 'y' },
        ],
      },
    }),
  );
  assert.equal(refused.status, 422);
  assert.match(refused.detail, /policies\[1\]\._id/);
});

test('lists contain own groups, shared groups of the tenant and built-in ones', async () => {
  const own = await colleague.createPolicyGroup({ body: { name: 'Of the colleague' } });
  const shared = await colleague.createPolicyGroup({ body: { name: 'Shared', is_template: true } });
  const foreign = await stranger.createPolicyGroup({ body: { name: 'Foreign', is_template: true } });

  const listed = async (client: typeof first) => {
    const { policy_groups, total } = await client.listPolicyGroups();
    assert.equal(policy_groups.length, total);
    return policy_groups.map(({ group_uuid }) => group_uuid);
  };
  const ofColleague = await listed(colleague);
  assert.deepEqual(ofColleague.slice(0, 3), [shared.group_uuid, own.group_uuid, builtIn]);
  const ofFirst = await listed(first);
  assert.ok(ofFirst.includes(shared.group_uuid) && ofFirst.includes(builtIn));
  assert.ok(!ofFirst.includes(own.group_uuid) && !ofFirst.includes(foreign.group_uuid));

  const all: string[] = [];
  for (let offset = 0; offset < ofFirst.length; offset += 2) {
    const page = await first.listPolicyGroups({ query: { limit: 2, offset } });
    assert.equal(page.total, ofFirst.length);
    all.push(...page.policy_groups.map(({ group_uuid }) => group_uuid));
  }
  assert.deepEqual(all, ofFirst);
  assert.equal((await refusal(first.listPolicyGroups({ query: { limit: 501 } }))).status, 422);
});

test('a deleted group is gone, and a group in use by guards cannot be deleted', async () => {
  const { group_uuid } = await first.createPolicyGroup({ body: { name: 'Short-lived', is_template: true } });
  const params = { group_uuid };
  server.guards.set(`tenant-one/${group_uuid}`, [
    { name: 'Front desk', ownerId: 'user-first' },
    { name: 'Secret', ownerId: 'user-colleague' },
  ]);
  const refused = await refusal(first.deletePolicyGroup({ params }));
  assert.equal(refused.status, 409);
  assert.match(refused.detail, /your guard "Front desk" and 1 guard of other users/);
  assert.equal((await refusal(colleague.deletePolicyGroup({ params }))).status, 403);
  assert.equal((await first.getPolicyGroup({ params })).version, 1);

  server.guards.clear();
  await first.deletePolicyGroup({ params });
  assert.equal((await refusal(first.getPolicyGroup({ params }))).status, 404);
  assert.equal((await refusal(first.deletePolicyGroup({ params }))).status, 404);
  assert.deepEqual(
    await server.db.query('select from policy_guard.policy_group_history where group_uuid = $1', [
      group_uuid,
    ]),
    [],
  );
});

test('the built-in group can be read and copied, but never changed', async () => {
  const params = { group_uuid: builtIn };
  const group = await first.getPolicyGroup({ params });
  assert.equal(group.name, 'Default Policies');
  assert.equal(group.is_template, true);
  assert.equal(group.owner_id, null);
  assert.equal(group.threshold, 0.5);
  assert.equal(group.strictness_level, 'medium');
  assert.deepEqual(
    group.policies.map(({ _id, name }) => [_id, name]),
    [
      ['general-harmful-content', 'General harmful content'],
      ['hate-bias-discrimination', 'Hate, bias and discriminatory content'],
      ['jailbreak-attempt', 'Jailbreak attempt'],
      ['prompt-injection', 'Prompt injection and instruction override'],
      ['violence-abuse', 'Violence and abuse'],
      ['profanity-offensive-language', 'Profanity and offensive language'],
      ['sexual-suggestive', 'Sexual and suggestive content'],
      ['unethical-illegal', 'Unethical and illegal behavior'],
      ['suicide-self-harm', 'Suicide and self-harm'],
    ],
  );
  const policy = { ...params, policy_id: 'jailbreak-attempt' };
  for (const call of [
    () => first.replacePolicyGroup({ params, body: { name: 'Mine' } }),
    () => first.deletePolicyGroup({ params }),
    () => first.addPolicy({ params, body: { name: 'New' } }),
    () => first.changePolicy({ params: policy, body: { enabled: false } }),
    () => first.removePolicy({ params: policy }),
  ])
    assert.equal((await refusal(call())).status, 403);

  const copy = await first.copyPolicyGroup({ params });
  assert.equal(copy.name, 'Default Policies_copy');
  assert.equal(copy.is_template, false);
  assert.equal(copy.owner_id, 'user-first');
  assert.equal(copy.policies.length, 9);
  assert.ok(copy.policies.every(({ _id }) => uuid7.test(_id)));
  const changed = await first.changePolicy({
    params: { group_uuid: copy.group_uuid, policy_id: copy.policies[2]!._id },
    body: { enabled: false },
  });
  assert.equal(changed.enabled, false);
});

test('a copy is named after its original, within the length limit of names', async () => {
  const name = `${'x'.repeat(249)}\u{1F600}${'y'.repeat(4)}`;
  const { group_uuid } = await first.createPolicyGroup({ body: { name, policies: [{ name: 'p' }] } });
  const params = { group_uuid };
  assert.equal((await first.copyPolicyGroup({ params })).name, `${'x'.repeat(249)}_copy`);
  assert.equal((await first.copyPolicyGroup({ params, query: { name: 'Named' } })).name, 'Named');
  assert.equal(
    (await refusal(first.copyPolicyGroup({ params, query: { name: 'n'.repeat(256) } }))).status,
    422,
  );
  assert.equal((await refusal(colleague.copyPolicyGroup({ params }))).status, 404);
});
