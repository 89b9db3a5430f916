/** Clients whose id is the URL of their metadata document. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startClientDocuments } from '../../../../test/fixtures/client-documents.ts';
import { beginFlow, redeem, redirectUri, refresh } from '../fixtures/oauth-client.ts';
import { Person } from '../fixtures/person.ts';
import { openTestService } from '../fixtures/service.ts';

const site = await startClientDocuments(redirectUri);
const service = await openTestService();
after(async () => {
  await service[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});
const { call, tokens, url: home } = service;
const { gatewayId, mcpUrl } = await service.gateway([]);

const refusal = async (clientId: string, base = { mcpUrl, home }) => {
  const shown = await new Person().open(beginFlow(base.mcpUrl, clientId).url, base.home);
  assert.ok(!('leftTo' in shown), 'it was redirected');
  assert.equal(shown.status, 400, shown.html);
  return shown.html;
};

test('the consent page shows the host of the client’s metadata document, and the client gets its tokens', async () => {
  const clientId = `${site.url}/client.json`;
  const person = new Person();
  const flow = beginFlow(mcpUrl, clientId);
  const shown = await person.arrive(flow.url, home);
  assert.ok(!('leftTo' in shown));
  assert.match(shown.html, /Allow “Client with a document”/);
  assert.ok(shown.html.includes(`<dd>${new URL(site.url).host}</dd>`), 'its host is shown');
  assert.ok(shown.html.includes(new URL(redirectUri).host));
  const again = beginFlow(mcpUrl, clientId);
  const back = await person.allow(again.url, home);
  const { status, body } = await redeem(mcpUrl, clientId, again, back.searchParams.get('code') ?? '');
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal((await refresh(mcpUrl, clientId, body.refresh_token)).status, 200);
  assert.equal(site.asked.filter((path) => path === '/client.json').length, 1, 'fetched once, then cached');
  const { body: clients } = await call('GET', `/api/gateways/${gatewayId}/oauth/clients`, {
    as: tokens.admin,
  });
  assert.equal(clients.clients[0].client_id, clientId);
  assert.equal(clients.clients[0].kind, 'metadata_document');
  const path = `/api/gateways/${gatewayId}/oauth/clients/${encodeURIComponent(clientId)}`;
  assert.equal((await call('DELETE', path, { as: tokens.admin })).status, 200);
  assert.equal((await call('DELETE', path, { as: tokens.admin })).status, 404);
});

test('a metadata document with another address, too large or otherwise invalid is refused', async () => {
  const put = (
    path: string,
    body: unknown,
    more: { status?: number; headers?: Record<string, string> } = {},
  ) => {
    site.answers.set(path, { body: typeof body === 'string' ? body : JSON.stringify(body), ...more });
    return `${site.url}${path}`;
  };
  const wrong = [
    put('/impostor', site.document('/other')),
    put(
      '/secret',
      site.document('/secret', { client_secret: 'x', token_endpoint_auth_method: 'client_secret_basic' }),
    ),
    put('/plain-redirect', site.document('/plain-redirect', { redirect_uris: ['http://evil.example/cb'] })),
    put('/no-redirects', site.document('/no-redirects', { redirect_uris: [] })),
    put('/big', site.document('/big', { client_name: 'x'.repeat(70_000) })),
    put('/bigger-than-a-document', `${' '.repeat(20_000)}{}`),
    put('/no-json', '<html>'),
    put('/a-list', '[]'),
    put('/gone', '', { status: 404 }),
    put('/moved', '', { status: 302, headers: { location: `${site.url}/client.json` } }),
    `${site.url}/client.json#fragment`,
    `${site.url}/a/../client.json`,
    `${site.url.replace('https://', 'https://user@')}/client.json`,
    site.url.replace('https:', 'http:'),
    `${site.url}/`,
    `${site.url}/${'x'.repeat(300)}`,
  ];
  for (const clientId of wrong) assert.match(await refusal(clientId), /did not work/, clientId);
});

test('private addresses are not fetched unless the deployment allows it', async () => {
  await using strict = await openTestService({ env: { BULWARK_ENVIRONMENT: 'production' } });
  const there = { mcpUrl: (await strict.gateway([])).mcpUrl, home: strict.url };
  const before = site.asked.length;
  for (const clientId of [
    `${site.url}/client.json`,
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/client.json',
    'https://10.0.0.1/client.json',
    'https://localhost/client.json',
  ])
    await refusal(clientId, there);
  assert.equal(site.asked.length, before);
  await using lenient = await openTestService({
    env: { BULWARK_ENVIRONMENT: 'production', BULWARK_ALLOW_PRIVATE_NETWORK: '127.0.0.0/8' },
  });
  const allowed = await lenient.gateway([]);
  const shown = await new Person().open(
    beginFlow(allowed.mcpUrl, `${site.url}/client.json`).url,
    lenient.url,
  );
  assert.ok(!('leftTo' in shown));
  assert.equal(shown.status, 200, shown.html);
});
