/** Signing in at MCP servers, end to end, against an authorization server in its own process. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startHttp } from '../../../../test/fixtures/mcp-servers/start.ts';
import { confirm, followConsent } from '../fixtures/consent.ts';
import { openTestService } from '../fixtures/service.ts';
import { modernRequest } from '../../../../test/fixtures/modern-request.ts';

const service = await openTestService({
  env: { BULWARK_AGENT_GATEWAY_CLIENT_METADATA_URL: 'https://gateway.example/client.json' },
});
after(() => service[Symbol.asyncDispose]());
const { call, key, tokens } = service;

// oxlint-disable-next-line typescript/no-explicit-any -- results of every kind.
const said = (result: any): string => result.content?.[0]?.text ?? '';

async function open(...manners: string[]) {
  const upstream = await startHttp('./protected.ts', ...manners);
  after(() => upstream[Symbol.dispose]());
  const origin = new URL(upstream.url).origin;
  const server = { transport: 'http', connection_url: upstream.url, auth_type: 'oauth' };
  return {
    server,
    seen: async () =>
      (await fetch(`${origin}/seen`)).json() as Promise<Record<string, number> & { headers: string[] }>,
    expire: (all = false) => fetch(`${origin}/expire${all ? '?all' : ''}`, { method: 'POST' }),
  };
}

const detail = async (id: string, as = { key }) => (await call('GET', `/api/mcp-servers/${id}`, as)).body;

/** Consents as the user of the API key. */
async function consent(serverId: string) {
  const { authorization_url: url, authorization } = await detail(serverId);
  assert.ok(url, JSON.stringify(authorization));
  const { url: back } = await followConsent(url);
  return confirm(back);
}

async function connect(mcpUrl: string) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const requestInit = { headers: { 'x-api-key': key } };
  await client.connect(new StreamableHTTPClientTransport(new URL(mcpUrl), { requestInit }));
  return client;
}

test('after one consent, calls use a token of the server, never the caller’s credential', async () => {
  const { server, seen } = await open();
  const { mcpUrl, serverIds, gatewayId } = await service.gateway([{ server, prefix: '' }]);
  const [id = ''] = serverIds;
  const before = await detail(id);
  assert.equal(before.auth_type, 'oauth');
  assert.equal(before.authorization.status, 'needs_authorization');
  const asked = new URL(before.authorization_url).searchParams;
  assert.equal(asked.get('resource'), server.connection_url);
  assert.equal(asked.get('code_challenge_method'), 'S256');
  assert.equal(asked.get('scope'), 'mcp:read offline_access');
  assert.equal(asked.get('redirect_uri'), `${service.url}/api/mcp-servers/callback`);
  assert.equal(
    (await detail(id)).authorization_url,
    before.authorization_url,
    'a sign-in in progress continues',
  );
  const member = await call('GET', `/api/mcp-servers/${id}`, { as: tokens.member });
  assert.equal(member.body.authorization_url, null, 'only users who may change the server can sign it in');
  const status = await call('GET', `/api/gateways/${gatewayId}/status`, { key });
  assert.match(status.body.servers[0].error, /wants somebody to sign in.*authorization_url/);

  const { url, page } = await followConsent(before.authorization_url);
  assert.match(page.text, /began this\s+yourself/);
  assert.match(page.text, /admin, tenant system/);
  assert.equal(
    (await detail(id)).authorization.status,
    'needs_authorization',
    'nothing happens before the button is pressed',
  );
  assert.match((await confirm(url)).text, /is connected/);
  assert.equal((await confirm(url)).status, 422, 'once only');
  const { authorization, authorization_url } = await detail(id);
  assert.equal(authorization.status, 'authorized');
  assert.equal(authorization.scope, 'mcp:read offline_access');
  assert.equal(authorization_url, null);

  const client = await connect(mcpUrl);
  const headers = said(await client.callTool({ name: 'whoami', arguments: {} }));
  assert.ok(!headers.includes(key) && !headers.includes('x-api-key'));
  const asUser = await modernRequest(mcpUrl, { authorization: `Bearer ${tokens.admin}` }, 'tools/call', {
    name: 'whoami',
  });
  assert.equal(asUser.status, 200, await asUser.clone().text());
  const { registrations, headers: all } = await seen();
  assert.equal(registrations, 1);
  assert.ok(all.some((each) => each.includes('Bearer upstream-')));
  for (const secret of [key, tokens.admin]) assert.ok(all.every((each) => !each.includes(secret)));
  const rows = await service.db.query<{ sealed: Buffer }>('select sealed from agent_gateway.server_grants');
  assert.ok(rows.every(({ sealed }) => !sealed.includes('upstream-') && !sealed.includes('refresh-')));
  await client.close();
});

test('an expired token is refreshed once for all waiting calls, and a lost one needs a new consent', async () => {
  const { server, seen, expire } = await open();
  const { mcpUrl, serverIds } = await service.gateway([{ server, prefix: '' }]);
  const [id = ''] = serverIds;
  await consent(id);
  const client = await connect(mcpUrl);
  const whoami = () => client.callTool({ name: 'whoami', arguments: {} });
  await whoami();
  await expire();
  const answers = await Promise.all(Array.from({ length: 10 }, whoami));
  assert.ok(answers.every((each) => said(each).includes('host')));
  assert.equal((await seen())['refreshes'], 1);

  service.clock.advance(3_600_000 - 20_000);
  await whoami();
  assert.equal((await seen())['refreshes'], 2, 'renewed before it expires');
  service.clock.advance(-3_600_000 + 20_000);

  await expire(true);
  await assert.rejects(whoami(), /wants somebody to sign in/);
  assert.equal((await detail(id)).authorization.status, 'needs_authorization');
  await consent(id);
  assert.match(said(await whoami()), /host/);
  assert.equal((await seen())['registrations'], 1, 'the client is already registered there');
  await client.close();
});

test('an operation that needs more scopes asks for a new consent once, and not again if the consent did not help', async () => {
  const { server } = await open();
  const { mcpUrl, serverIds } = await service.gateway([{ server, prefix: '' }]);
  const [id = ''] = serverIds;
  await consent(id);
  const client = await connect(mcpUrl);
  const admin = () => client.callTool({ name: 'admin', arguments: {} });
  await assert.rejects(admin(), /wants somebody to sign in/);
  const { authorization_url: url } = await detail(id);
  assert.equal(new URL(url).searchParams.get('scope'), 'mcp:read offline_access mcp:admin');
  await consent(id);
  assert.equal(said(await admin()), 'done');
  await client.close();

  const greedy = await open('greedy');
  const second = await service.gateway([{ server: greedy.server, prefix: '' }]);
  await consent(second.serverIds[0] ?? '');
  const other = await connect(second.mcpUrl);
  await assert.rejects(other.callTool({ name: 'admin', arguments: {} }), /cannot be signed in/);
  const after = await detail(second.serverIds[0] ?? '');
  assert.equal(after.authorization.status, 'failed');
  assert.match(after.authorization.error, /refuses what its authorization server has granted/);
  assert.equal(after.authorization_url, null);
  await other.close();
});

test('servers with metadata pointing elsewhere are refused with the reason, before anybody is asked to sign in', async () => {
  for (const [manner, error] of [
    ['wrong-issuer', /metadata of the authorization server .* cannot be used/],
    ['wrong-resource', /describes itself as another resource/],
    ['private', /must be an https:\/\/ address|private or reserved/],
    ['by-hand', /registers no clients by itself.*oauth_client/],
  ] as const) {
    const { server, seen } = await open(manner);
    const { body } = await call('POST', '/api/mcp-servers', { key, body: { name: manner, ...server } });
    const { authorization, authorization_url } = await detail(body.id);
    assert.equal(authorization_url, null, manner);
    assert.match(authorization.error, error, manner);
    assert.equal((await seen())['registrations'], 0, manner);
  }
});

test('a callback from another issuer is refused, and no code is redeemed', async () => {
  const { server, seen } = await open('mix-up');
  const { body } = await call('POST', '/api/mcp-servers', { key, body: { name: 'Mixed up', ...server } });
  const page = await consent(body.id);
  assert.equal(page.status, 502);
  assert.match(page.text, /Nothing was connected/);
  assert.equal((await seen())['tokens'], 0);
  assert.equal((await detail(body.id)).authorization.status, 'needs_authorization');
});

test('the gateway identifies itself by its client metadata document or by a client registered by hand', async () => {
  const documents = await open('documents');
  const { body } = await call('POST', '/api/mcp-servers', {
    key,
    body: { name: 'Documents', ...documents.server },
  });
  const { authorization_url: url } = await detail(body.id);
  assert.equal(new URL(url).searchParams.get('client_id'), 'https://gateway.example/client.json');
  assert.match((await consent(body.id)).text, /is connected/);
  assert.equal((await documents.seen())['registrations'], 0);
  const document = await call('GET', '/api/mcp-servers/client-metadata.json');
  assert.deepEqual(document.body.redirect_uris, [`${service.url}/api/mcp-servers/callback`]);

  const byHand = await open('by-hand');
  const oauth_client = { client_id: 'registered-by-hand', client_secret: 'hand-made' };
  const made = await call('POST', '/api/mcp-servers', {
    key,
    body: { name: 'By hand', ...byHand.server, oauth_client },
  });
  assert.deepEqual(made.body.oauth_client, {
    ...oauth_client,
    client_secret: '********',
    issuer: null,
    grant: 'authorization_code',
    private_key: null,
    assertion: null,
  });
  assert.match((await consent(made.body.id)).text, /is connected/);
  const kept = await call('PUT', `/api/mcp-servers/${made.body.id}`, {
    key,
    body: { name: 'Still by hand', oauth_client: made.body.oauth_client },
  });
  assert.equal(kept.status, 200);
  assert.equal(
    (await detail(made.body.id)).authorization.status,
    'authorized',
    'the same client, the same grant',
  );
});

test('a grant applies to one server address, can be ended, and cannot be used by other tenants and users', async () => {
  const { server, seen } = await open();
  const other = await open();
  const { body } = await call('POST', '/api/mcp-servers', {
    key,
    body: { name: 'Moving', visibility: 'tenant', ...server },
  });
  const path = `/api/mcp-servers/${body.id}`;
  for (const [method, end] of [
    ['POST', '/authorize'],
    ['DELETE', '/authorization'],
  ] as const) {
    assert.equal((await call(method, path + end, { as: tokens.stranger })).status, 404);
    assert.equal((await call(method, path + end, { as: tokens.member })).status, 403);
  }
  await consent(body.id);
  await call('PUT', path, { key, body: { connection_url: other.server.connection_url } });
  assert.equal((await detail(body.id)).authorization.status, 'needs_authorization');
  const sent = await call('POST', `${path}/discover/tools`, { key });
  assert.equal(sent.status, 502);
  assert.ok((await other.seen()).headers.every((each) => !each.includes('upstream-')));

  await call('PUT', path, { key, body: { connection_url: server.connection_url } });
  const begun = await call('POST', `${path}/authorize`, { key });
  const { url } = await followConsent(begun.body.authorization_url);
  await call('PUT', path, { key, body: { connection_url: other.server.connection_url } });
  assert.equal((await confirm(url)).status, 422, 'a sign-in for the old address has ended');

  await call('PUT', path, { key, body: { connection_url: server.connection_url } });
  await consent(body.id);
  assert.equal((await call('POST', `${path}/discover/tools`, { key })).body.count, 2);
  assert.equal((await call('DELETE', `${path}/authorization`, { key })).status, 200);
  assert.equal((await seen())['revocations'], 1);
  assert.equal((await call('POST', `${path}/discover/tools`, { key })).status, 502);

  const { url: back } = await followConsent((await detail(body.id)).authorization_url);
  assert.match((await confirm(back, 'no')).text, /Nothing was connected/);
  const forged = new URL(back);
  forged.searchParams.set('state', 'guessed');
  assert.equal((await confirm(forged.href)).status, 422);
  const none = await call('POST', '/api/mcp-servers', {
    key,
    body: { name: 'Open', transport: 'http', connection_url: server.connection_url },
  });
  assert.equal((await call('POST', `/api/mcp-servers/${none.body.id}/authorize`, { key })).status, 409);
});
