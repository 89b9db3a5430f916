/** Servers at which the gateway signs in as itself: what is sent, how often, and what is refused before it is stored. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { createRemoteJWKSet, decodeJwt, importSPKI, jwtVerify } from 'jose';
import { modernRequest } from '../../../../test/fixtures/modern-request.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, key, url: home } = service;

const pem = { type: 'pkcs8', format: 'pem' } as const;
const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const privateKey = keys.privateKey.export(pem);

/** An MCP server with one tool, and its authorization server: tokens `t1`, `t2`, … for whoever asks. */
async function startProtected({ refuses = false, lastsSeconds = 600 } = {}) {
  const asked: { form: URLSearchParams; authorization: string | undefined }[] = [];
  let valid = '';
  const answers: Record<string, (request: IncomingMessage, response: ServerResponse) => Promise<void>> = {
    '/.well-known/oauth-protected-resource/mcp': async (_, response) =>
      void response.end(JSON.stringify({ resource: `${origin}/mcp`, authorization_servers: [origin] })),
    '/.well-known/oauth-authorization-server': async (_, response) =>
      void response.end(
        JSON.stringify({
          issuer: origin,
          token_endpoint: `${origin}/token`,
          token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt'],
        }),
      ),
    '/token': async (request, response) => {
      const form = new URLSearchParams(await text(request));
      asked.push({ form, authorization: request.headers.authorization });
      if (refuses) {
        response.writeHead(400).end(JSON.stringify({ error: 'unauthorized_client' }));
        return;
      }
      valid = `t${asked.length}`;
      const token = { access_token: valid, token_type: 'Bearer', expires_in: lastsSeconds };
      response.end(JSON.stringify(token));
    },
    '/mcp': async (request, response) => {
      const message = JSON.parse(await text(request)) as { id?: number; method: string };
      if (request.headers.authorization !== `Bearer ${valid}`) {
        response.writeHead(401, { 'www-authenticate': 'Bearer scope="read"' }).end();
        return;
      }
      const results: Record<string, object> = {
        'server/discover': {
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {} },
          serverInfo: { name: 'protected', version: '1' },
        },
        'tools/list': { tools: [{ name: 'look', inputSchema: { type: 'object' } }] },
        'tools/call': { content: [{ type: 'text', text: 'seen' }] },
      };
      const result = results[message.method];
      const body = result === undefined ? { error: { code: -32601, message: 'No.' } } : { result };
      response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...body }));
    },
  };
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    const answer = answers[request.url ?? ''];
    if (answer === undefined) response.writeHead(404).end();
    else answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    asked,
    origin,
    expire: () => (valid = 'none'),
    server: (client: object) => ({
      transport: 'http',
      connection_url: `${origin}/mcp`,
      auth_type: 'oauth',
      oauth_client: { client_id: 'gateway', ...client },
    }),
  };
}

async function look(mcpUrl: string): Promise<string> {
  const response = await modernRequest(mcpUrl, { 'x-api-key': key }, 'tools/call', { name: 'look' });
  const { result, error } = (await response.json()) as {
    result?: { content: { text: string }[] };
    error?: { message: string };
  };
  return result?.content[0]?.text ?? error?.message ?? '';
}

test('client credentials: one token serves all calls until it ends, and a refused one is replaced once', async () => {
  const upstream = await startProtected();
  const client = { grant: 'client_credentials', client_secret: 'sesame', issuer: upstream.origin };
  const { mcpUrl, serverIds } = await service.gateway([{ server: upstream.server(client), prefix: '' }]);
  assert.deepEqual(await Promise.all([look(mcpUrl), look(mcpUrl), look(mcpUrl)]), ['seen', 'seen', 'seen']);
  const before = upstream.asked.length;
  assert.ok(before <= 2, 'one for the gateway; one for attaching, which looks by itself');
  const { form } = upstream.asked[0] ?? { form: new URLSearchParams() };
  assert.equal(form.get('grant_type'), 'client_credentials');
  assert.equal(form.get('client_secret'), 'sesame');
  assert.equal(form.get('resource'), `${upstream.origin}/mcp`);
  assert.equal(form.get('scope'), 'read', 'as the server’s challenge says');
  upstream.expire();
  assert.equal(await look(mcpUrl), 'seen');
  assert.equal(upstream.asked.length, before + 1);
  service.clock.advance(580_000);
  assert.equal(await look(mcpUrl), 'seen');
  assert.equal(upstream.asked.length, before + 2, 'renewed before it ends');

  const path = `/api/mcp-servers/${serverIds[0]}`;
  const { body } = await call('GET', path, { key });
  assert.equal(body.oauth_client.client_secret, '********');
  assert.equal(body.authorization_url, null, 'nobody is asked to consent');
  assert.equal((await call('POST', `${path}/authorize`, { key })).status, 409);
  const kept = await call('PUT', path, { key, body: { oauth_client: body.oauth_client } });
  assert.equal(kept.status, 200, JSON.stringify(kept.body));
  assert.equal(await look(mcpUrl), 'seen', 'the stored secret was kept');
});

test('a key signs, and nothing secret is sent; a workload’s assertion is the gateway’s own unless one is given', async () => {
  const upstream = await startProtected();
  const signing = { grant: 'client_credentials', private_key: privateKey };
  const { mcpUrl } = await service.gateway([{ server: upstream.server(signing), prefix: '' }]);
  assert.equal(await look(mcpUrl), 'seen');
  const { form } = upstream.asked[0] ?? { form: new URLSearchParams() };
  const spki = keys.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const verified = await jwtVerify(form.get('client_assertion') ?? '', await importSPKI(spki, 'ES256'), {
    issuer: 'gateway',
    subject: 'gateway',
    audience: upstream.origin,
  });
  assert.ok(verified.payload.jti);
  assert.equal(form.get('client_secret'), null);

  const workload = await startProtected();
  const { mcpUrl: second, serverIds } = await service.gateway([
    { server: workload.server({ grant: 'jwt_bearer' }), prefix: '' },
  ]);
  assert.equal(await look(second), 'seen');
  const sent = workload.asked[0]?.form;
  assert.equal(sent?.get('grant_type'), 'urn:ietf:params:oauth:grant-type:jwt-bearer');
  const own = createRemoteJWKSet(new URL(`${home}/.well-known/jwks.json`));
  await jwtVerify(sent?.get('assertion') ?? '', own, { issuer: home, audience: workload.origin });
  assert.equal(decodeJwt(sent?.get('assertion') ?? '').sub, serverIds[0]);
});

test('who is refused a token hears why, and is not asked for again with each call', async () => {
  const upstream = await startProtected({ refuses: true });
  const client = { grant: 'client_credentials', client_secret: 'wrong', issuer: upstream.origin };
  const { body } = await call('POST', '/api/mcp-servers', {
    key,
    body: { name: 'Refusing', ...upstream.server(client) },
  });
  for (let i = 0; i < 5; i += 1) {
    const found = await call('POST', `/api/mcp-servers/${body.id}/discover/tools`, { key });
    assert.equal(found.status, 502);
    assert.match(found.body.detail, /gave the gateway no token \(unauthorized_client\)/);
  }
  assert.equal(upstream.asked.length, 1);
});

test('fields that do not go together are refused by name, before anything is stored', async () => {
  const upstream = await startProtected();
  const cases: [client: object, status: number, detail: RegExp][] = [
    [{ grant: 'client_credentials' }, 400, /'oauth_client.client_secret' or 'oauth_client.private_key'/],
    [{ grant: 'client_credentials', client_secret: 's' }, 400, /'oauth_client.issuer' is missing/],
    [{ grant: 'client_credentials', private_key: 'no key' }, 422, /'oauth_client.private_key' must be/],
    [{ grant: 'client_credentials', private_key: privateKey, assertion: 'a.b.c' }, 422, /assertion' is for/],
    [{ grant: 'jwt_bearer', assertion: 'a.b.c' }, 400, /issuer' is missing/],
    [{ private_key: privateKey }, 422, /'oauth_client.private_key' is for/],
    [{ grant: 'jwt_bearer', issuer: 'http://as.example' }, 422, /'oauth_client.issuer' must be/],
    [{ grant: 'password' }, 422, /grant/],
  ];
  for (const [client, status, detail] of cases) {
    const body = { name: 'Refused', ...upstream.server(client) };
    const answer = await call('POST', '/api/mcp-servers', { key, body });
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    assert.match(answer.body.detail, detail);
  }
  const each = await call('POST', '/api/mcp-servers', {
    key,
    body: {
      name: 'Refused',
      ...upstream.server({ grant: 'jwt_bearer' }),
      identity_scheme: 'user_oauth',
    },
  });
  assert.equal(each.status, 422);
  assert.match(each.body.detail, /choose one/);
});
