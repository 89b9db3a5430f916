import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { builtInGroup, openTestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens, keys } = service;

const create = (body: object, as = tokens.admin) => call('POST', '/api/guards', { as, body });
const get = (guardUuid: string, as = tokens.admin) => call('GET', `/api/guards/${guardUuid}`, { as });
const put = (guardUuid: string, body: object, as = tokens.admin) =>
  call('PUT', `/api/guards/${guardUuid}`, { as, body });
const remove = (guardUuid: string, as = tokens.admin) => call('DELETE', `/api/guards/${guardUuid}`, { as });
const judge = (guardUuid: string, text: string, key = keys.admin) =>
  call('POST', '/api/topic_guard', { key, body: { text, guard_uuid: guardUuid } });
const createGroup = async (body: object, as = tokens.admin) =>
  (await call('POST', '/api/policy_groups', { as, body })).body.group_uuid as string;

const unused = {
  requests_total: 0,
  flagged_total: 0,
  flag_rate: 0,
  observed_flag_total: 0,
  allowed_total: 0,
  latency_ms_avg: null,
  latency_ms_p95: null,
  cache_hit_rate: 0,
  last_called_at: null,
};

test('a guard has the documented fields and defaults', async () => {
  const { status, body } = await create({ name: 'Bare' });
  assert.equal(status, 201);
  const { guard_uuid, owner_id, created_at, updated_at, ...rest } = body;
  assert.match(guard_uuid, /^gd_[\w-]{24}$/);
  assert.equal(typeof owner_id, 'string');
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  assert.equal(updated_at, created_at);
  assert.deepEqual(rest, {
    name: 'Bare',
    description: null,
    policy_group_uuids: [],
    policy_group_names: {},
    policy_group_overrides: {},
    enabled: true,
    settings: {
      max_text_length: null,
      cache_enabled: null,
      log_requests: null,
      overflow: 'truncate',
      mode: 'enforce',
      log_text: 'full',
      engine: null,
      fail_mode: null,
      redact: null,
    },
    owner_name: 'admin',
    visibility: 'private',
    version: 1,
    metrics: unused,
  });
  assert.deepEqual((await get(guard_uuid)).body, body);
});

test('PUT changes only the fields sent, also inside settings', async () => {
  const { body: before } = await create({
    name: "Robert'); drop table guards; --",
    description: 'Front',
    policy_group_uuids: [builtInGroup, builtInGroup],
    policy_group_overrides: { [builtInGroup]: { threshold: 0.25, strictness_level: 'high' } },
    settings: { max_text_length: 100, overflow: 'throw' },
  });
  assert.deepEqual(before.policy_group_uuids, [builtInGroup]);
  const settled = await put(before.guard_uuid, { settings: { cache_enabled: false }, unknown: 1 });
  assert.equal(settled.status, 200);
  assert.deepEqual(
    { ...settled.body, version: 1, updated_at: before.updated_at },
    { ...before, settings: { ...before.settings, cache_enabled: false } },
  );
  assert.equal(settled.body.version, 2);

  const cleared = await put(before.guard_uuid, {
    description: null,
    settings: { max_text_length: null },
    policy_group_overrides: { [builtInGroup]: { threshold: null } },
  });
  assert.equal(cleared.body.description, null);
  assert.equal(cleared.body.settings.max_text_length, null);
  assert.deepEqual(cleared.body.policy_group_overrides, { [builtInGroup]: {} });

  const detached = await put(before.guard_uuid, { policy_group_uuids: [] });
  assert.deepEqual(detached.body.policy_group_overrides, {});
  const whole = await put(before.guard_uuid, before);
  assert.deepEqual(
    { ...whole.body, version: 1, updated_at: 0 },
    { ...before, updated_at: 0 },
    'a response can be sent back unchanged',
  );
});

test('concurrent changes of different settings all take effect', async () => {
  const { body } = await create({ name: 'Busy' });
  const settings = [{ max_text_length: 7 }, { cache_enabled: true }, { log_requests: true }];
  const answers = await Promise.all(settings.map((each) => put(body.guard_uuid, { settings: each })));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  );
  const { body: now } = await get(body.guard_uuid);
  assert.equal(now.version, 4);
  assert.deepEqual(now.settings, {
    max_text_length: 7,
    cache_enabled: true,
    log_requests: true,
    overflow: 'truncate',
    mode: 'enforce',
    log_text: 'full',
    engine: null,
    fail_mode: null,
    redact: null,
  });
});

test('invalid values are refused with the name of their field', async () => {
  const { body: guard } = await create({ name: 'Strict' });
  const wrong: [object, number, RegExp][] = [
    [{}, 400, /'name' is required/],
    [{ name: '' }, 422, /'name'/],
    [{ name: 'x'.repeat(256) }, 422, /'name' must have at most 255/],
    [{ name: 'a\u0000b' }, 422, /'name'/],
    [{ name: '\ud800' }, 422, /'name'/],
    [{ name: 7 }, 422, /'name'/],
    [{ name: 'x', enabled: 'yes' }, 422, /'enabled'/],
    [{ name: 'x', policy_group_uuids: 'x' }, 422, /'policy_group_uuids'/],
    [{ name: 'x', settings: { max_text_length: 0 } }, 422, /'settings.max_text_length'/],
    [{ name: 'x', settings: { max_text_length: 1.5 } }, 422, /'settings.max_text_length'/],
    [{ name: 'x', settings: { overflow: 'explode' } }, 422, /'settings.overflow'/],
    [
      {
        name: 'x',
        policy_group_uuids: [builtInGroup],
        policy_group_overrides: { [builtInGroup]: { threshold: 2 } },
      },
      422,
      /threshold/,
    ],
    [{ name: 'x', policy_group_overrides: { [builtInGroup]: {} } }, 422, /'policy_group_overrides' names/],
    [{ name: 'x', policy_group_uuids: ['nope'] }, 404, /'policy_group_uuids' names the group nope/],
    [{ name: 'x', policy_group_uuids: ["'; drop table guards; --"] }, 404, /'policy_group_uuids'/],
  ];
  for (const [body, status, detail] of wrong) {
    const answers = [await create(body)];
    if ('name' in body) answers.push(await put(guard.guard_uuid, body));
    for (const answer of answers) {
      assert.equal(answer.status, status, JSON.stringify([body, answer.body]));
      assert.match(answer.body.detail, detail);
    }
  }
  assert.equal((await get(guard.guard_uuid)).body.version, 1);
});

test('only readable groups can be attached, and an attached group cannot be deleted', async () => {
  const own = await createGroup({ name: 'Own' });
  const foreign = await createGroup({ name: 'Foreign' }, tokens.stranger);
  assert.equal((await create({ name: 'x', policy_group_uuids: [foreign] })).status, 404);
  const ofMember = { as: tokens.member, body: { name: 'x', policy_group_uuids: [own] } };
  assert.equal((await call('POST', '/api/guards', ofMember)).status, 404);
  const { status, body } = await create({ name: 'Holder', policy_group_uuids: [own] });
  assert.equal(status, 201);
  const deleteGroup = () => call('DELETE', `/api/policy_groups/${own}`, { as: tokens.admin });
  assert.equal((await deleteGroup()).status, 409);
  await remove(body.guard_uuid);
  assert.equal((await deleteGroup()).status, 200);
});

test('when a group is attached and deleted at once, exactly one of the two succeeds', async () => {
  for (let i = 0; i < 8; i += 1) {
    const own = await createGroup({ name: 'Own' });
    const attach =
      i % 2 === 0
        ? () => create({ name: 'x', policy_group_uuids: [own] })
        : async () => put((await create({ name: 'x' })).body.guard_uuid, { policy_group_uuids: [own] });
    const [attached, deleted] = await Promise.all([
      attach(),
      call('DELETE', `/api/policy_groups/${own}`, { as: tokens.admin }),
    ]);
    const isAttached = attached.status < 300;
    assert.deepEqual([attached.status, deleted.status], isAttached ? [attached.status, 409] : [404, 200]);
  }
});

test('UUIDs are accepted in capital letters', async () => {
  const own = await createGroup({ name: 'Own', policies: [{ name: 'p' }] });
  const { status, body } = await create({
    name: 'Loud',
    policy_group_uuids: [own.toUpperCase(), own],
    policy_group_overrides: { [own.toUpperCase()]: { threshold: 0.125 } },
  });
  assert.equal(status, 201, JSON.stringify(body));
  assert.deepEqual(body.policy_group_uuids, [own]);
  assert.equal((await judge(body.guard_uuid, 'x')).body.results[0].threshold, 0.125);
});

test('the list contains only the caller’s guards, newest first, in pages', async () => {
  assert.deepEqual((await call('GET', '/api/guards', { as: tokens.member })).body, { guards: [], total: 0 });
  for (const name of ['one', 'two', 'three']) await create({ name }, tokens.member);
  const names = async (query: string) => {
    const { body } = await call('GET', `/api/guards${query}`, { as: tokens.member });
    return [body.total, ...body.guards.map((each: { name: string }) => each.name)];
  };
  assert.deepEqual(await names(''), [3, 'three', 'two', 'one']);
  assert.deepEqual(await names('?limit=1&offset=1'), [3, 'two']);
  assert.equal((await call('GET', '/api/guards?limit=0', { as: tokens.member })).status, 422);
});

test('other users’ guards are 404 on management routes; users of the tenant may query them, others may not', async () => {
  const { body: guard } = await create({ name: 'Mine', policy_group_uuids: [builtInGroup] });
  for (const as of [tokens.stranger, tokens.member]) {
    assert.equal((await get(guard.guard_uuid, as)).status, 404);
    assert.equal((await put(guard.guard_uuid, { name: 'Taken' }, as)).status, 404);
    assert.equal((await remove(guard.guard_uuid, as)).status, 404);
  }
  assert.equal((await get(guard.guard_uuid)).body.name, 'Mine');
  const ask = (as: string) =>
    call('POST', '/api/topic_guard', { as, body: { text: 'Hello', guard_uuid: guard.guard_uuid } });
  assert.equal((await ask(tokens.member)).status, 200);
  assert.equal((await ask(tokens.stranger)).status, 404);
  assert.equal((await judge(guard.guard_uuid, 'Hello', keys.stranger)).status, 404);
});

test('a change applies to the next call; a disabled or deleted guard judges nothing', async () => {
  const { body: guard } = await create({ name: 'First', policy_group_uuids: [builtInGroup] });
  assert.equal((await judge(guard.guard_uuid, 'Hello')).body.guard, 'First');
  await put(guard.guard_uuid, { name: 'Second' });
  assert.equal((await judge(guard.guard_uuid, 'Hello')).body.guard, 'Second');
  await put(guard.guard_uuid, { enabled: false });
  const refused = await judge(guard.guard_uuid, 'Hello');
  assert.equal(refused.status, 409);
  assert.match(refused.body.detail, /disabled/);
  await put(guard.guard_uuid, { enabled: true });
  assert.equal((await judge(guard.guard_uuid, 'Hello')).status, 200);
  assert.equal((await remove(guard.guard_uuid)).status, 200);
  assert.equal((await judge(guard.guard_uuid, 'Hello')).status, 404);
  assert.equal((await get(guard.guard_uuid)).status, 404);
});

test('a change in another process takes effect here', async () => {
  const other = await openTestService({ db: service.db });
  after(() => other[Symbol.asyncDispose]());
  const { body: guard } = await create({ name: 'Here', policy_group_uuids: [builtInGroup] });
  await judge(guard.guard_uuid, 'Hello');
  const path = `/api/guards/${guard.guard_uuid}`;
  // The other process signs tokens with its own key; both accept the API keys, but PUT requires a token.
  assert.equal(
    (await other.call('PUT', path, { as: other.tokens.admin, body: { name: 'There' } })).status,
    200,
  );
  const endMs = Date.now() + 20_000;
  let name = 'Here';
  while (name === 'Here' && Date.now() < endMs) name = (await judge(guard.guard_uuid, 'Hello')).body.guard;
  assert.equal(name, 'There');
});

test('metrics count judged requests, and no count is lost on shutdown', async () => {
  const { body: guard } = await create({
    name: 'Counted',
    policy_group_uuids: [builtInGroup],
    policy_group_overrides: { [builtInGroup]: { threshold: 0 } },
  });
  const before = Date.now();
  for (const text of ['a', 'b', 'a', 'a']) await judge(guard.guard_uuid, text);
  await put(guard.guard_uuid, { policy_group_overrides: { [builtInGroup]: { threshold: 1 } } });
  await judge(guard.guard_uuid, 'a');
  const metricsOf = async () => {
    const { body } = await call('GET', '/api/guards', { as: tokens.admin });
    return body.guards.find((each: { guard_uuid: string }) => each.guard_uuid === guard.guard_uuid).metrics;
  };
  const metrics = await metricsOf();
  assert.equal(metrics.requests_total, 5);
  assert.equal(metrics.flagged_total, 4);
  assert.equal(metrics.flag_rate, 0.8);
  assert.equal(metrics.cache_hit_rate, 0.4);
  assert.ok(metrics.latency_ms_avg > 0 && metrics.latency_ms_p95 >= metrics.latency_ms_avg / 2);
  assert.ok(Date.parse(metrics.last_called_at) >= before);

  const other = await openTestService({ db: service.db });
  const counted = await other.call('POST', '/api/topic_guard', {
    key: keys.admin,
    body: { text: 'c', guard_uuid: guard.guard_uuid },
  });
  assert.equal(counted.status, 200);
  await other[Symbol.asyncDispose]();
  assert.equal((await metricsOf()).requests_total, 6);
});
