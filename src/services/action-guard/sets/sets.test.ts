import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens } = service;
const as = tokens.admin;
const path = '/api/v1/policies/sets';

const policy = async (name: string, who = as): Promise<string> => {
  const rules = { no_deletions: { description: 'Never delete files.', severity: 'High' } };
  return (await call('POST', '/api/v1/policies/policy', { as: who, body: { name, rules } })).body.policy_id;
};
const set = async (body: object, who = as): Promise<string> => {
  const answer = await call('POST', path, { as: who, body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.policy_id;
};
const get = async (id: string, who = as) => (await call('GET', `${path}/${id}`, { as: who })).body;
const members = (detail: { policies: { id: string; enabled: boolean }[] }) =>
  detail.policies.map(({ id, enabled }) => [id, enabled]);

test('a set is made with policies and presets, and shows them whole', async () => {
  const own = await policy('Own');
  const { status, body } = await call('POST', path, {
    as,
    body: { name: 'Support', policy_ids: [own, 'pol_preset_hipaa', own] },
  });
  assert.equal(status, 200);
  assert.deepEqual(Object.keys(body).sort(), ['message', 'name', 'policy_count', 'policy_id', 'success']);
  assert.match(body.policy_id, /^agp_[\w-]{24}$/);
  assert.deepEqual([body.success, body.name, body.policy_count], [true, 'Support', 2]);
  const detail = await get(body.policy_id);
  assert.deepEqual(members(detail), [
    [own, true],
    ['pol_preset_hipaa', true],
  ]);
  assert.equal(detail.policies[0].rules.no_deletions.description, 'Never delete files.');
  assert.deepEqual(detail.blocking_config, {
    blocking_mode: null,
    blocking_level: null,
    blocking_threshold: null,
  });
  assert.equal((await get(await set({ name: 'Empty', policy_ids: null }))).policy_count, 0);
});

test('PUT renames, enables and disables, and sets who is told and what blocks', async () => {
  const [one, two] = [await policy('One'), await policy('Two')];
  const id = await set({ name: 'Before', policy_ids: [one, two] });
  const put = (body: object, who = as) => call('PUT', `${path}/${id}`, { as: who, body });
  const disabled = await put({ name: 'After', policies: { [one]: { enabled: false } } });
  assert.equal(disabled.status, 200);
  assert.deepEqual([disabled.body.success, disabled.body.name], [true, 'After']);
  assert.deepEqual(members(await get(id)), [
    [one, false],
    [two, true],
  ]);
  assert.equal((await get(id)).policy_count, 2);
  const told = await put({
    notify_emails: ['security@example.com'],
    blocking_config: { blocking_mode: 'rule_threshold', blocking_threshold: 0.25 },
  });
  assert.deepEqual(told.body.notify_emails, ['security@example.com']);
  const back = await put({ blocking_config: { blocking_mode: null, blocking_level: 'High' } });
  assert.deepEqual(back.body.blocking_config, {
    blocking_mode: null,
    blocking_level: 'High',
    blocking_threshold: 0.25,
  });
  assert.deepEqual((await get(id)).name, 'After');
  const stray = await policy('Stray');
  for (const [body, status] of [
    [{ policies: { [stray]: { enabled: true } } }, 404],
    [{ policies: { [one]: {} } }, 400],
    [{ policies: { [one]: { enabled: 'yes' } } }, 422],
    [{ notify_emails: ['nobody'] }, 422],
    [{ blocking_config: { blocking_mode: 'lenient' } }, 422],
    [{ blocking_config: { blocking_threshold: 1.5 } }, 422],
    [{ name: '' }, 422],
  ] as const)
    assert.equal((await put(body)).status, status, JSON.stringify(body));
});

test('policies are attached once, and detached', async () => {
  const [one, two] = [await policy('One'), await policy('Two')];
  const id = await set({ name: 'Set', policy_ids: [one] });
  const attach = (policy_ids: unknown, who = as) =>
    call('POST', `${path}/${id}/policies`, { as: who, body: { policy_ids } });
  const { status, body } = await attach([one, two, 'pol_preset_gdpr']);
  assert.equal(status, 200);
  assert.deepEqual(body.added_policy_ids, [two, 'pol_preset_gdpr']);
  assert.deepEqual([body.success, typeof body.message], [true, 'string']);
  assert.deepEqual(
    (await get(id)).policies.map((each: { id: string }) => each.id),
    [one, two, 'pol_preset_gdpr'],
  );
  assert.equal((await attach(['pol_none'])).status, 404);
  assert.equal((await attach([await policy('Theirs', tokens.stranger)])).status, 404);
  assert.equal((await attach(undefined)).status, 400);
  assert.equal((await attach(Array.from({ length: 101 }, () => one))).status, 422);
  assert.equal((await call('DELETE', `${path}/${id}/policies/${one}`, { as })).status, 200);
  assert.equal((await call('DELETE', `${path}/${id}/policies/${one}`, { as })).status, 404);
  assert.equal((await get(id)).policy_count, 2);
  // A policy of another user cannot be attached by a member, by an administrator it can.
  const members_ = await policy('Of the member', tokens.member);
  assert.equal((await attach([members_])).status, 200);
  const ofMember = await set({ name: 'Of the member' }, tokens.member);
  const stolen = await call('POST', `${path}/${ofMember}/policies`, {
    as: tokens.member,
    body: { policy_ids: [one] },
  });
  assert.equal(stolen.status, 404);
});

test('deleting a set deletes its policies, also those that another set holds, but no presets', async () => {
  const [alone, shared] = [await policy('Alone'), await policy('Shared')];
  const id = await set({ name: 'Goes', policy_ids: [alone, shared, 'pol_preset_soc_2'] });
  const stays = await set({ name: 'Stays', policy_ids: [shared] });
  const { status, body } = await call('DELETE', `${path}/${id}`, { as });
  assert.equal(status, 200);
  assert.deepEqual([body.success, body.policy_id, body.deleted_policy_ids], [true, id, [alone, shared]]);
  const exists = async (policyId: string) =>
    (await call('GET', `/api/v1/policies/policy/${policyId}`, { as })).status === 200;
  assert.deepEqual(
    [await exists(alone), await exists(shared), await exists('pol_preset_soc_2')],
    [false, false, true],
  );
  assert.equal((await call('GET', `${path}/${id}`, { as })).status, 404);
  assert.equal((await call('DELETE', `${path}/${id}`, { as })).status, 404);
  const { body: list } = await call('GET', path, { as });
  assert.ok(!list.policy_sets.some((each: { id: string }) => each.id === id));
  // A policy that is deleted leaves its sets.
  assert.deepEqual([(await get(stays)).policy_count, (await get(stays)).policies], [0, []]);
});

test('the list: own ones newest first, then the built-in set, in pages', async () => {
  const first = await set({ name: 'First', policy_ids: ['pol_preset_hipaa'] }, tokens.stranger);
  const second = await set({ name: 'Second' }, tokens.stranger);
  const list = async (query: string) => (await call('GET', path + query, { as: tokens.stranger })).body;
  const { policy_sets: sets, total } = await list('');
  assert.deepEqual(
    sets.map((each: { id: string }) => each.id),
    [second, first, 'agp_default'],
  );
  assert.equal(total, 3);
  assert.deepEqual(
    sets.map((each: { policy_count: number }) => each.policy_count),
    [0, 1, 11],
  );
  assert.deepEqual(Object.keys(sets[0]).sort(), [
    'created_at',
    'created_by',
    'created_by_name',
    'id',
    'name',
    'policy_count',
    'updated_at',

    'visibility',
  ]);
  const ids = [];
  for (let offset = 0; offset < 4; offset += 1)
    ids.push(...(await list(`?limit=1&offset=${offset}`)).policy_sets.map((each: { id: string }) => each.id));
  assert.deepEqual(ids, [second, first, 'agp_default']);
});

test('another user’s and another tenant’s set is not found; the built-in one cannot be changed', async () => {
  const id = await set({ name: 'Mine', policy_ids: [] });
  const own = await policy('P');
  const routes = (setId: string) =>
    [
      ['PUT', `${path}/${setId}`, { name: 'x' }],
      ['POST', `${path}/${setId}/policies`, { policy_ids: [] }],
      ['DELETE', `${path}/${setId}/policies/${own}`],
      ['DELETE', `${path}/${setId}`],
    ] as const;
  for (const who of [tokens.member, tokens.stranger]) {
    assert.equal((await call('GET', `${path}/${id}`, { as: who })).status, 404);
    for (const [method, url, body] of routes(id))
      assert.equal((await call(method, url, { as: who, body })).status, 404, `${method} ${url}`);
  }
  for (const [method, url, body] of routes('agp_default'))
    assert.equal((await call(method, url, { as, body })).status, 403, `${method} ${url}`);
  for (const who of [tokens.member, tokens.stranger])
    assert.equal((await get('agp_default', who)).policies.length, 11);
  assert.equal((await call('POST', path, { as, body: {} })).status, 400);
  assert.equal((await call('POST', path, { as, body: { name: 'x', policy_ids: ['pol_x'] } })).status, 404);
});

test('own domains tell what lies outside, and are the set’s to say', async () => {
  const rules = { inside: { description: 'Do not send emails to external recipients.', severity: 'High' } };
  const { body: made } = await call('POST', '/api/v1/policies/policy', { as, body: { name: 'Mail', rules } });
  const id = await set({ name: 'Mail', policy_ids: [made.policy_id], own_domains: ['ACME.example'] });
  assert.deepEqual((await get(id)).own_domains, ['acme.example']);
  const allowed = async (to: string) => {
    const trace = [
      { role: 'user', content: 'Write to Bob.' },
      { role: 'agent', metadata: { tool_name: 'send_email', tool_params: { to } } },
    ];
    const body = { session_history: { trace }, session_id: 's', policy_id: id };
    return (await call('POST', '/api/v1/guard_actions', { as, body })).body.allowed;
  };
  assert.deepEqual(
    [
      await allowed('bob@acme.example'),
      await allowed('bob@mail.acme.example'),
      await allowed('bob@b.example'),
    ],
    [true, true, false],
  );
  const put = (own_domains: unknown) => call('PUT', `${path}/${id}`, { as, body: { own_domains } });
  assert.deepEqual((await put(['b.example'])).body.own_domains, ['b.example']);
  assert.deepEqual([await allowed('bob@acme.example'), await allowed('bob@b.example')], [false, true]);
  assert.deepEqual((await call('PUT', `${path}/${id}`, { as, body: { name: 'M' } })).body.own_domains, [
    'b.example',
  ]);
  assert.deepEqual((await put(['MÜNCHEN.example'])).body.own_domains, ['münchen.example']);
  assert.deepEqual(
    [await allowed('bob@xn--mnchen-3ya.example'), await allowed('bob@nchen.example')],
    [true, false],
  );
  for (const wrong of [['acme'], ['https://acme.example'], ['a b.example'], 'acme.example'])
    assert.equal((await put(wrong)).status, 422, JSON.stringify(wrong));
});

test('a set that another one took the policies from no longer judges by them', async () => {
  const shared = await policy('Shared');
  const [goes, stays] = [
    await set({ name: 'Goes', policy_ids: [shared] }),
    await set({ name: 'Stays', policy_ids: [shared] }),
  ];
  const allowed = async () => {
    const trace = [{ role: 'agent', metadata: { tool_name: 'delete_file', tool_params: { path: 'a' } } }];
    const body = { session_history: { trace }, session_id: 's', policy_id: stays };
    return (await call('POST', '/api/v1/guard_actions', { as, body })).body.allowed;
  };
  assert.equal(await allowed(), false);
  await call('DELETE', `${path}/${goes}`, { as });
  assert.equal(await allowed(), true);
});
