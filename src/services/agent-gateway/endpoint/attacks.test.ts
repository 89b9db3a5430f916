/** Attacks on the endpoint by authenticated and unauthenticated clients. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { stdioServer } from '../../../../test/fixtures/mcp-servers/start.ts';
import { modernRequest } from '../../../../test/fixtures/modern-request.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, key, tokens } = service;
const recording = stdioServer('./hostile.ts', 'recording');
const { gatewayId, mcpUrl } = await service.gateway([{ server: recording, prefix: '' }], {
  action_guard_policy_id: 'agp_default',
});

type Headers = Record<string, string>;
const withKey: Headers = { 'x-api-key': key };

const post = (headers: Headers, body: object) =>
  fetch(mcpUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
  });

async function openSession(credential: Headers): Promise<string> {
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const answer = await post(credential, { method: 'initialize', params });
  await answer.text();
  return answer.headers.get('mcp-session-id') ?? '';
}

interface Entry {
  readonly arguments: string;
  readonly reason: string;
  readonly outcome: string;
}

/** The newest entries of the audit log, once there are this many calls with this argument. */
async function logged(mark: string, count = 1): Promise<Entry[]> {
  for (const until = Date.now() + 20_000; ; await sleep(20)) {
    const { body } = await call('GET', `/api/gateways/${gatewayId}/calls`, { key });
    const entries = (body.calls as Entry[]).filter((each) => each.arguments?.includes(mark));
    if (entries.length >= count) return entries;
    assert.ok(Date.now() < until, `${mark} is not in the audit log`);
  }
}

/** All messages that the server received, in order. */
async function received(): Promise<string> {
  const answer = await modernRequest(mcpUrl, withKey, 'tools/call', { name: 'act' });
  const { result } = (await answer.json()) as { result: { content: { text: string }[] } };
  return result.content[0]?.text ?? '';
}

test('a web page cannot reach the service through DNS rebinding', async () => {
  const open = await openTestService({ env: { BULWARK_AUTH_ENABLED: 'false' } });
  after(() => open[Symbol.asyncDispose]());
  /** `fetch` sets the Host header itself. */
  const ask = (method: string, path: string, headers: Headers): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const sent = request(open.url + path, { method, headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      sent.on('error', reject).end(method === 'POST' ? '{"name":"x"}' : undefined);
    });
  const json = { 'content-type': 'application/json' };
  for (const [method, path] of [
    ['GET', '/api/gateways'],
    ['POST', '/api/gateways'],
    ['GET', '/api/mcp-servers'],
    ['POST', '/auth/login'],
    ['GET', '/api/gateways/gw_x/mcp'],
    ['GET', '/api/gateways/gw_x/mcp/.well-known/openid-configuration'],
    ['GET', '/openapi.json'],
  ] as const) {
    assert.equal(await ask(method, path, { ...json, host: 'rebound.example:8300' }), 403, path);
    assert.equal(await ask(method, path, { ...json, origin: 'https://evil.example' }), 403, path);
  }
  assert.equal(await ask('POST', '/api/gateways', { ...json, origin: 'http://localhost:22100' }), 201);
});

test('arguments up to the maximum nesting depth are judged and logged, deeper ones are refused', async () => {
  const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;
  const ask = (mark: string, levels: number) =>
    modernRequest(mcpUrl, withKey, 'tools/call', { name: 'act', arguments: { mark, value: nested(levels) } });
  assert.equal((await ask('deep enough', 490)).status, 200);
  assert.equal((await logged('deep enough'))[0]?.outcome, 'ok');
  for (const levels of [500, 3000]) assert.equal((await ask('too deep', levels)).status, 400);
  assert.doesNotMatch(await received(), /too deep/);
});

test('names of object properties such as “constructor” are treated like any other name', async () => {
  const odd = { constructor: 'a', toString: 'b', hasOwnProperty: 'c', valueOf: { constructor: 'd' } };
  for (const method of ['constructor', '__proto__', 'toString/x']) {
    const answer = await modernRequest(mcpUrl, withKey, method);
    assert.equal(answer.status, 404, method);
    const { error } = (await answer.json()) as { error: { code: number } };
    assert.equal(error.code, -32601);
  }
  for (const name of ['constructor', '__proto__', 'toString']) {
    const answer = await modernRequest(mcpUrl, withKey, 'tools/call', { name });
    assert.match(await answer.text(), /Unknown tool/);
  }
  await modernRequest(mcpUrl, withKey, 'tools/call', {
    name: 'act',
    arguments: { mark: 'odd', ...odd },
    _meta: { constructor: 'x' },
  });
  assert.deepEqual(JSON.parse((await logged('"odd"'))[0]!.arguments), { mark: 'odd', ...odd });
  assert.ok((await received()).includes(JSON.stringify(odd).slice(1, -1)));
});

test('a call whose arguments are not an object is refused and never forwarded', async () => {
  const before = (await received()).split('\n').length;
  for (const args of [['x'], 'x', 7, true]) {
    const answer = await modernRequest(mcpUrl, withKey, 'tools/call', { name: 'act', arguments: args });
    const { error } = (await answer.json()) as { error: { code: number; message: string } };
    assert.deepEqual([error.code, error.message], [-32602, "'arguments' must be an object."]);
  }
  assert.equal((await received()).split('\n').length, before + 1);
});

test('a session cannot be used by another user or with another credential of the same user', async () => {
  const session = { 'mcp-session-id': await openSession(withKey) };
  const unknown = { 'mcp-session-id': 'unknown' };
  const ping = async (headers: Headers) => {
    const answer = await post(headers, { method: 'ping' });
    return `${answer.status} ${await answer.text()}`;
  };
  for (const token of [tokens.admin, tokens.member]) {
    const credential = { authorization: `Bearer ${token}` };
    assert.equal(await ping({ ...credential, ...session }), await ping({ ...credential, ...unknown }));
    for (const [method, accept] of [
      ['GET', 'text/event-stream'],
      ['DELETE', '*/*'],
    ] as const) {
      const answer = await fetch(mcpUrl, { method, headers: { ...credential, ...session, accept } });
      assert.equal(answer.status, 404, method);
    }
  }
  assert.match(await ping({ ...withKey, ...session }), /^200/);
});

test('a second request with an id in use is refused, so each request can be cancelled and ends with its session', async () => {
  const { mcpUrl: url } = await service.gateway([{ server: stdioServer('./complete.ts'), prefix: '' }]);
  const send = (headers: Headers, body: object) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...withKey, ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', ...body }),
    });
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
  const begun = await send({}, { id: 0, method: 'initialize', params });
  const session = { 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' };
  const slow = { method: 'tools/call', params: { name: 'slow', arguments: { ms: 60_000 } } };
  const first = send(session, { id: 'same', ...slow }).then((answer) => answer.text());
  const count = { method: 'tools/call', params: { name: 'begun', arguments: {} } };
  while (!(await (await send(session, { id: 'other', ...count })).text()).includes('"text":"1"'))
    await sleep(20);
  assert.match(await (await send(session, { id: 'same', ...slow })).text(), /this id is under way/);
  assert.equal((await fetch(url, { method: 'DELETE', headers: { ...withKey, ...session } })).status, 204);
  assert.match(await first, /ended the session/);
});

test('secrets are redacted in every stored part of a call', async () => {
  const secret = 'correct-horse-battery';
  await modernRequest(mcpUrl, withKey, 'tools/call', {
    name: 'act',
    arguments: {
      mark: 'secretive',
      password: secret,
      credentials: { user: 'u', values: [secret, { deep: secret }] },
      cookies: [secret],
      note: `Use ${key} please`,
      store: { dsn: `postgres://u:${secret}@h/db` },
      run: `redis-cli -u redis://:${secret}@h`,
    },
  });
  const [entry] = await logged('secretive');
  assert.doesNotMatch(entry!.arguments, new RegExp(`${secret}|blwk_`));
  assert.deepEqual(JSON.parse(entry!.arguments), {
    mark: 'secretive',
    password: '[redacted]',
    credentials: { user: '[redacted]', values: ['[redacted]', { deep: '[redacted]' }] },
    cookies: ['[redacted]'],
    note: 'Use [redacted] please',
    store: { dsn: 'postgres://u:[redacted]@h/db' },
    run: 'redis-cli -u redis://:[redacted]@h',
  });
});

test('writing to a gateway or server that is being deleted gives 404, never an internal error', async () => {
  for (let round = 0; round < 6; round += 1) {
    const { id } = (await call('POST', '/api/gateways', { key, body: { name: 'x' } })).body;
    const body = { name: 'x', transport: 'http', connection_url: 'http://127.0.0.1:1/mcp' };
    const server = (await call('POST', '/api/mcp-servers', { key, body })).body.id;
    const gateway = `/api/gateways/${id}`;
    const answers = await Promise.all([
      call('POST', `${gateway}/mcp-servers/${server}`, { key }),
      call('DELETE', round % 2 === 0 ? gateway : `/api/mcp-servers/${server}`, { key }),
      call('POST', `${gateway}/start`, { key }),
      call('PATCH', gateway, { key, body: { name: 'y' } }),
      call('PUT', `/api/mcp-servers/${server}`, { key, body: { name: 'y' } }),
      call('POST', `/api/mcp-servers/${server}/manual-resources`, { key, body: { name: 'y' } }),
      call('GET', `${gateway}/mcp/.well-known/openid-configuration`),
    ]);
    for (const { status, body: said } of answers)
      assert.ok([200, 201, 404, 409].includes(status), `${status} ${JSON.stringify(said)}`);
  }
});
