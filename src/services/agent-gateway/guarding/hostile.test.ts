/** Malicious and broken servers: each has a defined, bounded outcome, recorded in the audit log. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startHttp, stdioServer } from '../../../../test/fixtures/mcp-servers/start.ts';
import { openLegacyClient, openModernClient } from '../fixtures/sdk-clients.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService({
  env: {
    BULWARK_AGENT_GATEWAY_CALL_TIMEOUT_MS: '3000',
    BULWARK_AGENT_GATEWAY_MESSAGE_BYTES: '1000000',
  },
});
after(() => service[Symbol.asyncDispose]());
const { call, key, tokens } = service;

/** Waits for an entry of the audit log with that outcome. */
async function logged(gatewayId: string, outcome: string): Promise<void> {
  for (const until = Date.now() + 20_000; Date.now() < until; await sleep(20)) {
    const { body } = await call('GET', `/api/gateways/${gatewayId}/calls`, { key });
    if (body.calls.some((each: { outcome: string }) => each.outcome === outcome)) return;
  }
  assert.fail(`No call with the outcome ${outcome} is in the audit log.`);
}

const open = (server: Record<string, unknown>) =>
  service.gateway([{ server, prefix: '' }], { output_guard: 'block' });

for (const [manner, error, outcome] of [
  ['hanging', /did not answer tools\/call within 3000 ms/, 'failed'],
  ['huge', /more than 1000000 bytes/, 'failed'],
  ['crashing', /ended with status 3/, 'failed'],
  ['wrong-schema', /no result of a tool/, 'failed'],
  ['injecting', /prompt injection in tool output/, 'output_blocked'],
  ['injecting-value', /prompt injection in tool output/, 'output_blocked'],
  ['injecting-error', /carries instructions to the agent, which is withheld/, 'output_blocked'],
  ['slow', /at last/, 'ok'],
  ['garbage', /call 1/, 'ok'],
  ['prototype', /call 1/, 'ok'],
  ['deep', /wrote JSON that nests too deep/, 'failed'],
] as const)
  test(`the outcome is bounded and logged for a hostile server over stdio: ${manner}`, async () => {
    const { mcpUrl, gatewayId } = await open(stdioServer('./hostile.ts', manner));
    await using client = await openModernClient({ mcpUrl, key });
    assert.deepEqual(await client.tools(), ['act'], 'invalid tools are not listed');
    const answer = await client.call('act').catch((thrown: unknown) => String(thrown));
    assert.match(answer, error);
    assert.ok(!answer.includes('attacker.example'));
    await logged(gatewayId, outcome);
    await call('POST', `/api/gateways/${gatewayId}/stop`, { key });
  });

test('a message that cannot be read fails its own call, and no other of the same stdio server', async () => {
  const { mcpUrl, gatewayId } = await open(stdioServer('./hostile.ts', 'clumsy'));
  await using client = await openModernClient({ mcpUrl, key });
  const pid = await client.call('act');
  const good = Array.from({ length: 3 }, () => client.call('act'));
  for (const [write, error] of [
    ['large', /more than 1000000 bytes/],
    ['large-id-last', /more than 1000000 bytes/],
    ['deep', /nests too deep/],
    ['cut', /not JSON/],
  ] as const)
    await assert.rejects(client.call('act', { write }), error);
  assert.deepEqual(await Promise.all(good), [pid, pid, pid], 'calls that were under way are answered');
  assert.equal(await client.call('act'), pid, 'the process is the same');
  await assert.rejects(client.call('act', { write: 'dying' }), /ended with status 5/);
  for (
    const until = Date.now() + 20_000;
    (await client.call('act').catch(() => pid)) === pid;
    await sleep(100)
  )
    assert.ok(Date.now() < until, 'a new process is started');
  await call('POST', `/api/gateways/${gatewayId}/stop`, { key });
});

for (const [manner, error] of [
  ['redirecting', /private or reserved address/],
  ['circling', /answered 307/],
  ['page', /not JSON/],
  ['deep', /JSON that nests too deep/],
  ['half', /closed its response before it was complete/],
  ['flooding', /more than 1000000 bytes/],
  ['foreign', /closed its response before it was complete/],
] as const)
  test(`the outcome is bounded and logged for a hostile server over HTTP: ${manner}`, async () => {
    using upstream = await startHttp('./hostile-http.ts', manner);
    const { mcpUrl, gatewayId } = await open({ transport: 'http', connection_url: upstream.url });
    await using client = await openModernClient({ mcpUrl, key });
    const answer = await client.call('act').catch((thrown: unknown) => String(thrown));
    assert.match(answer, error);
    await logged(gatewayId, 'failed');
    const { body } = await call('GET', `/api/gateways/${gatewayId}/status`, { key });
    assert.equal(body.status, 'running');
    await call('POST', `/api/gateways/${gatewayId}/stop`, { key });
  });

test('a server of the older transport cannot redirect messages to another host', async () => {
  using upstream = await startHttp('./hostile-http.ts', 'elsewhere');
  const body = { name: 'Elsewhere', transport: 'sse', connection_url: upstream.url };
  const { id } = (await call('POST', '/api/mcp-servers', { key, body })).body;
  const { status, body: answer } = await call('POST', `/api/mcp-servers/${id}/discover/tools`, { key });
  assert.equal(status, 502);
  assert.match(answer.detail, /endpoint of another origin/);
});

test('a schema with a network reference is listed unchanged, and never fetched', async () => {
  let asked = 0;
  const canary = createServer((_request, response) => {
    asked += 1;
    response.end('{}');
  });
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/schema.json`;
  const { mcpUrl, gatewayId, serverIds } = await open(stdioServer('./hostile.ts', 'remote-reference', url));
  await using client = await openLegacyClient({ mcpUrl, key });
  assert.deepEqual(await client.tools(), ['act']);
  assert.equal(await client.call('act', { value: 1 }), 'call 1');
  const found = await call('POST', `/api/mcp-servers/${serverIds[0]}/discover/tools`, { key });
  assert.equal(found.body.tools[0].inputSchema.properties.value.$ref, url);
  assert.equal(asked, 0);
  canary.close();
  await call('POST', `/api/gateways/${gatewayId}/stop`, { key });
});

test('a server receives no key, user, gateway id or output of other tools', async () => {
  const { mcpUrl, gatewayId } = await service.gateway(
    [
      { server: stdioServer('./hostile.ts', 'recording'), prefix: 'a__' },
      { server: stdioServer('./complete.ts'), prefix: 'b__' },
    ],
    { action_guard_policy_id: 'agp_default' },
  );
  for (const openClient of [openLegacyClient, openModernClient]) {
    await using client = await openClient({ mcpUrl, key });
    await client.call('b__echo', { message: 'said to another server' });
    const received = await client.call('a__act', { own: 'argument' });
    assert.match(received, /own/);
    for (const secret of [key, tokens.admin, gatewayId, 'said to another', 'b__', 'a__', service.url])
      assert.ok(!received.includes(secret), secret);
    assert.ok(!received.includes('admin'));
  }
  await call('POST', `/api/gateways/${gatewayId}/stop`, { key });
});

test('environment values that a crashing server prints are redacted', async () => {
  const server = { ...stdioServer('./hostile.ts', 'telling'), env: { TOKEN: 'a secret of the server' } };
  const { mcpUrl, gatewayId } = await service.gateway([{ server, prefix: '' }]);
  await using client = await openModernClient({ mcpUrl, key });
  const answer = await client.call('act').catch((thrown: unknown) => String(thrown));
  assert.match(answer, /Its last words: \{"TOKEN":"\[redacted\]"\}/);
  await logged(gatewayId, 'failed');
  for (const path of ['status', 'calls']) {
    const { body } = await call('GET', `/api/gateways/${gatewayId}/${path}`, { key });
    assert.doesNotMatch(JSON.stringify(body), /a secret of the server/);
  }
  await call('POST', `/api/gateways/${gatewayId}/stop`, { key });
});

test('a tool name that a server adds later is left out if too long, without affecting other tools', async () => {
  const server = stdioServer('./hostile.ts', 'ok');
  const { mcpUrl, gatewayId, serverIds } = await open(server);
  const [command, ...args] = server.args;
  const body = { args: [command, 'long-name', ...args.slice(1)] };
  assert.equal((await call('PUT', `/api/mcp-servers/${serverIds[0]}`, { key, body })).status, 200);
  await using client = await openModernClient({ mcpUrl, key });
  assert.deepEqual(await client.tools(), ['act']);
  await call('POST', `/api/gateways/${gatewayId}/stop`, { key });
});

test('when a server over HTTP is killed during a call, the call fails and later calls work', async () => {
  const upstream = await startHttp('./complete.ts', '--modern');
  const { mcpUrl, gatewayId } = await open({ transport: 'http', connection_url: upstream.url });
  await using client = await openLegacyClient({ mcpUrl, key });
  const waiting = assert.rejects(
    client.call('slow', { ms: 60_000 }),
    /cannot be reached|closed its response before/,
  );
  await sleep(300);
  upstream[Symbol.dispose]();
  await waiting;
  await logged(gatewayId, 'failed');
  await assert.rejects(client.call('echo', { message: 'x' }), /cannot be reached|not available/);
  await call('POST', `/api/gateways/${gatewayId}/stop`, { key });
});

test('when a server is killed during a call, the call fails at once and the next one works', async () => {
  const { mcpUrl, gatewayId } = await open(stdioServer('./hostile.ts', 'waiting'));
  await using client = await openModernClient({ mcpUrl, key });
  const pid = Number(await client.call('act'));
  await assert.rejects(client.call('act', { wait: true }), /was ended by SIGKILL/);
  await logged(gatewayId, 'failed');
  for (const until = Date.now() + 20_000; ; await sleep(100)) {
    const next = await client.call('act').catch(String);
    if (/^\d+$/.test(next)) {
      assert.notEqual(Number(next), pid);
      break;
    }
    assert.ok(Date.now() < until, next);
  }
  await call('POST', `/api/gateways/${gatewayId}/stop`, { key });
});

test('a server whose program finds no other is told that it runs without PATH', async () => {
  const args = ['-c', 'exec no-such-program-here'];
  const { gatewayId } = await open({ name: 'lost', transport: 'stdio', command: '/bin/sh', args });
  const { body } = await call('GET', `/api/gateways/${gatewayId}/status`, { key });
  assert.match(body.servers[0].error, /ended with status 127.*has no PATH/s);
});
