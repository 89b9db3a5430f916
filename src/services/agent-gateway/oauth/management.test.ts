/** Listing and revoking clients and consents, and their expiry. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { stdioServer } from '../../../../test/fixtures/mcp-servers/start.ts';
import { beginFlow, redeem, refresh, register } from '../fixtures/oauth-client.ts';
import { Person } from '../fixtures/person.ts';
import { openTestService } from '../fixtures/service.ts';
import { deleteUnusedClients, keepNewestUnused } from './client-store.ts';
import { deleteExpired } from './store.ts';
import { modernRequest } from '../../../../test/fixtures/modern-request.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens, url: home, db } = service;
const { gatewayId, mcpUrl } = await service.gateway([]);
const path = `/api/gateways/${gatewayId}/oauth`;

const connect = async (person = new Person(), metadata: object = {}, url = mcpUrl) => {
  const { body: client } = await register(url, metadata);
  const flow = beginFlow(url, client.client_id);
  const back = await person.allow(flow.url, home);
  const { body } = await redeem(url, client.client_id, flow, back.searchParams.get('code') ?? '');
  return {
    clientId: client.client_id as string,
    access: body.access_token as string,
    refreshToken: body.refresh_token as string,
  };
};

const status = async (token: string) =>
  (await fetch(mcpUrl, { headers: { authorization: `Bearer ${token}` } })).status;

test('a consent is listed with its user, client and scopes; ending it revokes its tokens at once', async () => {
  const { clientId, access, refreshToken } = await connect(new Person(), { client_name: 'To be ended' });
  assert.equal(await status(access), 200);
  const { body } = await call('GET', `${path}/consents?client_id=${encodeURIComponent(clientId)}`, {
    as: tokens.admin,
  });
  assert.equal(body.total, 1);
  const [consent] = body.consents;
  assert.equal(consent.client_name, 'To be ended');
  assert.deepEqual(consent.scopes, ['mcp:tools', 'mcp:resources', 'mcp:prompts']);
  assert.equal((await call('DELETE', `${path}/consents/${consent.id}`, { as: tokens.admin })).status, 200);
  assert.equal(await status(access), 401);
  assert.equal((await refresh(mcpUrl, clientId, refreshToken)).body.error, 'invalid_grant');
  assert.equal((await call('DELETE', `${path}/consents/${consent.id}`, { as: tokens.admin })).status, 404);
});

test('a member can end their own consent', async () => {
  const { access, clientId } = await connect(new Person({ username: 'member' }));
  const { body } = await call('GET', `${path}/consents`, { as: tokens.member });
  assert.deepEqual(
    body.consents.map((each: { client_id: string }) => each.client_id),
    [clientId],
  );
  assert.equal(
    (await call('DELETE', `${path}/consents/${body.consents[0].id}`, { as: tokens.member })).status,
    200,
  );
  assert.equal(await status(access), 401);
});

test('removing a client ends its consents and makes it unknown', async () => {
  const { clientId, access, refreshToken } = await connect();
  const { body } = await call('GET', `${path}/clients`, { as: tokens.admin });
  const listed = body.clients.find((each: { client_id: string }) => each.client_id === clientId);
  assert.equal(listed.kind, 'registered');
  assert.equal(listed.consents, 1);
  assert.notEqual(listed.last_used_at, null);
  assert.equal(listed.metadata, undefined);
  assert.equal((await call('DELETE', `${path}/clients/${clientId}`, { as: tokens.admin })).status, 200);
  assert.equal(await status(access), 401);
  assert.equal((await refresh(mcpUrl, clientId, refreshToken)).status, 401);
});

test('a token stops working when its user is disabled or its gateway is deleted', async () => {
  const { access, clientId, refreshToken } = await connect(new Person({ username: 'member' }));
  const me = await call('GET', '/auth/me', { as: tokens.member });
  assert.equal(await status(access), 200);
  assert.equal(
    (await call('PATCH', `/auth/users/${me.body.id}`, { as: tokens.admin, body: { enabled: false } })).status,
    200,
  );
  assert.equal(await status(access), 401);
  await call('PATCH', `/auth/users/${me.body.id}`, { as: tokens.admin, body: { enabled: true } });
  assert.equal(await status(access), 401, 'the old consent stays revoked');
  assert.equal((await refresh(mcpUrl, clientId, refreshToken)).body.error, 'invalid_grant');

  const shortLived = await service.gateway([]);
  const { body: client } = await register(shortLived.mcpUrl);
  const flow = beginFlow(shortLived.mcpUrl, client.client_id);
  const back = await new Person().allow(flow.url, home);
  const { body } = await redeem(
    shortLived.mcpUrl,
    client.client_id,
    flow,
    back.searchParams.get('code') ?? '',
  );
  assert.equal(
    (await call('DELETE', `/api/gateways/${shortLived.gatewayId}`, { as: tokens.admin })).status,
    200,
  );
  const gone = await fetch(shortLived.mcpUrl, { headers: { authorization: `Bearer ${body.access_token}` } });
  assert.ok([401, 404].includes(gone.status));
  assert.equal((await fetch(`${shortLived.mcpUrl}/.well-known/openid-configuration`)).status, 404);
});

/** A request of a client without sessions. */
const ask = async (url: string, token: string, method: string, params: Record<string, unknown> = {}) => {
  const answer = await modernRequest(url, { authorization: `Bearer ${token}` }, method, params);
  return answer.text();
};

test('access rules match the client by its id, and the audit log names it', async () => {
  const there = await service.gateway([{ server: stdioServer('./complete.ts'), prefix: '' }]);
  const [known, unknown] = [
    await connect(new Person(), {}, there.mcpUrl),
    await connect(new Person(), {}, there.mcpUrl),
  ];
  const rule = { default: 'deny', rules: [{ principals: [known.clientId], effect: 'allow' }] };
  const place = `/api/gateways/${there.gatewayId}`;
  await call('PATCH', place, { as: tokens.admin, body: { access_control: rule } });
  assert.match(await ask(there.mcpUrl, known.access, 'tools/list'), /test_simple_text/);
  assert.doesNotMatch(await ask(there.mcpUrl, unknown.access, 'tools/list'), /test_simple_text/);
  const params = { name: 'test_simple_text', arguments: {} };
  assert.match(await ask(there.mcpUrl, known.access, 'tools/call', params), /simple text/);
  assert.doesNotMatch(await ask(there.mcpUrl, unknown.access, 'tools/call', params), /simple text/);
  // Log entries are written after the calls.
  const listed = async () => (await call('GET', `${place}/calls`, { as: tokens.admin })).body.calls;
  for (let i = 0; i < 100 && (await listed()).length < 2; i++) await new Promise((go) => setTimeout(go, 50));
  const calls: { principal: string; allowed: boolean }[] = await listed();
  assert.deepEqual(
    new Map(calls.map(({ principal, allowed }) => [principal, allowed])),
    new Map([
      [`admin (client ${known.clientId})`, true],
      [`admin (client ${unknown.clientId})`, false],
    ]),
  );
});

test('expired rows and unused clients are deleted; the newest unused clients are kept', async () => {
  const unused = (await register(mcpUrl)).body.client_id;
  const { clientId } = await connect();
  const count = async (table: string) =>
    (await db.query<{ n: number }>(`select count(*)::int as n from agent_gateway.${table}`))[0]?.n;
  const later = Date.now() + 400 * 86_400_000;
  await keepNewestUnused(db, gatewayId, 1);
  const { body } = await call('GET', `${path}/clients`, { as: tokens.admin });
  assert.equal(
    body.clients.filter((each: { last_used_at: unknown }) => each.last_used_at === null).length,
    1,
  );
  await deleteUnusedClients(db, { neverUsedSince: new Date(later), unusedSince: new Date(0) });
  const ids = (await call('GET', `${path}/clients`, { as: tokens.admin })).body.clients.map(
    (each: { client_id: string }) => each.client_id,
  );
  assert.ok(!ids.includes(unused) && ids.includes(clientId));
  await deleteExpired(db, new Date(later));
  assert.equal(await count('oauth_records'), 0);
  assert.equal(await count('oauth_consents'), 0);
});

test('a token expires', async () => {
  const { access } = await connect();
  assert.equal(await status(access), 200);
  service.clock.advance(11 * 60_000);
  const late = await fetch(mcpUrl, { headers: { authorization: `Bearer ${access}` } });
  assert.equal(late.status, 401);
  assert.match(late.headers.get('www-authenticate') ?? '', /error="token_expired"/);
});
