/** What the other tests do not look at of the contract, through HTTP. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestService } from './fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens, judge } = service;
const as = tokens.admin;
const sets = '/api/v1/policies/sets';
const policies = '/api/v1/policies/policy';

const rules = { no_deletions: { description: 'Never delete files.', severity: 'High' } };
const policyOf = async (who: string): Promise<string> =>
  (await call('POST', policies, { as: who, body: { name: 'Rules', rules } })).body.policy_id;
const setOf = async (who: string, policy_ids: string[] = []): Promise<string> =>
  (await call('POST', sets, { as: who, body: { name: 'Set', policy_ids } })).body.policy_id;

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const keysOf = (value: object) => Object.keys(value).toSorted();

test('what belongs to another tenant is not found, wherever its id may stand', async () => {
  const theirs = { set: await setOf(tokens.stranger), policy: await policyOf(tokens.stranger) };
  const own = await setOf(as);
  const asked: [method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object][] = [
    ['GET', `${sets}/${theirs.set}`],
    ['PUT', `${sets}/${theirs.set}`, { name: 'x' }],
    ['DELETE', `${sets}/${theirs.set}`],
    ['POST', `${sets}/${theirs.set}/policies`, { policy_ids: [] }],
    ['DELETE', `${sets}/${theirs.set}/policies/${theirs.policy}`],
    ['POST', sets, { name: 'x', policy_ids: [theirs.policy] }],
    ['PUT', `${sets}/${own}`, { policies: { [theirs.policy]: { enabled: false } } }],
    ['POST', `${sets}/${own}/policies`, { policy_ids: [theirs.policy] }],
    ['DELETE', `${sets}/${own}/policies/${theirs.policy}`],
    ['GET', `${policies}/${theirs.policy}`],
    ['PUT', `${policies}/${theirs.policy}`, { name: 'x' }],
    ['DELETE', `${policies}/${theirs.policy}`],
  ];
  for (const [method, path, body] of asked) {
    const { status, body: answer } = await call(method, path, { as, body });
    assert.equal(status, 404, `${method} ${path}`);
    assert.equal(typeof answer.detail, 'string');
  }
  assert.equal((await judge({ policyId: theirs.set })).status, 404);
  assert.equal((await call('GET', `${sets}/${theirs.set}`, { as: tokens.stranger })).status, 200);
  assert.equal((await call('GET', `${policies}/${theirs.policy}`, { as: tokens.stranger })).status, 200);
});

test('answers have the fields of the document, each of its type', async () => {
  const policyId = await policyOf(as);
  const setId = await setOf(as, [policyId]);
  const { body } = await judge({ policyId: setId, tool: 'delete_file', params: { path: 'a.txt' } });
  assert.deepEqual(keysOf(body.blocking_metadata), [
    'blocking_level',
    'blocking_mode',
    'blocking_threshold',
    'engine',
    'highest_violation_severity',
    'violated_share',
  ]);
  const me = (await call('GET', '/auth/me', { as })).body;
  assert.deepEqual([body.user_id, body.session_id, body.service_status], [me.id, 'session-1', 'ok']);
  assert.match(body.timestamp, time);
  for (const list of ['violations', 'warnings', 'violations_detail', 'warnings_detail', 'active_policies'])
    assert.ok(Array.isArray(body[list]), list);
  for (const text of ['explanation', 'observation', 'action', 'threat_category'])
    assert.ok(typeof body[text] === 'string' && body[text] !== '', text);
  const { body: listed } = await call('GET', sets, { as });
  const [first] = listed.policy_sets;
  assert.deepEqual([first.id, first.name, first.policy_count], [setId, 'Set', 1]);
  assert.match(first.id, /^agp_[\w-]{24}$/);
  assert.match(first.created_at, time);
  const { body: whole } = await call('GET', `${sets}/${setId}`, { as });
  const { id, name, description, category, rules: held } = whole.policies[0];
  assert.deepEqual([id, name, description, category], [policyId, 'Rules', '', 'User Rules']);
  assert.match(id, /^pol_[\w-]{24}$/);
  assert.match(held.no_deletions.id, /^rul_[\w-]{24}$/);
  const { body: logged } = await call('GET', '/api/v1/logs', { as });
  assert.deepEqual(keysOf(logged.stats), [
    'active_sessions_last_hour',
    'approval_rate',
    'evaluations_last_day',
    'evaluations_last_hour',
    'threat_categories',
    'total_allowed',
    'total_evaluations',
    // Beyond the document.
    'total_held',
    'total_violations',
    'unique_sessions',
    'violation_categories',
    'violations_last_day',
    'violations_last_hour',
  ]);
  const made = await call('POST', sets, { as, body: { name: 'x' } });
  assert.deepEqual(keysOf(made.body), ['message', 'name', 'policy_count', 'policy_id', 'success']);
  const attached = await call('POST', `${sets}/${made.body.policy_id}/policies`, {
    as,
    body: { policy_ids: [policyId] },
  });
  assert.deepEqual(keysOf(attached.body), ['added_policy_ids', 'message', 'success']);
});

test('limits and presets of the document are in the OpenAPI document', async () => {
  const { body } = await call('GET', '/openapi.json');
  const parameters = body.paths['/api/v1/logs'].get.parameters as {
    name: string;
    schema: Record<string, unknown>;
  }[];
  const presetOf = (name: string) => parameters.find((each) => each.name === name)?.schema['default'];
  assert.deepEqual([presetOf('limit'), presetOf('offset'), presetOf('stats_only')], [100, 0, 'false']);
  for (const name of ['start_date', 'end_date', 'session_id', 'gateway_ids', 'user_id'])
    assert.ok(
      parameters.some((each) => each.name === name),
      name,
    );
  assert.equal(parameters.find(({ name }) => name === 'start_date')?.schema['type'], 'string');
});

test('a time of the log may be a day, or have no offset', async () => {
  const setId = await setOf(as);
  await judge({ policyId: setId, sessionId: 'dated' });
  const total = async (query: Record<string, string>) => {
    const { status, body } = await call(
      'GET',
      `/api/v1/logs?${new URLSearchParams({ session_id: 'dated', ...query }).toString()}`,
      { as },
    );
    return status === 200 ? body.total : status;
  };
  // The day of the entry, which may no longer be today.
  const { body: dated } = await call('GET', '/api/v1/logs?session_id=dated', { as });
  const today = dated.logs[0].timestamp.slice(0, 10);
  assert.equal(await total({ start_date: today, end_date: today }), 1);
  assert.equal(await total({ start_date: `${today}T00:00:00`, end_date: '2100-01-01' }), 1);
  assert.equal(await total({ start_date: '2100-01-01T00:00' }), 0);
  assert.equal(await total({ end_date: '2020-01-01T10:00:00.123456' }), 0);
  assert.equal(await total({ start_date: '2020-01-01T00:00:00+02:00' }), 1);
  assert.equal((await call('GET', '/api/v1/logs?start_date=2020-01-01T00:00:00+02:00', { as })).status, 200);
  for (const wrong of ['2026-13-01', '2026-01-32T00:00:00', 'today', '20260101'])
    assert.equal(await total({ start_date: wrong }), 422, wrong);
});

test('any name of a role and of a user is taken, and none that nobody would see', async () => {
  const roles = (user_roles: object) => call('POST', sets, { as, body: { name: 'Roles', user_roles } });
  assert.equal((await roles({ 'night shift': ['nobody yet'], manager: ['admin'] })).status, 200);
  for (const [user_roles, field] of [
    [{ ' ': ['admin'] }, /'user_roles\. ' has a name that must not be blank/],
    [{ manager: [' '] }, /'user_roles\.manager\[0\]' must not be blank/],
  ] as const) {
    const { status, body } = await roles(user_roles);
    assert.equal(status, 422);
    assert.match(body.detail, field);
  }
  const asked = (named: string[]) =>
    call('POST', '/api/v1/guard_actions', {
      as,
      body: {
        session_history: {
          session_info: { user: { id: 'mara', roles: named } },
          trace: [{ role: 'agent', metadata: { tool_name: 'read_file' } }],
        },
        session_id: 'roles',
        policy_id: 'agp_default',
      },
    });
  assert.equal((await asked(['of nobody'])).status, 200);
  const blank = await asked(['nurse', ' ']);
  assert.equal(blank.status, 422);
  assert.match(blank.body.detail, /'session_history\.session_info\.user\.roles\[1\]' must not be blank/);
});
