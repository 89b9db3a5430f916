/** How a client gets a token and what the token allows, step by step. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { stdioServer } from '../../../../test/fixtures/mcp-servers/start.ts';
import {
  beginFlow,
  post,
  redeem,
  redirectUri,
  refresh,
  register,
  type Tokens,
} from '../fixtures/oauth-client.ts';
import { Person } from '../fixtures/person.ts';
import { openTestService } from '../fixtures/service.ts';
import { modernRequest } from '../../../../test/fixtures/modern-request.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens, url: home } = service;
const { gatewayId, mcpUrl } = await service.gateway([{ server: stdioServer('./complete.ts'), prefix: '' }]);

/** The first requests of a newly connected client. */
const ask = (token: string, method = 'tools/list', url = mcpUrl) =>
  modernRequest(url, { authorization: `Bearer ${token}` }, method);

async function connect(
  person = new Person(),
  scopes?: readonly string[],
): Promise<Tokens & { clientId: string }> {
  const { body } = await register(mcpUrl);
  const flow = beginFlow(mcpUrl, body.client_id);
  const back = await person.allow(flow.url, home, scopes);
  const answer = await redeem(mcpUrl, body.client_id, flow, back.searchParams.get('code') ?? '');
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return { ...answer.body, clientId: body.client_id };
}

test('metadata documents are served below the endpoint and at the root, with equal content', async () => {
  const { pathname } = new URL(mcpUrl);
  for (const name of ['oauth-authorization-server', 'openid-configuration', 'oauth-protected-resource']) {
    const [below, inserted] = await Promise.all([
      call('GET', `${pathname}/.well-known/${name}`),
      call('GET', `/.well-known/${name}${pathname}`),
    ]);
    assert.equal(below.status, 200, name);
    assert.deepEqual(below.body, inserted.body);
    assert.equal(below.headers.get('access-control-allow-origin'), '*');
  }
  const { body } = await call('GET', `${pathname}/.well-known/oauth-authorization-server`);
  assert.equal(body.issuer, mcpUrl);
  assert.equal(body.authorization_endpoint, `${mcpUrl}/authorize`);
  assert.equal(body.token_endpoint, `${mcpUrl}/token`);
  assert.equal(body.registration_endpoint, `${mcpUrl}/register`);
  assert.equal(body.revocation_endpoint, `${mcpUrl}/revoke`);
  assert.equal(body.jwks_uri, `${mcpUrl}/jwks`);
  assert.deepEqual(body.code_challenge_methods_supported, ['S256']);
  assert.equal(body.client_id_metadata_document_supported, true);
  assert.equal(body.authorization_response_iss_parameter_supported, true);
  const { body: resource } = await call('GET', `/.well-known/oauth-protected-resource${pathname}`);
  assert.equal(resource.resource, mcpUrl);
  assert.deepEqual(resource.authorization_servers, [mcpUrl]);
  assert.equal((await call('GET', '/api/gateways/gw_none/mcp/.well-known/openid-configuration')).status, 404);
  const keys = JSON.parse(String((await call('GET', `${pathname}/jwks`)).body));
  assert.ok(keys.keys.length === 1 && keys.keys[0].d === undefined);
});

test('a call without a token is 401 with the address of the metadata', async () => {
  const answer = await fetch(mcpUrl, { method: 'POST', body: '{}' });
  assert.equal(answer.status, 401);
  const challenge = answer.headers.get('www-authenticate') ?? '';
  const { origin, pathname } = new URL(mcpUrl);
  assert.match(challenge, /^Bearer /);
  assert.ok(
    challenge.includes(`resource_metadata="${origin}/.well-known/oauth-protected-resource${pathname}"`),
  );
  assert.ok(challenge.includes('scope="mcp:tools mcp:resources mcp:prompts"'));
});

test('after a user signs in and consents, the client calls as this user', async () => {
  const { access_token: token, scope, expires_in: seconds, clientId } = await connect();
  assert.equal(scope, 'mcp:tools mcp:resources mcp:prompts');
  assert.equal(seconds, 600);
  const claims = decodeJwt(token);
  assert.equal(decodeProtectedHeader(token).typ, 'at+jwt');
  assert.equal(claims.iss, mcpUrl);
  assert.equal(claims.aud, mcpUrl);
  const answer = await ask(token);
  assert.equal(answer.status, 200);
  assert.match(await answer.text(), /"test_simple_text"/);
  const { body } = await call('GET', `/api/gateways/${gatewayId}/oauth/consents`, { as: tokens.admin });
  const consent = body.consents.find((each: { client_id: string }) => each.client_id === clientId);
  assert.equal(consent.user_id, claims.sub);
  assert.equal(consent.redirect_host, new URL(redirectUri).host);
});

test('a refresh token works once; reusing it revokes all tokens of the sign-in', async () => {
  const first = await connect();
  const second = await refresh(mcpUrl, first.clientId, first.refresh_token ?? '');
  assert.equal(second.status, 200, JSON.stringify(second.body));
  assert.notEqual(second.body.refresh_token, first.refresh_token);
  assert.equal((await ask(second.body.access_token)).status, 200);
  const again = await refresh(mcpUrl, first.clientId, first.refresh_token ?? '');
  assert.equal(again.status, 400);
  assert.equal(again.body.error, 'invalid_grant');
  assert.equal((await refresh(mcpUrl, first.clientId, second.body.refresh_token)).status, 400);
  assert.equal((await ask(second.body.access_token)).status, 401);
});

test('a client can revoke its tokens', async () => {
  const { access_token: token, refresh_token: refreshToken = '', clientId } = await connect();
  const answer = await post(`${mcpUrl}/revoke`, { token: refreshToken, client_id: clientId });
  assert.equal(answer.status, 200);
  assert.equal((await ask(token)).status, 401);
});

test('a user may grant fewer scopes, and the client is told which one is missing', async () => {
  const { access_token: token, scope } = await connect(new Person(), ['mcp:prompts']);
  assert.equal(scope, 'mcp:prompts');
  assert.equal((await ask(token, 'prompts/list')).status, 200);
  const refused = await ask(token, 'tools/list');
  assert.equal(refused.status, 403);
  const challenge = refused.headers.get('www-authenticate') ?? '';
  assert.match(
    challenge,
    /error="insufficient_scope", scope="mcp:tools mcp:prompts", resource_metadata="http/,
  );
  // A completion is for a prompt if it says so, otherwise for a resource.
  const complete = async (type: string) => {
    const params = { ref: { type, name: 'x', uri: 'x:y' }, argument: { name: 'a', value: '' } };
    return (await modernRequest(mcpUrl, { authorization: `Bearer ${token}` }, 'completion/complete', params))
      .status;
  };
  assert.deepEqual(
    [await complete('ref/prompt'), await complete('ref/resource'), await complete('ref/other')],
    [200, 403, 403],
  );
  assert.equal((await ask(token, 'constructor')).status, 404, 'an unknown completion needs no scope');
});

test('undecryptable clients, tokens and keys affect only themselves, and a new sign-in works', async () => {
  const [lost, whole] = [await connect(), await connect()];
  const list = async (what: 'clients' | 'consents') =>
    call('GET', `/api/gateways/${gatewayId}/oauth/${what}`, { as: tokens.admin });
  const before = { clients: await list('clients'), consents: await list('consents') };
  // As if it had been encrypted with a lost key.
  const spoil = (column: string, table: string, where: string, params: unknown[]) =>
    service.db.query(
      String.raw`update agent_gateway.${table} set ${column} = '\x01ff'::bytea where ${where} returning 1`,
      params,
    );
  const spoilt = await spoil('metadata', 'oauth_clients', 'client_id = $1', [lost.clientId]);
  assert.equal(spoilt.length, 1);
  for (const what of ['clients', 'consents'] as const) {
    const { status, body } = await list(what);
    assert.deepEqual([status, body], [200, before[what].body], what);
  }
  const refused = await refresh(mcpUrl, lost.clientId, lost.refresh_token ?? '');
  assert.deepEqual([refused.status, refused.body.error], [401, 'invalid_client']);
  const renewed = await refresh(mcpUrl, whole.clientId, whole.refresh_token ?? '');
  assert.equal(renewed.status, 200, JSON.stringify(renewed.body));

  assert.ok((await spoil('payload', 'oauth_records', 'gateway_id = $1', [gatewayId])).length > 0);
  const again = await refresh(mcpUrl, whole.clientId, renewed.body.refresh_token ?? '');
  assert.deepEqual([again.status, again.body.error], [400, 'invalid_grant']);
  assert.equal((await list('consents')).status, 200);
  const { access_token: token } = await connect();
  assert.equal((await ask(token)).status, 200);
});
