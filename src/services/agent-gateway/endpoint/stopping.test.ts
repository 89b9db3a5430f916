/** Stopping a gateway with running calls: short calls complete, the others and their server are notified. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startHttp, stdioServer } from '../../../../test/fixtures/mcp-servers/start.ts';
import { openLegacyClient, openModernClient } from '../fixtures/sdk-clients.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, key } = service;

const http = await startHttp('./complete.ts');
after(() => http[Symbol.dispose]());

/** No guard or limit interferes. */
const open = (server: Record<string, unknown>, settings: Record<string, unknown> = {}) =>
  service.gateway([{ server, prefix: '' }], settings);

const upstreams = {
  stdio: () => stdioServer('./complete.ts'),
  http: () => ({ transport: 'http', connection_url: http.url }),
};

const statusOf = async (gatewayId: string) =>
  (await call('GET', `/api/gateways/${gatewayId}/status`, { key })).body.status as string;

const stoppedCalls = async (path: string): Promise<number> => {
  const { body } = await call('GET', `${path}/calls`, { key });
  return body.calls.filter(({ reason }: { reason: string }) => reason.includes('was stopped')).length;
};

for (const [kind, upstream] of Object.entries(upstreams))
  for (const [era, openClient] of Object.entries({ legacy: openLegacyClient, modern: openModernClient }))
    test(`stopping finishes short calls and ends long ones: a server over ${kind}, a ${era} client`, async () => {
      const { gatewayId, mcpUrl } = await open(upstream());
      const path = `/api/gateways/${gatewayId}`;
      const client = await openClient({ mcpUrl, key });
      const begunBefore = Number(await client.call('begun'));
      const abandonedBefore = Number(await client.call('abandoned'));
      const short = client.call('slow', { ms: 700 });
      const long = Array.from({ length: 3 }, () =>
        client.call('slow', { ms: 60_000 }).then(
          (answer) => `answered ${answer}`,
          (error: unknown) => String(error),
        ),
      );
      while (Number(await client.call('begun')) < begunBefore + 4) await sleep(20);
      const stopped = await call('POST', `${path}/stop`, { key });
      assert.equal(stopped.status, 200);
      assert.equal(await short, 'done', 'a short call completes');
      for (const each of await Promise.all(long)) assert.match(each, /The gateway was stopped/);
      assert.equal(await statusOf(gatewayId), 'stopped');
      await assert.rejects(client.call('echo', { message: 'x' }), /is stopped/);
      await Promise.resolve(client[Symbol.asyncDispose]()).catch(() => undefined);
      for (const until = Date.now() + 20_000; (await stoppedCalls(path)) < 3; await sleep(20))
        assert.ok(Date.now() < until, 'it is in the audit log');

      assert.equal((await call('POST', `${path}/start`, { key })).status, 200);
      await using again = await openClient({ mcpUrl, key });
      assert.match(await again.call('echo', { message: 'back' }), /back/);
      // A new process starts counting at zero; a remote server was notified of each cancelled call.
      const abandoned = Number(await again.call('abandoned'));
      assert.equal(abandoned, kind === 'http' ? abandonedBefore + 3 : 0);
      await call('POST', `${path}/stop`, { key });
    });

test('stopping ends calls that wait for approval with an error, and closes listening streams', async () => {
  const policy = await service.policySet('Sending a message requires approval.');
  const { gatewayId, mcpUrl } = await open(upstreams.stdio(), { action_guard_policy_id: policy });
  const path = `/api/gateways/${gatewayId}`;
  const headers = {
    'x-api-key': key,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const initialized = await fetch(mcpUrl, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    }),
  });
  const session = { ...headers, 'mcp-session-id': initialized.headers.get('mcp-session-id') ?? '' };
  const stream = await fetch(mcpUrl, { headers: { ...session, accept: 'text/event-stream' } });
  assert.equal(stream.status, 200);
  const clients = [await openModernClient({ mcpUrl, key }), await openLegacyClient({ mcpUrl, key })];
  const held = clients.map((client) =>
    client.call('echo', { message: 'please' }).then(
      (answer) => `answered ${answer}`,
      (error: unknown) => String(error),
    ),
  );
  for (const until = Date.now() + 20_000; ; await sleep(20)) {
    const { body } = await call('GET', `${path}/approvals?status=pending`, { key });
    if (body.total === held.length) break;
    assert.ok(Date.now() < until, JSON.stringify(body));
  }
  assert.equal((await call('POST', `${path}/stop`, { key })).status, 200);
  for (const each of await Promise.all(held)) assert.match(each, /was stopped|Not approved/);
  await stream.text();
  const again = {
    method: 'POST',
    headers: session,
    body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' }),
  };
  assert.equal((await fetch(mcpUrl, again)).status, 503);
  assert.equal((await call('POST', `${path}/start`, { key })).status, 200);
  assert.equal((await fetch(mcpUrl, again)).status, 404, 'the client begins a new session');
  for (const client of clients) await Promise.resolve(client[Symbol.asyncDispose]()).catch(() => undefined);
  await call('POST', `${path}/stop`, { key });
});
