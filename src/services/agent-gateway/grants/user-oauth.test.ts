/** Servers at which each user signs in: asked once, kept separate, refreshed, and deleted with the user. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { startHttp } from '../../../../test/fixtures/mcp-servers/start.ts';
import { confirm, followConsent } from '../fixtures/consent.ts';
import { openTestService } from '../fixtures/service.ts';
import { modernRequest } from '../../../../test/fixtures/modern-request.ts';

const service = await openTestService({ env: { BULWARK_AGENT_GATEWAY_APPROVAL_TIMEOUT_MS: '20000' } });
after(() => service[Symbol.asyncDispose]());
const { call, tokens } = service;

// oxlint-disable-next-line typescript/no-explicit-any -- results of every kind.
type Result = any;

async function open(...manners: string[]) {
  const upstream = await startHttp('./protected.ts', ...manners);
  after(() => upstream[Symbol.dispose]());
  const origin = new URL(upstream.url).origin;
  const server = { transport: 'http', connection_url: upstream.url, identity_scheme: 'user_oauth' };
  const { body } = await call('POST', '/api/mcp-servers', {
    as: tokens.admin,
    body: { name: 'Tracker', visibility: 'tenant', ...server },
  });
  const serverId: string = body.id;
  return {
    serverId,
    seen: async () =>
      (await fetch(`${origin}/seen`)).json() as Promise<Record<string, number> & { headers: string[] }>,
    expire: (all = false) => fetch(`${origin}/expire${all ? '?all' : ''}`, { method: 'POST' }),
    /** A gateway with it, after its tools were discovered with the administrator's account. */
    gateway: async () => {
      await signIn(serverId, tokens.admin);
      assert.equal(
        (await call('POST', `/api/mcp-servers/${serverId}/discover/tools`, { as: tokens.admin })).status,
        200,
      );
      const made = await call('POST', '/api/gateways', {
        as: tokens.admin,
        body: { name: 'Desk', visibility: 'tenant' },
      });
      const path = `/api/gateways/${made.body.id}`;
      const attached = await call('POST', `${path}/mcp-servers/${serverId}`, {
        as: tokens.admin,
        body: { tool_prefix: '' },
      });
      assert.equal(attached.status, 201, JSON.stringify(attached.body));
      const { body: started } = await call('POST', `${path}/start`, { as: tokens.admin });
      return { mcpUrl: started.mcp_url as string, path };
    },
  };
}

const detail = async (id: string, as: string) => (await call('GET', `/api/mcp-servers/${id}`, { as })).body;

async function signIn(serverId: string, as: string): Promise<void> {
  const { authorization_url: url, authorization } = await detail(serverId, as);
  assert.ok(url, JSON.stringify(authorization));
  const { url: back } = await followConsent(url);
  assert.match((await confirm(back)).text, /is connected/);
}

/** A request without a session. */
async function ask(
  mcpUrl: string,
  as: string,
  method: string,
  params: Record<string, unknown> = {},
): Promise<Result> {
  const response = await modernRequest(mcpUrl, { authorization: `Bearer ${as}` }, method, params);
  return response.json();
}

const whoami = async (mcpUrl: string, as: string): Promise<Result> =>
  (await ask(mcpUrl, as, 'tools/call', { name: 'whoami' })).result;
const accountOf = ({ content }: Result): string =>
  (JSON.parse(content[0].text) as { account: string }).account;

test('each user is asked to sign in by their first call, and calls use that user’s own account', async () => {
  const upstream = await open();
  const { mcpUrl, path } = await upstream.gateway();
  assert.equal(accountOf(await whoami(mcpUrl, tokens.admin)), 'account-1');

  const { result: listed } = await ask(mcpUrl, tokens.member, 'tools/list');
  assert.deepEqual(
    listed.tools.map(({ name }: { name: string }) => name),
    ['whoami', 'admin'],
    'known tools are listed, so that a call can ask for the sign-in',
  );
  const asked = await whoami(mcpUrl, tokens.member);
  assert.equal(asked.isError, true);
  assert.match(asked.content[0].text, /wants the user to sign in at it\. Open this address in a browser/);
  const url: string = asked._meta['bulwark/authorization_url'];
  assert.ok(asked.content[0].text.includes(url));
  assert.equal(
    (await detail(upstream.serverId, tokens.member)).authorization_url,
    url,
    'one consent request for all calls',
  );
  const { body: log } = await call('GET', `${path}/calls`, { as: tokens.admin });
  assert.ok(
    !JSON.stringify(log).includes(new URL(url).searchParams.get('state') ?? ''),
    'the address is the user’s alone',
  );

  const { url: back, page } = await followConsent(url);
  assert.match(page.text, /member, tenant system/);
  assert.match((await confirm(back)).text, /is connected/);
  assert.equal(accountOf(await whoami(mcpUrl, tokens.member)), 'account-2');
  assert.equal(accountOf(await whoami(mcpUrl, tokens.admin)), 'account-1');
  const { headers } = await upstream.seen();
  for (const secret of Object.values(tokens)) assert.ok(headers.every((each) => !each.includes(secret)));
  const rows = await service.db.query<{ sealed: Buffer; holder: string }>(
    "select sealed, holder from agent_gateway.server_grants where holder <> ''",
  );
  assert.equal(new Set(rows.map(({ holder }) => holder)).size, 2);
  assert.ok(rows.every(({ sealed }) => !sealed.includes('upstream-') && !sealed.includes('refresh-')));
  const stranger = await call('GET', `/api/mcp-servers/${upstream.serverId}/authorizations`, {
    as: tokens.stranger,
  });
  assert.equal(stranger.status, 404);
});

test('signed-in users are listed, and can be signed out by themselves or by the server’s owner', async () => {
  const upstream = await open();
  const { mcpUrl } = await upstream.gateway();
  await signIn(upstream.serverId, tokens.member);
  const list = async (as: string) =>
    (await call('GET', `/api/mcp-servers/${upstream.serverId}/authorizations`, { as })).body;
  const all = await list(tokens.admin);
  assert.equal(all.total, 2);
  assert.deepEqual(all.items.map(({ username }: { username: string }) => username).toSorted(), [
    'admin',
    'member',
  ]);
  assert.ok(all.items.every(({ status }: { status: string }) => status === 'authorized'));
  const own = await list(tokens.member);
  assert.deepEqual([own.total, own.items[0].username], [1, 'member']);
  const adminId = all.items.find(({ username }: { username: string }) => username === 'admin').user_id;
  const memberId = own.items[0].user_id;
  const path = `/api/mcp-servers/${upstream.serverId}/authorizations`;
  assert.equal((await call('DELETE', `${path}/${adminId}`, { as: tokens.member })).status, 403);
  assert.equal(accountOf(await whoami(mcpUrl, tokens.member)), 'account-2');
  assert.equal((await call('DELETE', `${path}/${memberId}`, { as: tokens.admin })).status, 200);
  assert.equal((await call('DELETE', `${path}/${memberId}`, { as: tokens.admin })).status, 404);
  assert.equal((await upstream.seen())['revocations'], 1);
  assert.equal((await whoami(mcpUrl, tokens.member)).isError, true, 'at once, also on open connections');
  assert.equal(accountOf(await whoami(mcpUrl, tokens.admin)), 'account-1', 'the others keep theirs');
  assert.equal(
    (await call('DELETE', `/api/mcp-servers/${upstream.serverId}/authorization`, { as: tokens.admin }))
      .status,
    200,
  );
  assert.equal((await whoami(mcpUrl, tokens.admin)).isError, true);
});

test('a user’s token is refreshed once for all waiting calls, and a lost one needs a new sign-in', async () => {
  const upstream = await open();
  const { mcpUrl } = await upstream.gateway();
  await whoami(mcpUrl, tokens.admin);
  await upstream.expire();
  const answers = await Promise.all(Array.from({ length: 10 }, () => whoami(mcpUrl, tokens.admin)));
  assert.ok(answers.every((each) => accountOf(each) === 'account-1'));
  const after = await upstream.seen();
  assert.deepEqual([after['refreshes'], after['reuses']], [1, 0]);
  await upstream.expire(true);
  assert.equal((await whoami(mcpUrl, tokens.admin)).isError, true);
  await signIn(upstream.serverId, tokens.admin);
  assert.equal(accountOf(await whoami(mcpUrl, tokens.admin)), 'account-2');
});

test('a client that supports opening URLs is asked to, and its call continues after the sign-in', async () => {
  const upstream = await open();
  const { mcpUrl } = await upstream.gateway();
  const made = await call('POST', '/api/api-keys', { as: tokens.member, body: { name: 'k' } });
  assert.equal(made.status, 404, 'another service creates API keys');
  const requestInit = { headers: { authorization: `Bearer ${tokens.member}` } };
  const opened: string[] = [];
  const visit = (url: string) => {
    opened.push(url);
    const go = async () => {
      const { url: back } = await followConsent(url);
      await confirm(back);
    };
    void go();
    return { action: 'accept' as const };
  };

  const modern = new ModernClient(
    { name: 'modern', version: '1' },
    { capabilities: { elicitation: { url: {} } }, versionNegotiation: { mode: 'auto' } },
  );
  modern.setRequestHandler('elicitation/create', ({ params }) => visit((params as { url: string }).url));
  await modern.connect(new ModernTransport(new URL(mcpUrl), { requestInit }));
  const first: Result = await modern.callTool({ name: 'whoami', arguments: {} });
  assert.equal(accountOf(first), 'account-2');
  await modern.close();
  assert.equal(opened.length, 1);

  await call('DELETE', `/api/mcp-servers/${upstream.serverId}/authorization`, { as: tokens.member });
  const legacy = new LegacyClient(
    { name: 'legacy', version: '1' },
    { capabilities: { elicitation: { url: {} } } },
  );
  legacy.setRequestHandler(ElicitRequestSchema, ({ params }) => visit((params as { url: string }).url));
  await legacy.connect(
    new LegacyTransport(new URL(mcpUrl), { requestInit }) as Parameters<typeof legacy.connect>[0],
  );
  const second: Result = await legacy.callTool({ name: 'whoami', arguments: {} });
  assert.equal(accountOf(second), 'account-3');
  assert.equal(opened.length, 2);

  await call('DELETE', `/api/mcp-servers/${upstream.serverId}/authorization`, { as: tokens.member });
  legacy.setRequestHandler(ElicitRequestSchema, () => ({ action: 'decline' as const }));
  const third: Result = await legacy.callTool({ name: 'whoami', arguments: {} });
  assert.equal(third.isError, true);
  assert.match(third.content[0].text, /sign in/);
  await legacy.close();
});

test('deleting a user ends their unfinished sign-ins and their grants', async () => {
  const upstream = await open();
  const { mcpUrl } = await upstream.gateway();
  const password = 'a password of some length';
  const registered = await call('POST', '/auth/register', {
    as: tokens.admin,
    body: { username: 'leaver', password },
  });
  const { body: login } = await call('POST', '/auth/login', { body: { username: 'leaver', password } });
  await signIn(upstream.serverId, login.access_token);
  assert.equal(accountOf(await whoami(mcpUrl, login.access_token)), 'account-2');
  const begun = await call('POST', `/api/mcp-servers/${upstream.serverId}/authorize`, {
    as: login.access_token,
  });
  assert.equal(begun.status, 200);
  const { url: back } = await followConsent(begun.body.authorization_url);
  await call('DELETE', `/auth/users/${registered.body.id}`, { as: tokens.admin });
  const late = await confirm(back);
  assert.equal(late.status, 409);
  assert.match(late.text, /deleted or disabled/);
  for (const until = Date.now() + 20_000; ;) {
    const { body } = await call('GET', `/api/mcp-servers/${upstream.serverId}/authorizations`, {
      as: tokens.admin,
    });
    assert.ok(body.items.every(({ granted_by_name: name }: Result) => typeof name === 'string'));
    if (body.total === 1 && (await upstream.seen())['revocations'] === 1) break;
    assert.ok(Date.now() < until, 'the grant of a deleted user is revoked');
  }
});

test('changing the identity scheme or the address deletes the grants of users', async () => {
  const upstream = await open();
  const { path } = await upstream.gateway();
  assert.ok(path);
  const change = (body: object) =>
    call('PUT', `/api/mcp-servers/${upstream.serverId}`, { as: tokens.admin, body });
  const begun = await call('POST', `/api/mcp-servers/${upstream.serverId}/authorize`, { as: tokens.member });
  const { url: back } = await followConsent(begun.body.authorization_url);
  assert.equal((await change({ identity_scheme: 'none' })).status, 200);
  assert.ok(
    [409, 422].includes((await confirm(back)).status),
    'a user’s own consent does not count for everybody',
  );
  const rows = await service.db.query(
    'select 1 as there from agent_gateway.server_grants where server_id = $1',
    [upstream.serverId],
  );
  assert.equal(rows.length, 0);
});

test('a grant that cannot be decrypted affects no list and no other user, and needs a new sign-in', async () => {
  const upstream = await open();
  const { mcpUrl } = await upstream.gateway();
  await signIn(upstream.serverId, tokens.member);
  const { body: before } = await call('GET', `/api/mcp-servers/${upstream.serverId}/authorizations`, {
    as: tokens.admin,
  });
  const member = before.items.find((each: { username: string }) => each.username === 'member');
  // As if it had been encrypted with a lost key.
  const spoilt = await service.db.query(
    String.raw`update agent_gateway.server_grants set sealed = '\x01ff'::bytea
      where server_id = $1 and holder = $2 returning holder`,
    [upstream.serverId, member.user_id],
  );
  assert.equal(spoilt.length, 1);
  const { status, body } = await call('GET', `/api/mcp-servers/${upstream.serverId}/authorizations`, {
    as: tokens.admin,
  });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.total, 2);
  assert.match(accountOf(await whoami(mcpUrl, tokens.admin)), /^account-/);
  const asked = await whoami(mcpUrl, tokens.member);
  assert.equal(asked.isError, true);
  assert.match(asked.content[0].text, /wants the user to sign in at it/);
  await signIn(upstream.serverId, tokens.member);
  assert.match(accountOf(await whoami(mcpUrl, tokens.member)), /^account-/);
});
