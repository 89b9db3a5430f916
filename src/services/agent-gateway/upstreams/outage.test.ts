/** A server over HTTP that goes down and comes back: what clients and the status say of it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startHttp } from '../../../../test/fixtures/mcp-servers/start.ts';
import { openModernClient } from '../fixtures/sdk-clients.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, clock, key } = service;

const upstream = await startHttp('./complete.ts');
after(() => upstream[Symbol.dispose]());

/** A way to the server that can be closed, and opened again at the same address. */
async function openWay() {
  const target = new URL(upstream.url);
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  let port = 0;
  const open = async () => {
    server = createServer((socket) => {
      const there = connect(Number(target.port), target.hostname);
      for (const each of [socket, there]) {
        sockets.add(each);
        each.on('error', () => undefined).on('close', () => sockets.delete(each));
      }
      socket.pipe(there).pipe(socket);
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  };
  const close = async () => {
    const closed = server && once(server, 'close');
    server?.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  await open();
  return { url: `http://127.0.0.1:${port}${target.pathname}`, open, close, [Symbol.asyncDispose]: close };
}

test('a server that is down is said to be, with since when and why, and is found again when it is back', async () => {
  await using way = await openWay();
  const server = { transport: 'http', connection_url: way.url };
  const { gatewayId, mcpUrl, serverIds } = await service.gateway([{ server, prefix: 'up__' }]);
  const status = async () =>
    (await call('GET', `/api/gateways/${gatewayId}/status`, { key })).body.servers[0];
  await using client = await openModernClient({ mcpUrl, key });
  const echo = (name = 'up__echo') => client.call(name, { message: 'here' }).catch(String);
  assert.equal(await echo(), 'here');
  const before = await status();
  assert.deepEqual([before.state, before.failed_since], ['connected', null]);
  assert.equal(typeof before.last_contact_at, 'string');

  await way.close();
  // The connection that was open may break off first; the next request finds nobody.
  let refused = await echo();
  for (; !refused.includes('not available'); refused = await echo()) await sleep(20);
  assert.match(refused, /server 1 is not available since \d{4}-.*cannot be reached/);
  const down = await status();
  assert.equal(down.state, 'failed');
  assert.match(down.error, /cannot be reached/);
  assert.ok(down.failed_since >= down.last_contact_at, JSON.stringify(down));

  // Lists are read again, and leave it out: its tools are known all the same.
  clock.advance(120_000);
  assert.deepEqual(await client.tools(), []);
  assert.match(await echo(), new RegExp(`server 1 is not available since ${down.failed_since}`));
  assert.match(await echo('up__nothing'), /Unknown tool: up__nothing/);
  const { calls } = (await call('GET', `/api/gateways/${gatewayId}/calls?limit=2`, { key })).body;
  assert.deepEqual(
    calls.map((entry: Record<string, unknown>) => [entry['tool_name'], entry['server_id']]),
    [
      ['up__nothing', null],
      ['up__echo', serverIds[0]],
    ],
  );

  await way.open();
  // Nobody asks for it: it is tried by itself.
  for (const until = Date.now() + 60_000; (await status()).state !== 'connected'; await sleep(50)) {
    assert.ok(Date.now() < until, 'it is found again');
    clock.advance(1000);
  }
  assert.equal((await status()).failed_since, null);
  clock.advance(120_000);
  assert.equal(await echo(), 'here');
});
