/** Attacks on the authorization server that try to obtain another user's token. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { request as rawRequest } from 'node:http';
import { beginFlow, post, redeem, redirectUri, refresh, register } from '../fixtures/oauth-client.ts';
import { Person } from '../fixtures/person.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService({ env: { BULWARK_AGENT_GATEWAY_REGISTRATIONS_PER_MINUTE: '200' } });
after(() => service[Symbol.asyncDispose]());
const { call, tokens, url: home } = service;
const { gatewayId, mcpUrl } = await service.gateway([]);
const other = await service.gateway([]);

const clientOf = async (url = mcpUrl, metadata: object = {}): Promise<string> =>
  (await register(url, metadata)).body.client_id;

const initialize = (token: string, url = mcpUrl) =>
  fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    }),
  });

const codeFor = async (clientId: string, person = new Person()) => {
  const flow = beginFlow(mcpUrl, clientId);
  const back = await person.allow(flow.url, home);
  return { flow, code: back.searchParams.get('code') ?? '' };
};

/** The page that the user sees: never a redirect to another site. */
const refusedPage = async (url: string) => {
  const shown = await new Person().open(url, home);
  assert.ok(!('leftTo' in shown), 'leftTo' in shown ? shown.leftTo.href : '');
  assert.equal(shown.status, 400);
  return shown.html;
};

/** The error that is returned to the client's redirect URI. */
const refusedClient = async (url: string) => {
  const shown = await new Person().open(url, home);
  assert.ok('leftTo' in shown);
  assert.ok(shown.leftTo.href.startsWith(redirectUri), shown.leftTo.href);
  assert.equal(shown.leftTo.searchParams.get('iss'), mcpUrl);
  return shown.leftTo.searchParams.get('error');
};

test('an unregistered redirect URI is refused without redirecting (no open redirect)', async () => {
  const clientId = await clientOf();
  for (const wrong of [
    'https://evil.example/callback',
    `${redirectUri}/more`,
    `${redirectUri}?x=1`,
    'http://127.0.0.1.evil.example:33418/callback',
    'http://127.0.0.1:33418@evil.example/callback',
    'http://localhost:33418/callback',
    'javascript:alert(1)',
    '//evil.example/callback',
  ])
    await refusedPage(beginFlow(mcpUrl, clientId, { redirect_uri: wrong }).url);
  await refusedPage(
    beginFlow(mcpUrl, clientId, { redirect_uri: 'https://evil.example/', response_type: 'none' }).url,
  );
  await refusedPage(beginFlow(mcpUrl, 'unknown').url);
});

test('only the port of a loopback redirect URI may vary', async () => {
  const clientId = await clientOf();
  const moved = 'http://127.0.0.1:40123/callback';
  const flow = beginFlow(mcpUrl, clientId, { redirect_uri: moved });
  const back = await new Person().allow(flow.url, home);
  assert.ok(back.href.startsWith(moved));
  const wrong = await redeem(mcpUrl, clientId, flow, back.searchParams.get('code') ?? '');
  assert.equal(wrong.body.error, 'invalid_grant', 'the token request has the other redirect URI');
});

test('without PKCE, or with the plain method, no code is issued', async () => {
  const clientId = await clientOf();
  assert.equal(
    await refusedClient(
      beginFlow(mcpUrl, clientId, { code_challenge: undefined, code_challenge_method: undefined }).url,
    ),
    'invalid_request',
  );
  assert.equal(
    await refusedClient(beginFlow(mcpUrl, clientId, { code_challenge_method: 'plain' }).url),
    'invalid_request',
  );
  const { flow, code } = await codeFor(clientId);
  const wrong = await redeem(mcpUrl, clientId, { ...flow, verifier: 'x'.repeat(43) }, code);
  assert.equal(wrong.body.error, 'invalid_grant');
});

test('a code works once, and using it again revokes the tokens issued for it', async () => {
  const clientId = await clientOf();
  const { flow, code } = await codeFor(clientId);
  const first = await redeem(mcpUrl, clientId, flow, code);
  assert.equal(first.status, 200);
  assert.equal((await initialize(first.body.access_token)).status, 200);
  assert.equal((await redeem(mcpUrl, clientId, flow, code)).body.error, 'invalid_grant');
  assert.equal((await initialize(first.body.access_token)).status, 401);
  assert.equal((await refresh(mcpUrl, clientId, first.body.refresh_token)).body.error, 'invalid_grant');
});

test('redeeming one code or refresh token concurrently revokes all access from it', async () => {
  const clientId = await clientOf();
  const { flow, code } = await codeFor(clientId);
  const answers = await Promise.all(Array.from({ length: 6 }, () => redeem(mcpUrl, clientId, flow, code)));
  const good = answers.filter(({ status }) => status === 200);
  assert.ok(good.length <= 1, `${good.length} got a token`);
  for (const { body } of good) assert.equal((await initialize(body.access_token)).status, 401);

  const again = await codeFor(clientId);
  const { body } = await redeem(mcpUrl, clientId, again.flow, again.code);
  const refreshed = await Promise.all(
    Array.from({ length: 6 }, () => refresh(mcpUrl, clientId, body.refresh_token)),
  );
  const kept = refreshed.filter(({ status }) => status === 200);
  assert.ok(kept.length <= 1, `${kept.length} got a token`);
  for (const each of kept) assert.equal((await initialize(each.body.access_token)).status, 401);
});

test('a code or refresh token of another client is refused', async () => {
  const [mine, theirs] = [await clientOf(), await clientOf()];
  const { flow, code } = await codeFor(theirs);
  assert.equal((await redeem(mcpUrl, mine, flow, code)).body.error, 'invalid_grant');
  const { body } = await redeem(mcpUrl, theirs, flow, code);
  assert.equal((await refresh(mcpUrl, mine, body.refresh_token)).body.error, 'invalid_grant');
  await post(`${mcpUrl}/revoke`, { token: body.refresh_token, client_id: mine });
  assert.equal(
    (await initialize(body.access_token)).status,
    200,
    'a client cannot revoke another client’s token',
  );
});

test('tokens, codes, clients and resources of one gateway are refused at another', async () => {
  const clientId = await clientOf();
  const { flow, code } = await codeFor(clientId);
  assert.equal((await redeem(other.mcpUrl, clientId, flow, code)).status, 401, 'the client is unknown there');
  const { body } = await redeem(mcpUrl, clientId, flow, code);
  assert.equal((await initialize(body.access_token)).status, 200);
  const refused = await initialize(body.access_token, other.mcpUrl);
  assert.equal(refused.status, 401);
  assert.match(refused.headers.get('www-authenticate') ?? '', /error="invalid_/);
  await refusedPage(beginFlow(other.mcpUrl, clientId).url);
  assert.equal(
    await refusedClient(beginFlow(mcpUrl, clientId, { resource: other.mcpUrl }).url),
    'invalid_target',
  );
  const next = await codeFor(clientId);
  const elsewhere = await redeem(mcpUrl, clientId, next.flow, next.code, { resource: other.mcpUrl });
  assert.equal(elsewhere.body.error, 'invalid_target');
});

test('a gateway’s token is refused by all other services', async () => {
  const clientId = await clientOf();
  const { flow, code } = await codeFor(clientId);
  const { body } = await redeem(mcpUrl, clientId, flow, code);
  for (const path of ['/api/gateways', '/auth/me', `/api/gateways/${gatewayId}/oauth/consents`])
    assert.equal((await call('GET', path, { as: body.access_token })).status, 401, path);
  const [header = '', payload = ''] = String(body.access_token).split('.');
  const none = `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${payload}.`;
  for (const forged of [none, `${header}.${payload}.${'A'.repeat(86)}`])
    assert.equal((await initialize(forged)).status, 401);
});

test('users of another tenant cannot sign in and cannot see the clients', async () => {
  const clientId = await clientOf();
  const flow = beginFlow(mcpUrl, clientId);
  const shown = await new Person({ username: 'stranger' }).arrive(flow.url, home);
  assert.ok(!('leftTo' in shown));
  assert.equal(shown.status, 401);
  assert.match(shown.html, /The username or the password is wrong/);
  const { stranger, member, admin } = tokens;
  const path = `/api/gateways/${gatewayId}/oauth`;
  assert.equal((await call('GET', `${path}/clients`, { as: stranger })).status, 404);
  assert.equal((await call('GET', `${path}/consents`, { as: stranger })).status, 404);
  assert.equal((await call('DELETE', `${path}/clients/${clientId}`, { as: stranger })).status, 404);
  assert.equal((await call('GET', `${path}/clients`, { as: member })).status, 403);
  assert.equal((await call('DELETE', `${path}/clients/${clientId}`, { as: member })).status, 403);
  assert.equal((await call('DELETE', `${path}/clients/unknown`, { as: admin })).status, 404);
  await codeFor(clientId);
  const { body: all } = await call('GET', `${path}/consents`, { as: admin });
  const { body: own } = await call('GET', `${path}/consents`, { as: member });
  assert.ok(all.total > 0);
  assert.equal(own.total, 0, 'a member sees only their own consents');
  assert.equal((await call('DELETE', `${path}/consents/${all.consents[0].id}`, { as: member })).status, 404);
  assert.equal(
    (await call('DELETE', `${path}/consents/${all.consents[0].id}`, { as: stranger })).status,
    404,
  );
  const elsewhere = `/api/gateways/${other.gatewayId}/oauth/consents/${all.consents[0].id}`;
  assert.equal((await call('DELETE', elsewhere, { as: admin })).status, 404);
});

test('a second client with the same redirect URI needs its own consent, and prompt=none never skips consent', async () => {
  const person = new Person();
  const first = await clientOf(mcpUrl, { client_name: 'Well-known client' });
  await person.allow(beginFlow(mcpUrl, first).url, home);
  const second = await clientOf(mcpUrl, { client_name: 'Look-alike' });
  const shown = await person.open(beginFlow(mcpUrl, second).url, home);
  assert.ok(!('leftTo' in shown), 'no consent was requested');
  assert.match(shown.html, /Allow “Look-alike”/);
  const again = await person.open(beginFlow(mcpUrl, first).url, home);
  assert.ok(!('leftTo' in again), 'the first one needs consent again too');
  for (const clientId of [first, second]) {
    const silent = await person.open(beginFlow(mcpUrl, clientId, { prompt: 'none' }).url, home);
    assert.ok('leftTo' in silent);
    assert.equal(silent.leftTo.searchParams.get('error'), 'consent_required');
  }
});

test('a denial is returned to the client together with the issuer', async () => {
  const person = new Person();
  const flow = beginFlow(mcpUrl, await clientOf());
  const shown = await person.arrive(flow.url, home);
  assert.ok(!('leftTo' in shown));
  const after = await person.submit(shown, '/consent', [['decision', 'deny']], home);
  assert.ok('leftTo' in after);
  assert.equal(after.leftTo.searchParams.get('error'), 'access_denied');
  assert.equal(after.leftTo.searchParams.get('iss'), mcpUrl);
  assert.equal(after.leftTo.searchParams.get('state'), flow.state);
});

test('the consent form needs the same browser, its CSRF token and the same origin', async () => {
  const person = new Person();
  const shown = await person.arrive(beginFlow(mcpUrl, await clientOf()).url, home);
  assert.ok(!('leftTo' in shown));
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const csrf = /name="csrf" value="([^"]*)"/.exec(shown.html.replaceAll(/\s+/g, ' '))?.[1] ?? '';
  const send = (fields: Record<string, string>, headers: Record<string, string> = {}, who = person) =>
    who.request(`${shown.url}/consent`, {
      method: 'POST',
      headers: { ...form, ...headers },
      body: new URLSearchParams({ decision: 'allow', scope: 'mcp:tools', ...fields }).toString(),
    });
  assert.equal((await send({})).status, 403, 'no csrf');
  assert.equal((await send({ csrf: 'x'.repeat(csrf.length) })).status, 403, 'another csrf');
  assert.equal((await send({ csrf }, { 'sec-fetch-site': 'cross-site' })).status, 403, 'from another site');
  assert.equal((await send({ csrf }, { origin: 'https://evil.example' })).status, 403, 'another origin');
  assert.equal((await send({ csrf }, {}, new Person())).status, 400, 'another browser');
  assert.equal((await send({ csrf, scope: 'mcp:everything' })).status, 422, 'a scope that was not requested');
  assert.equal((await send({ csrf })).status, 303);
});

test('no page can be framed, run a script or load anything', async () => {
  const person = new Person();
  const flow = beginFlow(mcpUrl, await clientOf(mcpUrl, { client_name: '<img src=x onerror=alert(1)>' }));
  const signIn = await person.open(flow.url, home);
  const consent = await person.arrive(flow.url, home);
  for (const shown of [signIn, consent]) {
    assert.ok(!('leftTo' in shown));
    const policy = shown.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.match(policy, /base-uri 'none'/);
    assert.doesNotMatch(policy, /script-src|unsafe/);
    assert.equal(shown.headers.get('x-frame-options'), 'DENY');
    assert.equal(shown.headers.get('cache-control'), 'no-store');
    assert.equal(shown.headers.get('referrer-policy'), 'same-origin');
    assert.doesNotMatch(shown.html, /<img|<script/i);
  }
});

test('Host and X-Forwarded-* headers change no metadata and no redirect', async () => {
  const { pathname, port } = new URL(mcpUrl);
  const ask = (path: string, headers: Record<string, string>) =>
    new Promise<{ status: number; location: string | undefined; text: string }>((resolve, reject) => {
      const sent = rawRequest({ host: '127.0.0.1', port, path, headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, location: answer.headers.location, text }),
        );
      });
      sent.on('error', reject).end();
    });
  const forged = {
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'https',
    forwarded: 'host=evil.example;proto=https',
    host: 'localhost:1',
  };
  const document = await ask(`${pathname}/.well-known/openid-configuration`, forged);
  assert.equal(JSON.parse(document.text).token_endpoint, `${mcpUrl}/token`);
  const flow = new URL(beginFlow(mcpUrl, await clientOf()).url);
  const sent = await ask(flow.pathname + flow.search, forged);
  assert.equal(sent.status, 303);
  assert.doesNotMatch(sent.location ?? '', /evil|localhost/);
  assert.equal((await ask(`${pathname}/authorize`, { host: 'evil.example' })).status, 403);
});

test('registrations are limited in size and number, and errors say what is wrong', async () => {
  const big = await register(mcpUrl, { client_name: 'x'.repeat(40_000) });
  assert.equal(big.status, 413);
  const many = await register(mcpUrl, {
    redirect_uris: Array.from({ length: 21 }, (_, i) => `https://a.example/${i}`),
  });
  assert.equal(many.status, 400);
  for (const uri of [
    'http://evil.example/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'https://a.example/#x',
    'https://user:pass@a.example/',
    'nonsense',
  ]) {
    const { status, body } = await register(mcpUrl, { redirect_uris: [uri] });
    assert.deepEqual([status, body.error], [400, 'invalid_redirect_uri'], uri);
    assert.match(body.error_description, /redirect_uris/);
  }
  for (const metadata of [
    { client_name: 7 },
    { client_name: 'a\u0000b' },
    { redirect_uris: undefined },
    { redirect_uris: 'https://a.example/' },
    { token_endpoint_auth_method: 'tls_client_auth' },
    { jwks_uri: 'http://127.0.0.1/keys', token_endpoint_auth_method: 'private_key_jwt' },
  ]) {
    const { status, body } = await register(mcpUrl, metadata);
    assert.equal(status, 400, JSON.stringify(metadata));
    assert.ok(body.error_description.length > 0);
  }
  const text = await fetch(`${mcpUrl}/register`, {
    method: 'POST',
    body: '[]',
    headers: { 'content-type': 'application/json' },
  });
  assert.deepEqual(
    [text.status, ((await text.json()) as { error: string }).error],
    [400, 'invalid_client_metadata'],
  );
  const form = await fetch(`${mcpUrl}/register`, {
    method: 'POST',
    body: 'x',
    headers: { 'content-type': 'text/plain' },
  });
  assert.equal(form.status, 415);
  const limited = await openTestService();
  try {
    const { mcpUrl: there } = await limited.gateway([]);
    const statuses = [];
    for (let i = 0; i < 21; i++) statuses.push((await register(there)).status);
    assert.deepEqual([statuses[19], statuses[20]], [201, 429]);
  } finally {
    await limited[Symbol.asyncDispose]();
  }
});

test('tokens, codes, sessions and secrets are never stored in plain text', async () => {
  const { body: client } = await register(mcpUrl, { token_endpoint_auth_method: 'client_secret_basic' });
  const person = new Person();
  const flow = beginFlow(mcpUrl, client.client_id);
  const back = await person.allow(flow.url, home);
  const code = back.searchParams.get('code') ?? '';
  const basic = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64');
  const answer = await post(
    `${mcpUrl}/token`,
    { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: flow.verifier },
    { authorization: `Basic ${basic}` },
  );
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const session = person.cookies.find(({ name }) => name === 'bulwark_gateway_session')?.value ?? '';
  const dump = JSON.stringify([
    await service.db.query("select *, encode(payload, 'escape') as text from agent_gateway.oauth_records"),
    await service.db.query("select *, encode(metadata, 'escape') as text from agent_gateway.oauth_clients"),
    await service.db.query("select *, encode(keys, 'escape') as text from agent_gateway.oauth_keys"),
    await service.db.query('select * from agent_gateway.oauth_consents'),
  ]);
  for (const secret of [
    code,
    answer.body.refresh_token,
    answer.body.access_token,
    session,
    client.client_secret,
  ])
    assert.ok(secret.length > 20 && !dump.includes(secret));
  assert.ok(!dump.includes('"d"') && !dump.includes('\\"d\\"'));
});

test('wrong passwords at the sign-in page are throttled like those at login', async () => {
  const flow = beginFlow(mcpUrl, await clientOf());
  const person = new Person({ username: 'nobody', password: 'wrong' });
  const statuses = [];
  for (let i = 0; i < 11; i++) {
    const shown = await person.arrive(flow.url, home);
    statuses.push('leftTo' in shown ? 0 : shown.status);
  }
  assert.deepEqual([statuses[9], statuses[10]], [401, 429]);
});
