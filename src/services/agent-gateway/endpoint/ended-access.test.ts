/** Streams, sessions and calls end as soon as their caller's user, key or consent does; those of others continue. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHttpServer } from '#base/http/server.ts';
import { createLog } from '#base/log/log.ts';
import { stdioServer } from '../../../../test/fixtures/mcp-servers/start.ts';
import { modernRequest } from '../../../../test/fixtures/modern-request.ts';
import { beginFlow, redeem, refresh, register } from '../fixtures/oauth-client.ts';
import { Person } from '../fixtures/person.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
/** Another process over the same database. */
const other = await openTestService({ db: service.db });
after(async () => {
  await other[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});
const { call, tokens, url: home } = service;
const { gatewayId, mcpUrl } = await service.gateway([{ server: stdioServer('./complete.ts'), prefix: '' }]);

/** API keys are created by a separate service. */
const keys = createHttpServer({
  service: 'keys',
  log: createLog({ level: 'silent' }),
  bodyLimitBytes: 10_000,
});
service.identity.mount(keys, { apiKeys: true, counted: (caller) => caller });
after(() => keys.close());

type Headers = Record<string, string>;
const as = (token: string): Headers => ({ authorization: `Bearer ${token}` });

const post = (url: string, headers: Headers, body: object): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...body }),
  });

/** The content of a stream, once it has ended. */
const readAll = async (response: Response): Promise<string> => {
  assert.equal(response.status, 200, await response.clone().text());
  return response.text();
};

const slowly = { name: 'slow', arguments: { ms: 60_000 } };

/** A session with its own stream and a call in progress, as one client. */
async function legacy(credential: Headers, url = mcpUrl) {
  const initialized = await post(url, credential, {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  });
  assert.equal(initialized.status, 200, await initialized.clone().text());
  const session = { ...credential, 'mcp-session-id': initialized.headers.get('mcp-session-id') ?? '' };
  const stream = await fetch(url, { headers: { ...session, accept: 'text/event-stream' } });
  return {
    stream: readAll(stream),
    slow: post(url, session, { id: 2, method: 'tools/call', params: slowly }).then((answer) => answer.text()),
    ping: async () => (await post(url, session, { id: 3, method: 'ping' })).status,
  };
}

/** A stream of changes and a call in progress, of a client without sessions. */
async function modern(credential: Headers, url = mcpUrl) {
  const ask = (method: string, params: Record<string, unknown>) =>
    modernRequest(url, credential, method, params);
  const listening = await ask('subscriptions/listen', { notifications: { toolsListChanged: true } });
  return {
    stream: readAll(listening),
    slow: ask('tools/call', slowly).then((answer) => answer.text()),
  };
}

let begunSoFar = 0;

/** Waits until so many more slow calls have reached the server behind the gateway. */
async function underWay(calls: number): Promise<void> {
  begunSoFar += calls;
  await begun(begunSoFar, mcpUrl);
}

async function begun(calls: number, url: string): Promise<void> {
  for (;;) {
    const answer = await modernRequest(url, { 'x-api-key': service.key }, 'tools/call', { name: 'begun' });
    const { result } = (await answer.json()) as { result: { content: { text: string }[] } };
    if (Number(result.content[0]?.text) >= calls) return;
    await sleep(20);
  }
}

/** Whether it continues: nothing ends it while the others end. */
const isOpen = async (stream: Promise<unknown>): Promise<boolean> =>
  Promise.race([stream.then(() => false), sleep(100).then(() => true)]);

async function allEnd(
  ...parts: readonly { stream: Promise<string>; slow: Promise<string> }[]
): Promise<void> {
  for (const { stream, slow } of parts) {
    await stream;
    assert.match(await slow, /Your access has ended/);
  }
}

const password = 'a first password of some length';
let people = 0;

/** A new user, signed in. */
async function newUser() {
  people += 1;
  const username = `person-${people}`;
  const { body } = await call('POST', '/auth/register', { as: tokens.admin, body: { username, password } });
  const login = await call('POST', '/auth/login', { body: { username, password } });
  return { id: body.id as string, username, token: login.body.access_token as string };
}

async function newKey(token: string, expires_at?: string): Promise<{ id: string; key: string }> {
  const made = await keys.inject({
    method: 'POST',
    url: '/api/api-keys',
    headers: as(token),
    payload: { name: 'test', ...(expires_at !== undefined && { expires_at }) },
  });
  return made.json();
}

/** A client that the user has authorised. */
async function letIn(username: string) {
  const { body: client } = await register(mcpUrl);
  const flow = beginFlow(mcpUrl, client.client_id);
  const back = await new Person({ username, password }).allow(flow.url, home);
  const { body } = await redeem(mcpUrl, client.client_id, flow, back.searchParams.get('code') ?? '');
  return {
    credential: as(body.access_token),
    refresh: async () => (await refresh(mcpUrl, client.client_id, body.refresh_token)).body,
  };
}

const status = async (credential: Headers, url = mcpUrl) =>
  (await fetch(url, { headers: credential })).status;

test('deleting an API key ends its sessions and calls', async () => {
  const { token } = await newUser();
  const first = await newKey(token);
  const second = await newKey(token);
  const ending = [await legacy({ 'x-api-key': first.key }), await modern({ 'x-api-key': first.key })];
  const staying = await legacy({ 'x-api-key': second.key });
  await underWay(3);
  const deleted = await keys.inject({
    method: 'DELETE',
    url: `/api/api-keys/${first.id}`,
    headers: as(token),
  });
  assert.equal(deleted.statusCode, 200, deleted.body);
  await allEnd(...ending);
  assert.equal(await status({ 'x-api-key': first.key }), 401);
  assert.ok(await isOpen(staying.stream));
  assert.equal(await staying.ping(), 200);
  await keys.inject({ method: 'DELETE', url: `/api/api-keys/${second.id}`, headers: as(token) });
  await allEnd(staying);
});

test('the expiry of an API key ends its sessions and calls', async () => {
  const { token } = await newUser();
  const inAnHour = new Date(service.clock.now() + 3_600_000).toISOString();
  const credential = { 'x-api-key': (await newKey(token, inAnHour)).key };
  const session = await legacy(credential);
  const ending = [session, await modern(credential)];
  const staying = await legacy({ 'x-api-key': (await newKey(token)).key });
  await underWay(3);
  service.clock.advance(3_600_000);
  try {
    assert.equal(await session.ping(), 401, 'a call is refused at once');
    await allEnd(...ending);
    assert.equal(await status(credential), 401);
    assert.ok(await isOpen(staying.stream));
  } finally {
    service.clock.advance(-3_600_000);
  }
});

test('ending a consent, or revoking a client’s token, ends its sessions and calls', async () => {
  const { username, token } = await newUser();
  const ended = await letIn(username);
  const kept = await letIn(username);
  const ending = [await legacy(ended.credential), await modern(ended.credential)];
  const staying = await modern(kept.credential);
  await underWay(3);
  const { body } = await call('GET', `/api/gateways/${gatewayId}/oauth/consents`, { as: token });
  const oldest = body.consents.at(-1);
  assert.equal(
    (await call('DELETE', `/api/gateways/${gatewayId}/oauth/consents/${oldest.id}`, { as: token })).status,
    200,
  );
  await allEnd(...ending);
  assert.equal((await ended.refresh()).error, 'invalid_grant');
  assert.ok(await isOpen(staying.stream));
  await call('PATCH', `/auth/users/${(await call('GET', '/auth/me', { as: token })).body.id}`, {
    as: tokens.admin,
    body: { enabled: false },
  });
  await allEnd(staying);
});

for (const [what, change] of [
  [
    'a new password of one’s own',
    ({ token }: { id: string; token: string }) =>
      call('PUT', '/auth/password', {
        as: token,
        body: { current_password: password, new_password: 'a second password of some length' },
      }),
  ],
  [
    'a new password from an administrator',
    ({ id }: { id: string; token: string }) =>
      call('PATCH', `/auth/users/${id}`, {
        as: tokens.admin,
        body: { password: 'a third password of some length' },
      }),
  ],
] as const)
  test(`${what} ends sessions opened with the old password, but not those of API keys`, async () => {
    const user = await newUser();
    const { key } = await newKey(user.token);
    const client = await letIn(user.username);
    const ending = [
      await legacy(client.credential),
      await modern(client.credential),
      await legacy(as(user.token)),
    ];
    const staying = await legacy({ 'x-api-key': key });
    await underWay(4);
    assert.equal((await change(user)).status, 200);
    await allEnd(...ending);
    assert.equal(await status(client.credential), 401);
    assert.equal((await client.refresh()).error, 'invalid_grant');
    const { body } = await call('GET', `/api/gateways/${gatewayId}/oauth/consents`, { as: tokens.admin });
    assert.ok(body.consents.every(({ user_id: userId }: { user_id: string }) => userId !== user.id));
    assert.equal(await status({ 'x-api-key': key }), 200);
    assert.ok(await isOpen(staying.stream));
    await call('DELETE', `/auth/users/${user.id}`, { as: tokens.admin });
    await allEnd(staying);
  });

test('a browser signed in with the old password must enter the new one', async () => {
  const { id, username } = await newUser();
  const person = new Person({ username, password });
  const { body: client } = await register(mcpUrl);
  await person.allow(beginFlow(mcpUrl, client.client_id).url, home);
  const signedIn = await person.open(beginFlow(mcpUrl, client.client_id).url, home);
  assert.ok('html' in signedIn && !signedIn.html.includes('name="password"'));
  service.clock.advance(2000);
  await call('PATCH', `/auth/users/${id}`, {
    as: tokens.admin,
    body: { password: 'a fourth password, long' },
  });
  const after = await person.open(beginFlow(mcpUrl, client.client_id).url, home);
  assert.ok('html' in after && after.html.includes('name="password"'));
  service.clock.advance(-2000);
});

test('access ended in one process ends in the others', async () => {
  const url = mcpUrl.replace(home, other.url);
  const { id, username, token } = await newUser();
  const { key } = await newKey(token);
  const login = await other.call('POST', '/auth/login', { body: { username, password } });
  const there: Headers[] = [{ 'x-api-key': key }, as(login.body.access_token)];
  const ending = [];
  for (const credential of there) ending.push(await legacy(credential, url), await modern(credential, url));
  await begun(4, url);
  await call('DELETE', `/auth/users/${id}`, { as: tokens.admin });
  await allEnd(...ending);
});

test('a session follows its user’s current permissions, not those at its start', async () => {
  const { id, token } = await newUser();
  const { key } = await newKey(token);
  const rules = {
    access_control: { default: 'deny', rules: [{ principals: ['admin'], effect: 'allow' }] },
  };
  const made = await service.gateway([{ server: stdioServer('./complete.ts'), prefix: '' }], rules);
  const initialized = await post(
    made.mcpUrl,
    { 'x-api-key': key },
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    },
  );
  const session = { 'x-api-key': key, 'mcp-session-id': initialized.headers.get('mcp-session-id') ?? '' };
  const tools = async () => {
    const answer = await post(made.mcpUrl, session, { id: 2, method: 'tools/list' });
    return ((await answer.json()) as { result: { tools: unknown[] } }).result.tools.length;
  };
  assert.equal(await tools(), 0);
  await call('PATCH', `/auth/users/${id}`, { as: tokens.admin, body: { roles: ['admin', 'member'] } });
  assert.ok((await tools()) > 0);
  await call('PATCH', `/auth/users/${id}`, { as: tokens.admin, body: { roles: ['member'] } });
  assert.equal(await tools(), 0);
});
