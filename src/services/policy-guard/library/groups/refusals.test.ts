import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { builtIn, refusal, startServer } from './fixtures/server.ts';

const server = await startServer();
after(() => server[Symbol.asyncDispose]());
const { first, send } = server;

const { group_uuid, policies } = await first.createPolicyGroup({
  body: { name: 'Mine', policies: [{ name: 'p' }] },
});
const policyId = policies[0]!._id;

/** Every route with a group id, and a body that it accepts. */
const routes = (group: string, policy = policyId): [method: string, path: string, body?: string][] => [
  ['GET', `/api/policy_groups/${group}`],
  ['PUT', `/api/policy_groups/${group}`, '{"name": "x"}'],
  ['DELETE', `/api/policy_groups/${group}`],
  ['GET', `/api/policy_groups/${group}/history`],
  ['POST', `/api/policy_groups/${group}/copy`],
  ['POST', `/api/policy_groups/${group}/policies`, '{"name": "x"}'],
  ['PUT', `/api/policy_groups/${group}/policies/${policy}`, '{"name": "x"}'],
  ['DELETE', `/api/policy_groups/${group}/policies/${policy}`],
  ['POST', `/api/templates/${group}/copy`],
];

test('groups of other users and tenants are 404 on every route', async () => {
  for (const who of ['colleague', 'stranger'] as const)
    for (const [method, path, body] of routes(group_uuid))
      assert.equal((await send(method, path, body, who)).status, 404, `${who} ${method} ${path}`);
  const shared = await first.createPolicyGroup({
    body: { name: 'Shared', is_template: true, policies: [{ name: 'p' }] },
  });
  const all = routes(shared.group_uuid, shared.policies[0]!._id);
  for (const [method, path, body] of all)
    assert.equal((await send(method, path, body, 'stranger')).status, 404, `${method} ${path}`);
  const statuses: number[] = [];
  for (const [method, path, body] of all) statuses.push((await send(method, path, body, 'colleague')).status);
  assert.deepEqual(statuses, [200, 403, 403, 403, 201, 403, 403, 403, 201]);
  assert.deepEqual(await first.getPolicyGroup({ params: { group_uuid: shared.group_uuid } }), shared);
});

test('an unknown id in any form is 404', async () => {
  const other = await first.createPolicyGroup({ body: { name: 'Other' } });
  assert.equal(
    (await send('DELETE', `/api/policy_groups/${other.group_uuid}/policies/${policyId}`)).status,
    404,
  );
  for (const id of [
    '00000000-0000-4000-8000-000000000008',
    'not-a-uuid',
    "'%20or%201=1",
    '%00',
    '%F0%9F%98%80',
    `${group_uuid}x`,
  ])
    for (const [method, path, body] of routes(id))
      assert.equal((await send(method, path, body)).status, 404, `${method} ${path}`);
  // One's own group that is not shared is not a template.
  assert.equal((await send('POST', `/api/templates/${group_uuid}/copy`)).status, 404);
});

test('without a credential every route is refused', async () => {
  for (const [method, path, body] of [
    ...routes(builtIn),
    ['GET', '/api/policy_groups'],
    ['GET', '/api/templates'],
  ] as [string, string, string?][])
    assert.equal((await send(method, path, body, 'nobody' as never)).status, 401);
});

const longText = (characters: number) => 'x'.repeat(characters);
const manyPolicies = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `p${i}` }));

const bodies: [body: unknown, status: number, detail: RegExp][] = [
  [{}, 400, /'name' is required/],
  [{ name: 'x', policies: [{}] }, 400, /'policies\[0\]\.name' is required/],
  [[], 422, /body must be an object/],
  ['text', 422, /body must be an object/],
  [{ name: 5 }, 422, /'name'/],
  [{ name: null }, 422, /'name'/],
  [{ name: '' }, 422, /'name' must have at least 1/],
  [{ name: ' \n ' }, 422, /'name' must not be blank/],
  [{ name: longText(256) }, 422, /'name' must have at most 255/],
  [{ name: 'nul \u0000' }, 422, /'name'.*NUL/],
  [{ name: 'half \ud800' }, 422, /'name'.*surrogates/],
  [{ name: 'x', description: longText(10_001) }, 422, /'description' must have at most 10000/],
  [{ name: 'x', description: '\u0000' }, 422, /'description'/],
  [{ name: 'x', threshold: -0.01 }, 422, /'threshold' must be at least 0/],
  [{ name: 'x', threshold: 1.01 }, 422, /'threshold' must be at most 1/],
  [{ name: 'x', threshold: '0.5' }, 422, /'threshold' must be a number/],
  [{ name: 'x', strictness_level: 'High' }, 422, /'strictness_level' must be one of "low", "medium", "high"/],
  [{ name: 'x', is_template: 'yes' }, 422, /'is_template'/],
  [{ name: 'x', policies: {} }, 422, /'policies' must be an array/],
  [{ name: 'x', policies: manyPolicies(201) }, 422, /'policies' must have at most 200/],
  [{ name: 'x', policies: [{ name: '__proto__' }] }, 422, /__proto__/],
  [{ name: 'x', policies: [{ name: 'p', enabled: 1 }] }, 422, /'policies\[0\]\.enabled'/],
  [{ name: 'x', policies: [{ name: 'p', description: longText(10_001) }] }, 422, /description/],
  [{ name: 'x', policies: [{ name: 'p', block_activities: Array(101).fill('a') }] }, 422, /block_activities/],
  [{ name: 'x', policies: [{ name: 'p', safe_activities: [longText(1001)] }] }, 422, /safe_activities\[0\]/],
  [{ name: 'x', policies: [{ name: 'p', safe_activities: ['a', ''] }] }, 422, /safe_activities\[1\]/],
  [{ name: 'x', policies: [{ name: 'p', block_activities: ['\udfff'] }] }, 422, /block_activities\[0\]/],
  [{ name: 'x', policies: [{ name: 'p', block_activities: 'a' }] }, 422, /block_activities/],
];

test('invalid bodies are refused with the name of the field, and nothing is written', async () => {
  const before = await first.listPolicyGroups();
  for (const [body, status, detail] of bodies) {
    const answer = await send('POST', '/api/policy_groups', JSON.stringify(body));
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    assert.match(String(answer.body['detail']), detail);
  }
  for (const broken of ['{', '', '{"name": "x",}', '{"name": "x", "__proto__": {"a": 1}}'])
    assert.equal((await send('POST', '/api/policy_groups', broken)).status, 400);
  assert.equal((await first.listPolicyGroups()).total, before.total);
});

test('the same limits apply when a group or a policy is changed', async () => {
  const group = `/api/policy_groups/${group_uuid}`;
  for (const [body, , detail] of bodies.slice(4)) {
    const { status, body: answer } = await send('PUT', group, JSON.stringify(body));
    assert.equal(status, 422);
    assert.match(String(answer['detail']), detail);
  }
  const wrong = [
    { name: '' },
    { description: 1 },
    { enabled: 'no' },
    { block_activities: [1] },
    { name: 'a\u0000' },
  ];
  for (const body of wrong) {
    const text = JSON.stringify(body);
    assert.equal((await send('PUT', `${group}/policies/${policyId}`, text)).status, 422);
    assert.equal(
      (await send('POST', `${group}/policies`, JSON.stringify({ name: 'q', ...body }))).status,
      422,
    );
  }
  assert.equal((await send('POST', `${group}/policies`, '{}')).status, 400);
  assert.equal((await first.getPolicyGroup({ params: { group_uuid } })).version, 1);
});

test('unknown fields are ignored, and the detector is never read from a body', async () => {
  const body = JSON.stringify({
    name: 'Extra',
    group_uuid: builtIn,
    owner_id: 'user-colleague',
    version: 99,
    policies: [{ _id: 'jailbreak-attempt', name: 'p', detector: 'jailbreak-attempt', extra: true }],
  });
  const { status, body: group } = await send('POST', '/api/policy_groups', body);
  assert.equal(status, 201);
  assert.equal(group['owner_id'], 'user-first');
  assert.equal(group['version'], 1);
  const [judged] = await server.feature.judgedGroups('tenant-one', [String(group['group_uuid'])]);
  assert.equal(judged!.policies[0]!.compiled.detector, undefined);
});

test('limits apply also when a group reaches them in several steps', async () => {
  const full = await first.createPolicyGroup({ body: { name: 'Full', policies: manyPolicies(200) } });
  const params = { group_uuid: full.group_uuid };
  const refused = await refusal(first.addPolicy({ params, body: { name: 'one more' } }));
  assert.equal(refused.status, 409);
  assert.match(refused.detail, /200 policies/);

  const activities = Array<string>(100).fill(longText(1000));
  const large = { block_activities: activities, safe_activities: activities };
  const two = [1, 2].map((i) => ({ name: `p${i}`, ...large }));
  const group = await first.createPolicyGroup({ body: { name: 'Large', policies: two } });
  const refusedText = await refusal(
    first.addPolicy({ params: { group_uuid: group.group_uuid }, body: { name: 'third', ...large } }),
  );
  assert.equal(refusedText.status, 422);
  assert.match(refusedText.detail, /500000/);
  await first.deletePolicyGroup({ params: { group_uuid: group.group_uuid } });
});

test('methods that a path does not support are refused', async () => {
  assert.equal((await send('PATCH', `/api/policy_groups/${group_uuid}`, '{}')).status, 405);
  assert.equal((await send('DELETE', '/api/templates')).status, 405);
});
