import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startHttp } from '../../../../../test/fixtures/mcp-servers/start.ts';
import { openTestService } from '../../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens, key } = service;

const everything = {
  name: 'Everything',
  transport: 'stdio',
  command: process.execPath,
  args: [fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'))],
};

const make = async (as: string, body: object = {}) =>
  (await call('POST', '/api/gateways', { as, body: { name: 'Mine', ...body } })).body;

test('a gateway is created with defaults, changed field by field, listed and deleted', async () => {
  const { status, body } = await call('POST', '/api/gateways', { key, body: { name: 'First' } });
  assert.equal(status, 201);
  assert.match(body.id, /^gw_[\w-]{24}$/);
  assert.deepEqual(
    { ...body, id: 0, created_by: 0, created_at: 0, updated_at: 0 },
    {
      id: 0,
      name: 'First',
      created_by: 0,
      created_at: 0,
      updated_at: 0,
      created_by_name: 'admin',
      visibility: 'private',
      action_guard_policy_name: null,
      action_guard_policy_id: null,
      access_control: { default: 'allow', rules: [] },
      guard_mode: 'enforce',
      description_guard: 'warn',
      result_redaction: 'off',
      guard_failure: 'closed',
      output_guard: 'warn',
      rate_limit: null,
      scan_gate: { mode: 'off', level: 'high' },
      pin_tools: 'warn',
      principal_names: {},
      same_name_ids: [],
    },
  );
  const changes = { action_guard_policy_id: 'agp_default', rate_limit: { calls_per_minute: 5 } };
  const changed = await call('PATCH', `/api/gateways/${body.id}`, { as: tokens.admin, body: changes });
  assert.equal(changed.status, 200);
  assert.deepEqual(
    {
      ...body,
      ...changes,
      action_guard_policy_name: changed.body.action_guard_policy_name,
      updated_at: changed.body.updated_at,
    },
    changed.body,
  );
  assert.equal(changed.body.action_guard_policy_name, 'Default action policies');
  assert.deepEqual((await call('GET', `/api/gateways/${body.id}`, { key })).body, changed.body);
  const { body: list } = await call('GET', '/api/gateways', { key });
  assert.ok(list.items.some(({ id }: { id: string }) => id === body.id));
  assert.equal((await call('DELETE', `/api/gateways/${body.id}`, { key })).status, 200);
  assert.equal((await call('GET', `/api/gateways/${body.id}`, { key })).status, 404);
});

test('a policy set that is unknown or of another tenant is 404 on create and update', async () => {
  const policy = await service.policySet('Do not run shell commands');
  const { body } = await call('POST', '/api/gateways', { as: tokens.stranger, body: { name: 'Theirs' } });
  for (const action_guard_policy_id of ['agp_nobody', policy]) {
    const sent = { as: tokens.stranger, body: { name: 'X', action_guard_policy_id } };
    const made = await call('POST', '/api/gateways', sent);
    assert.equal(made.status, 404, JSON.stringify(made.body));
    assert.match(made.body.detail, /action_guard_policy_id/);
    assert.equal((await call('PATCH', `/api/gateways/${body.id}`, sent)).status, 404);
  }
  const unchanged = await call('GET', `/api/gateways/${body.id}`, { as: tokens.stranger });
  assert.deepEqual(unchanged.body, body);
});

test('invalid fields are named, and a missing name is 400', async () => {
  assert.equal((await call('POST', '/api/gateways', { key, body: {} })).status, 400);
  const wrong = [
    { output_guard: 'maybe' },
    { rate_limit: { calls_per_minute: 0 } },
    { access_control: { rules: [{ effect: 'perhaps' }] } },
    { name: '  ' },
  ];
  for (const fields of wrong) {
    const { status, body } = await call('POST', '/api/gateways', { key, body: { name: 'x', ...fields } });
    assert.equal(status, 422, JSON.stringify(fields));
    assert.match(body.detail, new RegExp(Object.keys(fields)[0]!));
  }
});

test('another tenant sees nothing; a member sees shared gateways, and can change, start and stop only their own', async () => {
  const { id } = await make(tokens.admin, { visibility: 'tenant' });
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { name: 'x' }],
    ['DELETE', '', undefined],
    ['POST', '/start', undefined],
    ['POST', '/stop', undefined],
    ['GET', '/status', undefined],
    ['GET', '/calls', undefined],
  ] as const) {
    const stranger = await call(method, `/api/gateways/${id}${path}`, { as: tokens.stranger, body });
    assert.equal(stranger.status, 404, `${method} ${path}`);
    const member = await call(method, `/api/gateways/${id}${path}`, { as: tokens.member, body });
    const reads = method === 'GET' && path !== '/calls';
    assert.equal(member.status, reads ? 200 : 403, `${method} ${path}`);
  }
  const own = await make(tokens.member);
  assert.equal((await call('POST', `/api/gateways/${own.id}/start`, { as: tokens.member })).status, 200);
  assert.equal((await call('POST', `/api/gateways/${own.id}/stop`, { as: tokens.admin })).status, 200);
});

test('a gateway goes from stopped to running and back; repeating a step is 409', async () => {
  const { id, name } = await make(tokens.admin);
  const start = () => call('POST', `/api/gateways/${id}/start`, { key });
  const stop = () => call('POST', `/api/gateways/${id}/stop`, { key });
  const status = async () => (await call('GET', `/api/gateways/${id}/status`, { key })).body;
  assert.equal((await stop()).status, 409);
  const port = Number(new URL(service.url).port);
  const mcpUrl = `${service.url}/api/gateways/${id}/mcp`;
  const stopped = await status();
  assert.deepEqual(stopped, {
    gateway_id: id,
    name,
    status: 'stopped',
    port: null,
    pid: null,
    container_id: null,
    started_at: null,
    mcp_url: mcpUrl,
    uptime_seconds: null,
    sessions: 0,
    servers: [],
    problems: [],
  });
  const started = await start();
  assert.equal(started.status, 200);
  assert.deepEqual(
    { ...started.body, message: 0 },
    { status: 'success', message: 0, port, pid: process.pid, container_id: null, mcp_url: mcpUrl },
  );
  assert.match(started.body.message, /updated to running/);
  const running = await status();
  assert.equal(running.status, 'running');
  assert.ok(running.uptime_seconds >= 0 && running.started_at !== null);
  assert.equal((await start()).status, 409);
  const ended = await stop();
  assert.match(ended.body.message, /updated to stopped/);
  assert.equal((await status()).status, 'stopped');
});

test('the uptime counts from the start of the gateway, or of the service where that is later', async () => {
  const { id } = await make(tokens.admin);
  const statusAt = async (at: typeof service, as = tokens.admin) =>
    (await at.call('GET', `/api/gateways/${id}/status`, { as })).body;
  const isAbout = (uptime: unknown, seconds: number) =>
    assert.ok(typeof uptime === 'number' && uptime >= seconds && uptime < seconds + 30, `${String(uptime)}`);
  // Another is opened first, so that the uptime of this one is not that of the service.
  service.clock.advance(100_000);
  await call('POST', `/api/gateways/${id}/start`, { key });
  isAbout((await statusAt(service)).uptime_seconds, 0);
  service.clock.advance(90_500);
  isAbout((await statusAt(service)).uptime_seconds, 90.5);
  const { started_at: startedAt } = await statusAt(service);
  await call('POST', `/api/gateways/${id}/stop`, { key });
  assert.equal((await statusAt(service)).uptime_seconds, null);
  service.clock.advance(60_000);
  await call('POST', `/api/gateways/${id}/start`, { key });
  const again = await statusAt(service);
  isAbout(again.uptime_seconds, 0);
  assert.ok(again.started_at > startedAt);
});

test('a gateway that went on over a restart of the service is up since the restart', async () => {
  const { id } = await make(tokens.admin);
  await call('POST', `/api/gateways/${id}/start`, { key });
  const [row] = await service.db.query<{ changed: number }>(
    `update agent_gateway.gateways set started_at = started_at - interval '2 days' where gateway_id = $1 returning 1 as changed`,
    [id],
  );
  assert.equal(row?.changed, 1);
  await using restarted = await openTestService({ db: service.db });
  restarted.clock.advance(40_000);
  const { body } = await restarted.call('GET', `/api/gateways/${id}/status`, { as: restarted.tokens.admin });
  assert.equal(body.status, 'running');
  assert.ok(body.uptime_seconds >= 40 && body.uptime_seconds < 100, `${body.uptime_seconds}`);
  await call('POST', `/api/gateways/${id}/stop`, { key });
});

test('of a hundred concurrent starts exactly one succeeds', async () => {
  const { id } = await make(tokens.admin);
  const starts = await Promise.all(
    Array.from({ length: 100 }, () => call('POST', `/api/gateways/${id}/start`, { key })),
  );
  const statuses = starts.map(({ status }) => status).toSorted((a, b) => a - b);
  assert.deepEqual([statuses[0], ...new Set(statuses.slice(1))], [200, 409]);
});

test('a hundred gateways started at once all run, each with its server', async () => {
  // Small servers, because only the gateway is under test.
  using upstream = await startHttp('./hostile-http.ts');
  const body = { name: 'shared', transport: 'http', connection_url: upstream.url };
  const server = (await call('POST', '/api/mcp-servers', { key, body })).body;
  // Known tools are not discovered again at each attachment.
  await call('POST', `/api/mcp-servers/${server.id}/discover/tools`, { key });
  const made = await Promise.all(Array.from({ length: 100 }, () => make(tokens.admin)));
  await Promise.all(
    made.map(({ id }) => call('POST', `/api/gateways/${id}/mcp-servers/${server.id}`, { key })),
  );
  const starts = await Promise.all(made.map(({ id }) => call('POST', `/api/gateways/${id}/start`, { key })));
  assert.ok(starts.every(({ status }) => status === 200));
  const states = await Promise.all(made.map(({ id }) => call('GET', `/api/gateways/${id}/status`, { key })));
  assert.ok(states.every((each) => each.body.servers[0].state === 'connected'));
  const stops = await Promise.all(made.map(({ id }) => call('POST', `/api/gateways/${id}/stop`, { key })));
  assert.ok(stops.every(({ status }) => status === 200));
});

test('a start with an unreachable server succeeds, and the status names the server and the reason', async () => {
  const { gatewayId } = await service.gateway([
    { server: { name: 'gone', transport: 'http', connection_url: 'http://127.0.0.1:1/mcp' } },
    { server: { ...everything, name: 'fine' } },
  ]);
  const { body } = await call('GET', `/api/gateways/${gatewayId}/status`, { key });
  assert.equal(body.status, 'running');
  assert.deepEqual(
    body.servers.map(({ name, state }: { name: string; state: string }) => [name, state]),
    [
      ['gone', 'failed'],
      ['fine', 'connected'],
    ],
  );
  assert.match(body.servers[0].error, /cannot be reached/);
  assert.equal(body.servers[1].processes, 1);
  await call('POST', `/api/gateways/${gatewayId}/stop`, { key });
});

test('GET on the endpoint returns its status to authenticated callers', async () => {
  const { id } = await make(tokens.admin);
  const path = `/api/gateways/${id}/mcp`;
  assert.equal((await call('GET', path, { key })).body.status, 'stopped');
  await call('POST', `/api/gateways/${id}/start`, { key });
  const { body } = await call('GET', path, { key });
  assert.deepEqual({ ...body, message: 0 }, { gateway_id: id, name: 'Mine', status: 'running', message: 0 });
  const anonymous = await call('POST', path, { body: { jsonrpc: '2.0', id: 1, method: 'ping' } });
  assert.equal(anonymous.status, 401);
  assert.equal(
    anonymous.headers.get('www-authenticate'),
    `Bearer error="missing_auth", resource_metadata="${service.url}/.well-known/oauth-protected-resource${path}", ` +
      'scope="mcp:tools mcp:resources mcp:prompts"',
  );
  assert.equal((await call('GET', path, { as: tokens.stranger })).status, 404);
});

test('the status of a gateway whose policy set is gone says that every call is refused', async () => {
  const set = await service.policySet('Never send anything.');
  const settings = { name: 'Orphan', action_guard_policy_id: set };
  const { body } = await call('POST', '/api/gateways', { key, body: settings });
  const problems = async () =>
    (await call('GET', `/api/gateways/${body.id}/status`, { key })).body.problems as string[];
  assert.deepEqual(await problems(), []);
  // As if it had been deleted while the agent gateway could not be asked.
  await service.db.query('update action_guard.policy_sets set deleted_at = now() where policy_set_id = $1', [
    set,
  ]);
  const [problem] = await problems();
  assert.match(problem ?? '', /"One rule" of this gateway was deleted, so every call is refused/);
});
