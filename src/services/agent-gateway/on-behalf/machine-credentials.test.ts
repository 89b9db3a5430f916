/** Servers at which the gateway signs in as itself: what is sent, how often, and what is refused before it is stored. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, test } from 'node:test';
import { createRemoteJWKSet, decodeJwt, importSPKI, jwtVerify } from 'jose';
import { look as lookAs, startProtectedServer } from '../fixtures/protected-server.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, key, url: home } = service;

const pem = { type: 'pkcs8', format: 'pem' } as const;
const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const privateKey = keys.privateKey.export(pem);

async function startProtected(settings?: Parameters<typeof startProtectedServer>[0]) {
  const upstream = await startProtectedServer(settings);
  after(() => upstream[Symbol.dispose]());
  return {
    ...upstream,
    server: (client: object) =>
      upstream.server({ auth_type: 'oauth', oauth_client: { client_id: 'gateway', ...client } }),
  };
}

const look = (mcpUrl: string) => lookAs(mcpUrl, { 'x-api-key': key });

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

test('stored secrets are asked for again where somebody else would be shown them', async () => {
  const upstream = await startProtected();
  const stranger = await startProtected();
  const client = { client_id: 'gateway', grant: 'client_credentials', issuer: upstream.origin };
  const body = { name: 'Moved', ...upstream.server({ ...client, client_secret: 'sesame' }) };
  const made = await call('POST', '/api/mcp-servers', { key, body });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const path = `/api/mcp-servers/${made.body.id}`;
  const hidden = made.body.oauth_client;
  const moves = [
    { oauth_client: { ...hidden, issuer: stranger.origin } },
    { connection_url: `${stranger.origin}/mcp`, oauth_client: hidden },
    { connection_url: `${stranger.origin}/mcp` },
    { oauth_client: { ...hidden, client_id: 'another' } },
    { oauth_client: hidden, token_exchange: { token_endpoint: `${stranger.origin}/token` } },
  ];
  for (const fields of moves) {
    const moved = await call('PUT', path, { key, body: fields });
    assert.equal(moved.status, 422, JSON.stringify(fields));
    assert.match(
      moved.body.detail,
      /'oauth_client.client_secret' (is hidden|was stored for another address)/,
    );
  }
  const after = await call('GET', path, { key });
  assert.equal(after.body.oauth_client.issuer, upstream.origin, 'nothing was changed');
  assert.equal((await call('PUT', path, { key, body: { name: 'Renamed' } })).status, 200);
  const told = { ...client, client_secret: 'other', issuer: stranger.origin };
  const sent = await call('PUT', path, {
    key,
    body: { connection_url: `${stranger.origin}/mcp`, oauth_client: told },
  });
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
  const gone = await call('PUT', path, {
    key,
    body: { connection_url: `${upstream.origin}/mcp`, auth_type: 'none', oauth_client: null },
  });
  assert.equal(gone.status, 200, JSON.stringify(gone.body));
  assert.equal(stranger.asked.length, 0, 'the secret was shown to nobody else');
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
    assert.match(found.body.detail, /gave the gateway no token \(unauthorized_client: not for you\)/);
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
