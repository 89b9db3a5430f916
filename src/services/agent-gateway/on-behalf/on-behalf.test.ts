/** Identity schemes: what each sends, to whom, and what is never sent. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose';
import { startOidcIssuer } from '../../../../test/fixtures/oidc-issuer.ts';
import { startHttp } from '../../../../test/fixtures/mcp-servers/start.ts';
import { openLegacyClient, openModernClient } from '../fixtures/sdk-clients.ts';
import { openTestService } from '../fixtures/service.ts';
import { modernRequest } from '../../../../test/fixtures/modern-request.ts';

const issuer = await startOidcIssuer();
const service = await openTestService({ env: { BULWARK_OIDC_ISSUER: issuer.url } });
after(async () => {
  await service[Symbol.asyncDispose]();
  await issuer[Symbol.asyncDispose]();
});
const { call, key, tokens, url: home } = service;

type Headers = Record<string, string>;

interface Seen {
  exchanges: number;
  mixed: number;
  sessions: number;
  seen: { path: string; method: string; headers: Headers; form?: Headers }[];
}

async function start(...manners: string[]) {
  const upstream = await startHttp('./identified.ts', ...manners);
  after(() => upstream[Symbol.dispose]());
  const { origin } = new URL(upstream.url);
  const exchange = {
    identity_scheme: 'token_exchange',
    token_exchange: { token_endpoint: `${origin}/token`, audience: 'tracker', scope: 'read' },
    oauth_client: { client_id: 'gateway', client_secret: 'sesame' },
  };
  return {
    url: upstream.url,
    server: (fields: object) => ({ transport: 'http', connection_url: upstream.url, ...fields }),
    exchange,
    seen: async () => (await fetch(`${origin}/seen`)).json() as Promise<Seen>,
    forget: () => fetch(`${origin}/forget`),
  };
}

/** One call of `whoami` without a session, with any credential. */
async function whoami(mcpUrl: string, headers: Headers): Promise<Headers> {
  const response = await modernRequest(mcpUrl, headers, 'tools/call', { name: 'whoami' });
  const { result, error } = (await response.json()) as {
    result?: { content: { text: string }[] };
    error?: { message: string };
  };
  if (result === undefined) throw new Error(error?.message);
  return JSON.parse(result.content[0]?.text ?? '') as Headers;
}

const as = (token: string): Headers => ({ authorization: `Bearer ${token}` });

test('by default nothing about the caller is sent to a server', async () => {
  const upstream = await start();
  const { mcpUrl } = await service.gateway([{ server: upstream.server({}), prefix: '' }]);
  const before = await upstream.seen();
  for (const sent of [as(tokens.admin), { 'x-api-key': key }]) {
    const headers = await whoami(mcpUrl, {
      ...sent,
      'x-forwarded-user': 'forged',
      'x-bulwark-identity': 'forged',
    });
    for (const name of [
      'authorization',
      'x-api-key',
      'x-forwarded-user',
      'x-forwarded-email',
      'x-bulwark-identity',
    ])
      assert.equal(headers[name], undefined, name);
  }
  assert.equal((await upstream.seen()).sessions, before.sessions, 'one connection for all');
});

test('headers: sends the user’s name, and an email address only if an administrator set it', async () => {
  const upstream = await start();
  const { mcpUrl } = await service.gateway([
    { server: upstream.server({ identity_scheme: 'headers' }), prefix: '' },
  ]);
  const before = await upstream.seen();
  const forged = { 'x-forwarded-user': 'root', 'x-forwarded-email': 'root@example.com' };
  const first = await whoami(mcpUrl, { ...as(tokens.member), ...forged });
  assert.equal(first['x-forwarded-user'], 'member');
  assert.equal(first['x-forwarded-email'], undefined, 'not the one from the caller’s own header');
  const { body: me } = await call('GET', '/auth/me', { as: tokens.member });
  const given = await call('PATCH', `/auth/users/${me.id}`, {
    as: tokens.admin,
    body: { email: 'member@example.com' },
  });
  assert.equal(given.body.email, 'member@example.com');
  const wrong = await call('PATCH', `/auth/users/${me.id}`, { as: tokens.admin, body: { email: 'nobody' } });
  assert.equal(wrong.status, 422);
  assert.match(wrong.body.detail, /'email'/);
  const own = await call('PATCH', `/auth/users/${me.id}`, {
    as: tokens.member,
    body: { email: 'ceo@example.com' },
  });
  assert.equal(own.status, 403, 'callers cannot choose their identity');
  const second = await whoami(mcpUrl, as(tokens.member));
  assert.equal(second['x-forwarded-email'], 'member@example.com');

  const person = await issuer.mint({
    claims: { sub: 'u-9', tenant: 'system', preferred_username: 'Zoë 100%', email: 'zoe@example.com' },
  });
  const third = await whoami(mcpUrl, as(person));
  assert.equal(decodeURIComponent(third['x-forwarded-user'] ?? ''), 'Zoë 100%');
  assert.equal(third['x-forwarded-email'], 'zoe@example.com');
  const unverified = await issuer.mint({
    claims: {
      sub: 'u-9',
      tenant: 'system',
      preferred_username: 'Zoë 100%',
      email: 'ceo@example.com',
      email_verified: false,
    },
  });
  assert.equal((await whoami(mcpUrl, as(unverified)))['x-forwarded-email'], undefined);
  const { mixed, sessions } = await upstream.seen();
  assert.equal(mixed, 0, 'all messages of a session are from the user who opened it');
  assert.equal(sessions, before.sessions + 2, 'one for each user');
});

test('signed_jwt: sends a one-minute token about the caller for that server, verifiable with published keys', async () => {
  const upstream = await start();
  const { mcpUrl } = await service.gateway([
    { server: upstream.server({ identity_scheme: 'signed_jwt' }), prefix: '' },
  ]);
  const { 'x-bulwark-identity': word = '', authorization } = await whoami(mcpUrl, as(tokens.member));
  assert.equal(authorization, undefined);
  const keys = createRemoteJWKSet(new URL(`${home}/.well-known/jwks.json`));
  const { payload } = await jwtVerify(word, keys, {
    issuer: home,
    audience: upstream.url,
    algorithms: ['ES256'],
  });
  const { body: me } = await call('GET', '/auth/me', { as: tokens.member });
  assert.equal(payload.sub, me.id);
  assert.equal(payload['preferred_username'], 'member');
  assert.equal((payload.exp ?? 0) - (payload.iat ?? 0), 60);
  await assert.rejects(jwtVerify(word, keys, { audience: `${upstream.url}2` }));
  const other = (await whoami(mcpUrl, { 'x-api-key': key }))['x-bulwark-identity'] ?? '';
  assert.equal(decodeJwt(other)['preferred_username'], 'admin');
  assert.notEqual(decodeJwt(other).jti, payload.jti);
  const { seen, mixed } = await upstream.seen();
  assert.equal(mixed, 0);
  for (const { headers } of seen) assert.ok(headers['x-bulwark-identity'], 'also when its tools are listed');
  const { body } = await call('GET', '/.well-known/jwks.json');
  assert.ok(JSON.stringify(body) !== '' && !JSON.stringify(body).includes('"d"'));
  const rows = await service.db.query<{ sealed: Buffer }>('select sealed from agent_gateway.identity_keys');
  assert.ok(rows.length > 0 && rows.every(({ sealed }) => !sealed.includes('"kty"')));
});

test('the next signing key is published an hour before use, and the old one kept for an hour', async () => {
  const upstream = await start();
  const { mcpUrl } = await service.gateway([
    { server: upstream.server({ identity_scheme: 'signed_jwt' }), prefix: '' },
  ]);
  const hourMs = 3_600_000;
  // With an API key, because sign-ins expire sooner than keys.
  const signer = async () =>
    decodeProtectedHeader((await whoami(mcpUrl, { 'x-api-key': key }))['x-bulwark-identity'] ?? '').kid;
  const published = async () => {
    const response = await fetch(`${home}/.well-known/jwks.json`);
    assert.match(response.headers.get('cache-control') ?? '', /max-age=300/);
    return ((await response.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
  };
  const first = await signer();
  assert.deepEqual(await published(), [first]);
  service.clock.advance(30 * 24 * hourMs - 0.5 * hourMs);
  const [, second] = await published();
  assert.ok(second);
  assert.equal(await signer(), first, 'verifiers do not have the new one yet');
  service.clock.advance(1.1 * hourMs);
  assert.equal(await signer(), second);
  assert.deepEqual(await published(), [first, second], 'tokens signed by the old one may still be in use');
  service.clock.advance(1.1 * hourMs);
  assert.deepEqual(await published(), [second]);
  service.clock.advance(-(30 * 24 + 1.7) * hourMs);
});

test('bearer: forwards the caller’s own token only if its audience includes the server', async () => {
  const upstream = await start();
  const { mcpUrl } = await service.gateway([
    { server: upstream.server({ identity_scheme: 'bearer' }), prefix: '' },
  ]);
  const claims = { sub: 'u-1', tenant: 'system', preferred_username: 'ida' };
  const forBoth = await issuer.mint({ claims: { ...claims, aud: ['bulwark', upstream.url] } });
  const forGateway = await issuer.mint({ claims });
  const forAnother = await issuer.mint({ claims: { ...claims, aud: ['bulwark', `${upstream.url}/other`] } });
  for (const token of [forBoth, forGateway, forAnother, tokens.admin])
    await assert.rejects(whoami(mcpUrl, as(token)), (error: Error) => {
      assert.match(error.message, /Unknown tool|takes the caller’s own token/);
      return true;
    });

  // In addition to an API key: a token that the gateway does not use.
  const secret = new TextEncoder().encode('of an authorization server that the gateway does not know');
  const sign = (fields: object) =>
    new SignJWT({ ...fields }).setProtectedHeader({ alg: 'HS256' }).sign(secret);
  const foreign = await sign({ iss: 'https://as.example', aud: upstream.url, sub: 'ida' });
  assert.equal(
    (await whoami(mcpUrl, { 'x-api-key': key, ...as(foreign) })).authorization,
    `Bearer ${foreign}`,
  );
  for (const fields of [
    { iss: 'https://as.example', aud: 'https://elsewhere.example/mcp' },
    { iss: 'https://as.example' },
    { iss: 'https://as.example', aud: [] },
    { iss: 'https://as.example', aud: [upstream.url, 'https://elsewhere.example/mcp'] },
    { aud: upstream.url },
    // Tokens that claim to be issued by us are never forwarded.
    { iss: 'bulwark', aud: upstream.url },
    { iss: mcpUrl, aud: upstream.url },
  ]) {
    const sent = { 'x-api-key': key, ...as(await sign(fields)) };
    await assert.rejects(whoami(mcpUrl, sent), /Unknown tool|takes the caller’s own token/);
  }
  const { seen } = await upstream.seen();
  const allowed = new Set([`Bearer ${foreign}`]);
  for (const { headers } of seen) {
    assert.ok(headers.authorization !== undefined && allowed.has(headers.authorization));
    assert.equal(headers['x-api-key'], undefined);
  }
});

test('token_exchange: one exchange serves all calls of a user until shortly before expiry', async () => {
  const upstream = await start('wants-token');
  const { mcpUrl } = await service.gateway([{ server: upstream.server(upstream.exchange), prefix: '' }]);
  const many = await Promise.all(Array.from({ length: 8 }, () => whoami(mcpUrl, as(tokens.member))));
  assert.ok(many.every(({ user }) => user === 'member'));
  const first = await upstream.seen();
  assert.equal(first.exchanges, 1 + 1, 'one for the user who attached it, one for the member');
  const [, { form = {} } = {}] = first.seen.filter(({ path }) => path === '/token');
  assert.equal(form['grant_type'], 'urn:ietf:params:oauth:grant-type:token-exchange');
  assert.equal(form['resource'], upstream.url);
  assert.equal(form['audience'], 'tracker');
  assert.equal(form['scope'], 'read');
  assert.equal(decodeJwt(form['subject_token'] ?? '').aud, upstream.url.replace('/mcp', '/token'));
  assert.equal((await whoami(mcpUrl, { 'x-api-key': key })).user, 'admin');
  assert.equal((await upstream.seen()).exchanges, 2, 'another credential of the same user');

  service.clock.advance(575_000);
  assert.equal((await whoami(mcpUrl, { 'x-api-key': key })).user, 'admin');
  assert.equal((await upstream.seen()).exchanges, 3, 'half a minute before the end');
  service.clock.advance(-575_000);
  await upstream.forget();
  assert.equal((await whoami(mcpUrl, { 'x-api-key': key })).user, 'admin', 'refused, then exchanged again');
  const { seen } = await upstream.seen();
  for (const { headers, form: sent } of seen)
    for (const secret of [tokens.member, tokens.admin, key])
      assert.ok(!JSON.stringify([headers, sent]).includes(secret), 'no credential of a caller is sent');
});

test('hostile token endpoints cause a clear error in bounded time', async () => {
  for (const [manner, error] of [
    ['refusing', /exchanged no token \(invalid_target: not for you\?\)/],
    ['huge', /larger than \d+ bytes/],
    ['page', /exchanged no token/],
    ['redirecting', /exchanged no token/],
    ['dpop', /exchanged no token/],
  ] as const) {
    const upstream = await start(manner, 'wants-token');
    const made = await call('POST', '/api/mcp-servers', {
      key,
      body: { name: manner, ...upstream.server(upstream.exchange) },
    });
    const { status, body } = await call('POST', `/api/mcp-servers/${made.body.id}/discover/tools`, { key });
    assert.equal(status, 502, manner);
    assert.match(body.detail, error, manner);
    assert.ok(body.detail.length < 500);
  }
  const endpoint = (token_endpoint: string) =>
    call('POST', '/api/mcp-servers', {
      key,
      body: {
        name: 'Private',
        transport: 'http',
        connection_url: 'https://mcp.example/mcp',
        identity_scheme: 'token_exchange',
        oauth_client: { client_id: 'gateway' },
        token_exchange: { token_endpoint },
      },
    });
  for (const url of [
    'http://mcp.example/token',
    'https://10.0.0.8/token',
    'https://[fd00::1]/token',
    'file:///etc/passwd',
  ])
    assert.equal((await endpoint(url)).status, 422, url);
});

test('a server that redirects its messages to another host receives no identity', async () => {
  let asked = 0;
  const thief = createServer((request, response) => {
    asked += 1;
    if (request.method === 'POST') response.writeHead(400).end();
    else
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end('event: endpoint\ndata: /post\n\n');
  });
  await new Promise<void>((resolve) => thief.listen(0, '127.0.0.1', resolve));
  after(() => thief.close());
  const elsewhere = `http://127.0.0.1:${(thief.address() as AddressInfo).port}/mcp`;
  const upstream = await start(elsewhere);
  for (const identity_scheme of ['headers', 'signed_jwt'])
    await service.gateway([{ server: upstream.server({ identity_scheme }), prefix: '' }]);
  const old = upstream.server({ name: 'Old', transport: 'sse', identity_scheme: 'headers' });
  const made = await call('POST', '/api/mcp-servers', { key, body: old });
  const found = await call('POST', `/api/mcp-servers/${made.body.id}/discover/tools`, { key });
  assert.equal(found.status, 502);
  assert.match(found.body.detail, /redirects to another origin/);
  assert.equal(asked, 0, 'nothing is sent to the redirect target');
});

test('missing settings of an identity scheme are named', async () => {
  const make = (fields: object) =>
    call('POST', '/api/mcp-servers', {
      key,
      body: { name: 'Incomplete', transport: 'http', connection_url: 'https://mcp.example/mcp', ...fields },
    });
  const exchange = { identity_scheme: 'token_exchange' };
  const endpoint = { token_exchange: { token_endpoint: 'https://as.example/token' } };
  for (const [fields, status, detail] of [
    [exchange, 400, /'token_exchange.token_endpoint' is missing/],
    [{ ...exchange, ...endpoint }, 400, /'oauth_client' is missing/],
    [{ identity_scheme: 'bearer', auth_type: 'oauth' }, 422, /'auth_type' must be none/],
    [{ identity_scheme: 'user_oauth', auth_type: 'none' }, 422, /needs 'auth_type' oauth/],
    [{ identity_scheme: 'headers', transport: 'stdio', command: 'true' }, 422, /transports http and sse/],
    [{ identity_scheme: 'magic' }, 422, /'identity_scheme'/],
  ] as const) {
    const answer = await make(fields);
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    assert.match(answer.body.detail, detail);
  }
  const { body } = await make({ identity_scheme: 'user_oauth' });
  assert.equal(body.auth_type, 'oauth');
  const cleared = await call('PUT', `/api/mcp-servers/${body.id}`, { key, body: { identity_scheme: null } });
  assert.equal(cleared.body.identity_scheme, 'none');
});

test('clients of both protocol versions have separate upstream connections per user', async () => {
  const upstream = await start();
  const { mcpUrl } = await service.gateway([
    { server: upstream.server({ identity_scheme: 'headers' }), prefix: '' },
  ]);
  for (const open of [openLegacyClient, openModernClient]) {
    await using client = await open({ mcpUrl, key, fill: () => ({ city: 'Paris' }) });
    assert.deepEqual(await client.tools(), ['whoami']);
    assert.match(await client.call('whoami'), /"x-forwarded-user":"admin"/);
  }
  assert.equal((await upstream.seen()).mixed, 0);
});

test('undecryptable signing keys are replaced', async () => {
  const published = async (url: string) => {
    const response = await fetch(`${url}/.well-known/jwks.json`);
    assert.equal(response.status, 200);
    return ((await response.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
  };
  const before = await published(home);
  // With its own secret: the stored keys were encrypted with another one.
  await using other = await openTestService({ db: service.db });
  const upstream = await start();
  const { mcpUrl } = await other.gateway([
    { server: upstream.server({ identity_scheme: 'signed_jwt' }), prefix: '' },
  ]);
  const assertion = (await whoami(mcpUrl, { 'x-api-key': other.key }))['x-bulwark-identity'] ?? '';
  const { kid = '' } = decodeProtectedHeader(assertion);
  assert.ok(!before.includes(kid));
  assert.deepEqual(await published(other.url), [kid]);
});
