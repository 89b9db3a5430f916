/**
 * Two processes of the gateway behind a round-robin proxy: clients of the older protocol keep their sessions and
 * event streams without sticky routing.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { openModernClient } from '#services/agent-gateway/fixtures/sdk-clients.ts';
import { makeTestDatabase, type TestDatabaseSettings } from '#base/db/testing.ts';
import { serve, type Served } from '../faults/serve.ts';
import { stdioServer } from '../fixtures/mcp-servers/start.ts';

/** Sends each request to the next process. */
async function openRoundRobin(targets: readonly string[]) {
  let next = 0;
  const server = createServer((asked, response) => {
    const target = new URL(asked.url ?? '/', targets[next++ % targets.length]);
    const { host: _, ...headers } = asked.headers;
    const sent = request(target, { method: asked.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
    });
    sent.once('error', () => response.destroy());
    response.once('close', () => sent.destroy());
    asked.pipe(sent);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('two processes', { skip: process.env['BULWARK_TEST_DATABASE'] !== 'postgres' }, () => {
  let database: TestDatabaseSettings;
  let processes: Served[];
  let gatewayId: string;
  before(async () => {
    database = await makeTestDatabase();
    const start = () =>
      serve('agent-gateway', database.settings, { BULWARK_ALLOW_PRIVATE_NETWORK: '127.0.0.1/32' });
    const first = await start();
    processes = [first, await start()];
    const server = await first.call('/api/mcp-servers', { name: 'Here', ...stdioServer('./complete.ts') });
    gatewayId = (await first.call('/api/gateways', { name: 'Both' })).id;
    await first.call(`/api/gateways/${gatewayId}/mcp-servers/${server.id}`, { tool_prefix: '' });
    await first.call(`/api/gateways/${gatewayId}/start`, {});
  });
  after(async () => {
    for (const { child } of processes) child.kill('SIGKILL');
    await database[Symbol.asyncDispose]();
  });

  const open = async (baseUrl: string) => {
    const client = new Client({ name: 'older', version: '1' });
    const headers = { authorization: `Bearer ${processes[0]?.token}` };
    const url = new URL(`${baseUrl}/api/gateways/${gatewayId}/mcp`);
    const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
    await client.connect(transport as Parameters<typeof client.connect>[0]);
    return { client, transport };
  };
  const echo = async (client: Client, message: string) => {
    const { content } = await client.callTool({ name: 'echo', arguments: { message } });
    return (content as { text: string }[])[0]?.text;
  };
  const post = (at: number, sessionId: string, headers: Record<string, string> = {}) =>
    processes[at]?.send(
      `/api/gateways/${gatewayId}/mcp`,
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { authorization: `Bearer ${processes[0]?.token}`, 'mcp-session-id': sessionId, ...headers },
    );

  test('clients work without sticky sessions, including their event stream and session end', async () => {
    using proxy = await openRoundRobin(processes.map(({ base }) => base));
    const clients = await Promise.all(Array.from({ length: 4 }, () => open(proxy.url)));
    const changed = Promise.all(
      clients.map(
        ({ client }) =>
          new Promise<void>((resolve) =>
            client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()),
          ),
      ),
    );
    for (let i = 0; i < 6; i++)
      assert.deepEqual(
        await Promise.all(clients.map(({ client }, n) => echo(client, `${n} ${i}`))),
        clients.map((_, n) => `${n} ${i}`),
      );
    // Sent on the event streams that clients hold open, at any process.
    const more = await processes[1]?.call('/api/mcp-servers', {
      name: 'More',
      ...stdioServer('./complete.ts'),
    });
    await processes[1]?.call(`/api/gateways/${gatewayId}/mcp-servers/${more.id}`, { tool_prefix: 'more__' });
    await changed;
    for (const { client, transport } of clients) {
      const sessionId = transport.sessionId ?? '';
      await transport.terminateSession();
      for (const at of [0, 1])
        assert.equal((await post(at, sessionId))?.status, 404, 'it has ended everywhere');
      await client.close();
    }
  });

  test('a client of the newer protocol answers questions at any process', async () => {
    using proxy = await openRoundRobin(processes.map(({ base }) => base));
    const token = processes[0]?.token ?? '';
    const mcpUrl = `${proxy.url}/api/gateways/${gatewayId}/mcp`;
    for (let round = 0; round < 4; round++) {
      await using client = await openModernClient({
        mcpUrl,
        token,
        fill: () => ({ response: `yes ${round}` }),
      });
      assert.match(await client.call('test_elicitation', { message: 'Sure?' }), new RegExp(`yes ${round}`));
    }
  });

  test('a forged forwarding header is ignored, and an unknown session is 404', async () => {
    const { client, transport } = await open(processes[0]?.base ?? '');
    const sessionId = transport.sessionId ?? '';
    assert.equal((await post(1, sessionId))?.status, 200);
    const madeUp = { 'x-bulwark-passed-on': `${Date.now()}.${'A'.repeat(43)}` };
    assert.equal((await post(1, sessionId, madeUp))?.status, 200, 'the forged header is ignored');
    assert.equal((await post(1, `${'A'.repeat(16)}.${'B'.repeat(32)}`))?.status, 404);
    assert.equal((await post(1, `http://127.0.0.1:1/.${'B'.repeat(32)}`))?.status, 404);
    await client.close();
  });

  test('a session of a process that died is 404, so that its client starts a new one', async () => {
    const { transport } = await open(processes[1]?.base ?? '');
    const sessionId = transport.sessionId ?? '';
    assert.equal((await post(0, sessionId))?.status, 200);
    const gone = once(processes[1]!.child, 'exit');
    processes[1]?.child.kill('SIGKILL');
    await gone;
    assert.equal((await post(0, sessionId))?.status, 404);
  });
});
