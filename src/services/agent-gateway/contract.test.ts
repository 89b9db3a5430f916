/** The contract, as far as other tests do not cover it, over HTTP. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startHttp, stdioServer } from '../../../test/fixtures/mcp-servers/start.ts';
import { openTestService } from './fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, key, tokens } = service;
const as = tokens.admin;

type Method = Parameters<typeof call>[0];
type Asked = readonly [method: Method, path: string, body?: object];

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const keysOf = (value: object) => Object.keys(value).toSorted();

const everything = {
  name: 'Everything',
  transport: 'stdio',
  command: process.execPath,
  args: [fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'))],
};

const gatewayOf = async (who: string): Promise<string> =>
  (await call('POST', '/api/gateways', { as: who, body: { name: 'Gateway' } })).body.id;
const serverOf = async (who: string, name = 'Server'): Promise<string> => {
  const body = { name, transport: 'http', connection_url: 'http://127.0.0.1:1/mcp' };
  return (await call('POST', '/api/mcp-servers', { as: who, body })).body.id;
};

/** Every operation on a gateway and a server, with its required fields. */
const operations = (gateway: string, server: string): Asked[] => [
  ['GET', `/api/gateways/${gateway}`],
  ['PATCH', `/api/gateways/${gateway}`, { name: 'x' }],
  ['POST', `/api/gateways/${gateway}/start`],
  ['POST', `/api/gateways/${gateway}/stop`],
  ['GET', `/api/gateways/${gateway}/status`],
  ['POST', `/api/gateways/${gateway}/access-preview`, { principals: [{}] }],
  ['POST', `/api/gateways/${gateway}/mcp-servers/${server}`],
  ['DELETE', `/api/gateways/${gateway}/mcp-servers/${server}`],
  ['GET', `/api/gateways/${gateway}/mcp-servers`],
  ['GET', `/api/gateways/${gateway}/calls`],
  ['GET', `/api/gateways/${gateway}/approvals`],
  ['POST', `/api/gateways/${gateway}/approvals/01a20238-a4f7-76a4-8ddb-c5d48f86ba3b`, { decision: 'deny' }],
  ['GET', `/api/gateways/${gateway}/tool-pins`],
  [
    'POST',
    `/api/gateways/${gateway}/tool-pins/approve`,
    { server_id: server, tool_name: 'x', changed_hash: 'x' },
  ],
  ['GET', `/api/gateways/${gateway}/oauth/clients`],
  ['DELETE', `/api/gateways/${gateway}/oauth/clients/x`],
  ['GET', `/api/gateways/${gateway}/oauth/consents`],
  ['DELETE', `/api/gateways/${gateway}/oauth/consents/x`],
  ['GET', `/api/gateways/${gateway}/mcp`],
  ['POST', `/api/gateways/${gateway}/mcp`, { jsonrpc: '2.0', id: 1, method: 'ping' }],
  ['DELETE', `/api/gateways/${gateway}/mcp`],
  ['GET', `/api/mcp-servers/${server}`],
  ['PUT', `/api/mcp-servers/${server}`, { name: 'x' }],
  ['POST', `/api/mcp-servers/${server}/discover/tools`],
  ['GET', `/api/mcp-servers/${server}/tools`],
  ['POST', `/api/mcp-servers/${server}/tools/call`, { name: 'x' }],
  ['POST', `/api/mcp-servers/${server}/discover/resources`],
  ['GET', `/api/mcp-servers/${server}/resources`],
  ['POST', `/api/mcp-servers/${server}/manual-resources`, { name: 'x' }],
  ['DELETE', `/api/mcp-servers/${server}/manual-resources`, { name: 'x' }],
  ['POST', `/api/mcp-servers/${server}/resources/read`, { uri: 'x:y' }],
  ['POST', `/api/mcp-servers/${server}/authorize`],
  ['DELETE', `/api/mcp-servers/${server}/authorization`],
  ['GET', `/api/mcp-servers/${server}/authorizations`],
  ['DELETE', `/api/mcp-servers/${server}/authorizations/x`],
  ['DELETE', `/api/mcp-servers/${server}`],
  ['DELETE', `/api/gateways/${gateway}`],
];

test('an MCP server has the documented fields and types on creation, in lists and in its detail', async () => {
  const made = await call('POST', '/api/mcp-servers', { key, body: { ...everything, env: { A: 'b' } } });
  assert.equal(made.status, 201);
  const { id, registered_by, created_at, updated_at, ...rest } = made.body;
  assert.match(id, /^mcp_[\w-]{24}$/);
  assert.equal(registered_by, (await call('GET', '/auth/me', { as })).body.id);
  for (const at of [created_at, updated_at]) assert.match(at, time);
  assert.deepEqual(rest, {
    ...everything,
    connection_url: null,
    env: { A: '********' },
    auth_type: 'none',
    oauth_client: null,
    identity_scheme: 'none',
    token_exchange: null,
    identity_provider: null,
    registered_by_name: 'admin',
    visibility: 'private',
    gateway_ids: [],
  });
  const gateway = await gatewayOf(as);
  const attached = await call('POST', `/api/gateways/${gateway}/mcp-servers/${id}`, { key });
  assert.deepEqual(
    { status: attached.status, ...attached.body, message: 0 },
    { status: 201, gateway_id: gateway, mcp_server_id: id, tool_prefix: 'everything__', message: 0 },
  );
  assert.equal((await call('POST', `/api/gateways/${gateway}/mcp-servers/${id}`, { key })).status, 409);
  const { body: list } = await call('GET', '/api/mcp-servers', { key });
  const listed = list.items.find((each: { id: string }) => each.id === id);
  assert.deepEqual(listed, { ...made.body, gateway_ids: [gateway] });
  const { body: detail } = await call('GET', `/api/mcp-servers/${id}`, { key });
  assert.deepEqual(detail.gateways, [{ id: gateway, name: 'Gateway', tool_prefix: 'everything__' }]);
  assert.ok(detail.tools.some(({ name }: { name: string }) => name === 'echo'));
  assert.deepEqual(detail.resources, [], 'not discovered yet');
  const { body: there } = await call('GET', `/api/gateways/${gateway}/mcp-servers`, { key });
  assert.deepEqual(there, {
    items: [{ ...listed, tool_prefix: 'everything__', readable: true, usable: true }],
    total: 1,
  });

  const changed = { name: 'Other', args: [...everything.args, 'stdio'], env: { A: '********', B: 'c' } };
  const put = await call('PUT', `/api/mcp-servers/${id}`, { key, body: changed });
  assert.equal(put.status, 200);
  assert.deepEqual([put.body.name, put.body.args, keysOf(put.body.env)], ['Other', changed.args, ['A', 'B']]);
  assert.equal((await call('DELETE', `/api/mcp-servers/${id}`, { key })).status, 200);
  assert.equal((await call('GET', `/api/gateways/${gateway}/mcp-servers`, { key })).body.total, 0);
});

test('tools and resources of a server are discovered, stored, called, read, and can be added by hand', async () => {
  const { id } = (await call('POST', '/api/mcp-servers', { key, body: everything })).body;
  const path = `/api/mcp-servers/${id}`;
  const empty = { last_discovery_at: null };
  assert.deepEqual((await call('GET', `${path}/tools`, { key })).body, {
    total_count: 0,
    tools: [],
    ...empty,
  });
  const { body: tools } = await call('POST', `${path}/discover/tools`, { key });
  assert.deepEqual(keysOf(tools), ['count', 'last_discovery_at', 'tools']);
  assert.match(tools.last_discovery_at, time);
  assert.equal(tools.count, tools.tools.length);
  for (const { name, description, inputSchema } of tools.tools)
    assert.deepEqual([typeof name, typeof description, inputSchema.type], ['string', 'string', 'object']);
  const called = await call('POST', `${path}/tools/call`, {
    key,
    body: { name: 'echo', arguments: { message: 'hello' } },
  });
  assert.deepEqual(called.body, { content: [{ type: 'text', text: 'Echo: hello' }], isError: false });
  const wrong = await call('POST', `${path}/tools/call`, { key, body: { name: 'nothing' } });
  assert.equal(wrong.body.isError, true);

  const { body: found } = await call('POST', `${path}/discover/resources`, { key });
  assert.deepEqual(keysOf(found), ['count', 'last_discovery_at', 'resources']);
  const [first] = found.resources;
  for (const field of ['uri', 'name', 'description', 'mimeType']) assert.equal(typeof first[field], 'string');
  const read = await call('POST', `${path}/resources/read`, { key, body: { uri: first.uri } });
  assert.deepEqual([read.body.contents[0].type, typeof read.body.contents[0].text], ['text', 'string']);
  const unknown = await call('POST', `${path}/resources/read`, { key, body: { uri: 'nothing:here' } });
  assert.equal(unknown.status, 404);
  assert.match(unknown.body.detail, /^'uri': the server has no such resource\./);
  const nowhere = await call('POST', '/api/mcp-servers', {
    key,
    body: { name: 'Nowhere', transport: 'http', connection_url: 'nope' },
  });
  assert.deepEqual(
    [nowhere.status, nowhere.body.detail],
    [422, "'connection_url': nope is not an http:// or https:// URL."],
  );
  const manual = { name: 'Handbook', description: 'By hand', mimeType: 'text/markdown' };
  assert.deepEqual((await call('POST', `${path}/manual-resources`, { key, body: manual })).body, manual);
  assert.equal((await call('POST', `${path}/manual-resources`, { key, body: manual })).status, 409);
  const { body: known } = await call('GET', `${path}/resources`, { key });
  assert.deepEqual(known, {
    total_count: found.count + 1,
    discovered: { resources: found.resources, last_discovery_at: found.last_discovery_at },
    manual: { resources: [manual] },
  });
  const remove = () => call('DELETE', `${path}/manual-resources`, { key, body: { name: 'Handbook' } });
  assert.deepEqual([(await remove()).status, (await remove()).status], [200, 404]);

  // Stored data is available without the server.
  await call('PUT', path, { key, body: { command: '/nowhere' } });
  assert.equal((await call('POST', `${path}/discover/tools`, { key })).status, 502);
  const { body: kept } = await call('GET', `${path}/tools`, { key });
  assert.deepEqual(kept, {
    total_count: tools.count,
    tools: tools.tools,
    last_discovery_at: tools.last_discovery_at,
  });
});

test('attaching a server is refused when a tool or prompt name would be taken or too long', async () => {
  const first = (await call('POST', '/api/mcp-servers', { key, body: everything })).body.id;
  const second = (await call('POST', '/api/mcp-servers', { key, body: everything })).body.id;
  const gateway = await gatewayOf(as);
  const attach = (server: string, tool_prefix: string) =>
    call('POST', `/api/gateways/${gateway}/mcp-servers/${server}`, { key, body: { tool_prefix } });
  const long = await attach(first, 'x'.repeat(40));
  assert.equal(long.status, 409);
  assert.match(long.body.detail, /longer than 64 characters.*'tool_prefix'/);
  const wrong = await attach(first, 'a b');
  assert.equal(wrong.status, 422);
  assert.match(wrong.body.detail, /^'tool_prefix' must have at most 40 characters, each a letter/);
  const both = await Promise.all([attach(first, ''), attach(second, '')]);
  assert.deepEqual(
    new Set(both.map(({ status }) => status)),
    new Set([201, 409]),
    'also for concurrent requests',
  );
  assert.match(both.find(({ status }) => status === 409)?.body.detail, /is taken by the server Everything/);

  const prompting = stdioServer('./hostile.ts', 'prompting');
  const other = await gatewayOf(as);
  const answers = [];
  for (const name of ['one', 'two']) {
    const { id } = (await call('POST', '/api/mcp-servers', { key, body: { name, ...prompting } })).body;
    const path = `/api/gateways/${other}/mcp-servers/${id}`;
    // Tool names have prefixes, prompt names do not.
    answers.push(await call('POST', path, { key, body: { tool_prefix: '' } }));
  }
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 409],
  );
  assert.match(answers[1]?.body.detail, /prompt name greet is taken by the server one/);
});

test('lists are paged, newest first, with their total count', async () => {
  const ids = [await gatewayOf(tokens.stranger), await gatewayOf(tokens.stranger)];
  const servers = [await serverOf(tokens.stranger, 'a'), await serverOf(tokens.stranger, 'b')];
  for (const [path, made] of [
    ['/api/gateways', ids],
    ['/api/mcp-servers', servers],
  ] as const) {
    const page = async (query: string) => {
      const { body } = await call('GET', `${path}?${query}`, { as: tokens.stranger });
      return [body.items.map(({ id }: { id: string }) => id), body.total];
    };
    assert.deepEqual(await page(''), [made.toReversed(), 2]);
    assert.deepEqual(await page('limit=1'), [[made[1]], 2]);
    assert.deepEqual(await page('limit=1&offset=1'), [[made[0]], 2]);
    for (const wrong of ['limit=0', 'limit=1001', 'offset=-1', 'limit=x'])
      assert.equal((await call('GET', `${path}?${wrong}`, { key })).status, 422, wrong);
  }
});

test('every operation requires a credential, and accepts an access token or an API key', async () => {
  const asked = operations(await gatewayOf(as), await serverOf(as));
  for (const [method, path, body] of asked) {
    const { status, headers } = await call(method, path, { body });
    assert.equal(status, 401, `${method} ${path}`);
    assert.match(headers.get('www-authenticate') ?? '', /^Bearer error="missing_auth"/);
    const broken = await call(method, path, { as: 'x.y.z', body });
    assert.match(broken.headers.get('www-authenticate') ?? '', /^Bearer error="invalid_token"/);
  }
  // From the last deletion on, everything returns 404.
  for (const [method, path, body] of asked.slice(0, -2)) {
    const answers = [await call(method, path, { as, body }), await call(method, path, { key, body })];
    for (const { status } of answers) assert.ok(![401, 403].includes(status), `${method} ${path}`);
  }
});

test('ids of another tenant give the same 404 as unknown ids, in every position', async () => {
  const mine = [await gatewayOf(as), await serverOf(as)] as const;
  const theirs = [await gatewayOf(tokens.stranger), await serverOf(tokens.stranger)] as const;
  await call('POST', `/api/gateways/${theirs[0]}/start`, { as: tokens.stranger });
  const nobodys = ['gw_nobody', 'mcp_nobody'] as const;
  const told = async ([method, path, body]: Asked, known: readonly string[]) => {
    const { status, body: answer } = await call(method, path, { as, body });
    const text = known.reduce((words, id) => words.replaceAll(id, '…'), JSON.stringify(answer));
    return { status, text };
  };
  const unknown = operations(...nobodys);
  for (const [i, asked] of operations(...theirs).entries()) {
    const answer = await told(asked, theirs);
    assert.equal(answer.status, 404, `${asked[0]} ${asked[1]}`);
    assert.deepEqual(answer, await told(unknown[i]!, nobodys), `${asked[0]} ${asked[1]}`);
  }
  for (const [gateway, server] of [
    [mine[0], theirs[1]],
    [theirs[0], mine[1]],
  ])
    for (const method of ['POST', 'DELETE'] as const)
      assert.equal(
        (await call(method, `/api/gateways/${gateway}/mcp-servers/${server}`, { as })).status,
        404,
      );
  const { status } = await call('GET', `/api/gateways/${theirs[0]}/status`, { as: tokens.stranger });
  assert.equal(status, 200, 'it still exists');
});

test('a member can read what is shared but neither change nor call it; private objects are 404', async () => {
  const gateway = await gatewayOf(as);
  const server = await serverOf(as);
  for (const path of [`/api/gateways/${gateway}`, `/api/mcp-servers/${server}`]) {
    assert.equal((await call('GET', path, { as: tokens.member })).status, 404, path);
    const method = path.includes('gateways') ? 'PATCH' : 'PUT';
    assert.equal((await call(method, path, { as, body: { visibility: 'tenant' } })).status, 200, path);
  }
  const seen = new Set([
    '',
    '/status',
    '/mcp-servers',
    '/oauth/consents',
    '/tools',
    '/resources',
    '/authorizations',
  ]);
  for (const [method, path, body] of operations(gateway, server)) {
    const place = path.replace(/^\/api\/(gateways|mcp-servers)\/[^/]+/, '');
    const isOpen =
      (method === 'GET' && seen.has(place)) ||
      // Calls go through the endpoint, and access rules restrict them. Everybody may list what a server offers.
      place === '/mcp' ||
      place.startsWith('/discover/') ||
      // Everybody may end their own consent, and has none here.
      place === '/oauth/consents/x';
    const { status } = await call(method, path, { as: tokens.member, body });
    assert.equal(status === 403, !isOpen, `${method} ${path}: ${status}`);
  }
});

test('errors have the right status and a message on how to fix them', async () => {
  const gateway = await gatewayOf(as);
  const path = `/api/gateways/${gateway}`;
  const post = (to: string, body: string, type = 'application/json') =>
    fetch(service.url + to, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': type },
      body,
    });
  const nested = `${'['.repeat(600)}${']'.repeat(600)}`;
  for (const to of ['/api/gateways', `${path}/mcp`])
    for (const [body, type, status, detail] of [
      ['{"name":', 'application/json', 400, /not valid JSON/],
      [`{"name":"x","__proto__":{"a":1}}`, 'application/json', 400, /"__proto__"/],
      [`{"name":${nested}}`, 'application/json', 400, /nested deeper than 500 levels/],
      ['name=x', 'text/plain', 415, /Send the body as JSON/],
      ['x'.repeat(10 * 1024 * 1024 + 1), 'application/json', 413, /larger than 10 MiB/],
    ] as const) {
      const answer = await post(to, body, type);
      assert.equal(answer.status, status, `${to} ${body.slice(0, 20)}`);
      assert.match(((await answer.json()) as { detail: string }).detail, detail);
    }
  for (const [method, to, allowed] of [
    ['PUT', path, 'GET, PATCH, DELETE'],
    ['PUT', `${path}/mcp`, 'POST, GET, DELETE'],
    ['DELETE', `${path}/mcp/token`, 'POST'],
    ['POST', `${path}/mcp/.well-known/openid-configuration`, 'GET'],
  ] as const) {
    const { status, headers } = await call(method, to, { key });
    assert.deepEqual([status, headers.get('allow')], [405, allowed], `${method} ${to}`);
  }
  const many = { tools: Array.from({ length: 200 }, (_, i) => `tool_${i}`), effect: 'deny' };
  const crowded = { name: 'x', access_control: { rules: Array.from({ length: 25 }, () => many) } };
  const refused = await call('POST', '/api/gateways', { key, body: crowded });
  assert.deepEqual(
    [refused.status, refused.body.detail],
    [422, "'access_control.rules' must have at most 5000 names in all."],
  );
  const env = { 'NOT-A-NAME': 'x' };
  const named = await call('POST', '/api/mcp-servers', { key, body: { ...everything, env } });
  assert.equal(named.status, 422);
  assert.match(named.body.detail, /^'env\.NOT-A-NAME' has a name that must be letters/);
  for (const name of ['A', 'constructor', 'toString']) {
    const hidden = { ...everything, env: { [name]: '********' } };
    assert.equal((await call('POST', '/api/mcp-servers', { key, body: hidden })).status, 422, name);
  }
});

test('a failing upstream is 502, one that does not respond is 504', async () => {
  using hanging = await startHttp('./hostile-http.ts', 'silent');
  const slow = await openTestService({ env: { BULWARK_AGENT_GATEWAY_CONNECT_TIMEOUT_MS: '400' } });
  after(() => slow[Symbol.asyncDispose]());
  for (const [connection_url, expected] of [
    ['http://127.0.0.1:1/mcp', 502],
    [hanging.url, 504],
  ] as const) {
    const body = { name: 'x', transport: 'http', connection_url };
    const { id } = (await slow.call('POST', '/api/mcp-servers', { key: slow.key, body })).body;
    const { status, body: answer } = await slow.call('POST', `/api/mcp-servers/${id}/discover/tools`, {
      key: slow.key,
    });
    assert.deepEqual([status, typeof answer.detail], [expected, 'string']);
  }
});

test('the rate limit also counts requests to the MCP endpoint', async () => {
  const limited = await openTestService({ env: { BULWARK_RATE_LIMIT_REQUESTS_PER_MINUTE: '5' } });
  after(() => limited[Symbol.asyncDispose]());
  const { id } = (await limited.call('POST', '/api/gateways', { key: limited.key, body: { name: 'x' } }))
    .body;
  const ask = () => limited.call('GET', `/api/gateways/${id}/mcp`, { key: limited.key });
  const statuses = [];
  for (let i = 0; i < 5; i += 1) statuses.push((await ask()).status);
  assert.deepEqual(statuses, [200, 200, 200, 200, 429]);
  assert.ok(Number((await ask()).headers.get('retry-after')) > 0);
});

test('the OpenAPI document has every documented path', async () => {
  const { body } = await call('GET', '/openapi.json');
  const has = (method: string, path: string) => body.paths[path]?.[method.toLowerCase()] !== undefined;
  const mcp = '/api/gateways/{gateway_id}/mcp';
  const own: Asked[] = [
    ['POST', '/api/gateways'],
    ['GET', '/api/gateways'],
    ['POST', '/api/mcp-servers'],
    ['GET', '/api/mcp-servers'],
    ...['openid-configuration', 'oauth-authorization-server', 'oauth-protected-resource'].flatMap(
      (name): Asked[] => [
        ['GET', `${mcp}/.well-known/${name}`],
        ['GET', `/.well-known/${name}${mcp}`],
      ],
    ),
    ['POST', `${mcp}/register`],
    ['GET', `${mcp}/authorize`],
    ['POST', `${mcp}/token`],
    ['GET', '/health'],
  ];
  const placeholders = (path: string) =>
    path
      .replace(/\/approvals\/.+/, '/approvals/{approval_id}')
      .replace('/oauth/clients/x', '/oauth/clients/{client_id}')
      .replace('/oauth/consents/x', '/oauth/consents/{consent_id}')
      .replace('/authorizations/x', '/authorizations/{user_id}');
  for (const [method, path] of [...own, ...operations('{gateway_id}', '{server_id}')])
    assert.ok(has(method, placeholders(path)), `${method} ${placeholders(path)}`);
  const attach = body.paths['/api/gateways/{gateway_id}/mcp-servers/{server_id}'].post;
  assert.equal(attach.requestBody.required, false);
});
