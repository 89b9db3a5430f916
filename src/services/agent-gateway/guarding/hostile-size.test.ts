/** Servers that send too much, too slowly, or half of it: each call fails in bounded time, and memory stays flat. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startHttp } from '../../../../test/fixtures/mcp-servers/start.ts';
import { modernRequest } from '../../../../test/fixtures/modern-request.ts';
import { openModernClient } from '../fixtures/sdk-clients.ts';
import { openTestService } from '../fixtures/service.ts';

const messageBytes = 4_000_000;
const service = await openTestService({
  env: {
    BULWARK_AGENT_GATEWAY_CALL_TIMEOUT_MS: '3000',
    BULWARK_AGENT_GATEWAY_MESSAGE_BYTES: String(messageBytes),
  },
});
after(() => service[Symbol.asyncDispose]());
const { call, key } = service;

const gatewayOf = (url: string) =>
  service.gateway([{ server: { transport: 'http', connection_url: url }, prefix: '' }], {
    output_guard: 'block',
    pin_tools: 'block',
  });

/** Memory is measured after a garbage collection: otherwise the figure depends on when the last one was. */
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const heldMiB = () => {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1024 ** 2;
};

test('answers of 50 MB fail, and are not kept', async () => {
  using upstream = await startHttp('./hostile-http.ts', 'enormous');
  const { mcpUrl, gatewayId } = await gatewayOf(upstream.url);
  await using client = await openModernClient({ mcpUrl, key });
  const rounds = async (count: number) => {
    for (let i = 0; i < count; i += 1) await assert.rejects(client.call('act'), /larger than 4000000 bytes/);
  };
  await rounds(3);
  const before = heldMiB();
  await rounds(20);
  // A thousand megabytes were sent.
  assert.ok(heldMiB() - before < 100, `${before} MiB before, ${heldMiB()} MiB after`);
  await call('POST', `/api/gateways/${gatewayId}/stop`, { key });
});

for (const [manner, error] of [
  ['drip', /did not answer tools\/call within 3000 ms/],
  ['cut', /cannot be reached/],
] as const)
  test(`a call of a server that sends half of its answer fails in time: ${manner}`, async () => {
    using upstream = await startHttp('./hostile-http.ts', manner);
    const { mcpUrl, gatewayId } = await gatewayOf(upstream.url);
    await using client = await openModernClient({ mcpUrl, key });
    await assert.rejects(client.call('act'), error);
    const { body } = await call('GET', `/api/gateways/${gatewayId}/calls`, { key });
    assert.equal(body.calls[0].outcome, 'failed');
    await call('POST', `/api/gateways/${gatewayId}/stop`, { key });
  });

test('a call of a server over HTTP that dies in the middle of its answer fails at once', async () => {
  using upstream = await startHttp('./hostile-http.ts', 'dying');
  const { mcpUrl, gatewayId } = await gatewayOf(upstream.url);
  await using client = await openModernClient({ mcpUrl, key });
  await assert.rejects(client.call('act'), /cannot be reached/);
  await call('POST', `/api/gateways/${gatewayId}/stop`, { key });
});

test('10,000 tools are listed and pinned, and other calls are answered meanwhile', async () => {
  using many = await startHttp('./hostile-http.ts', 'many');
  const { mcpUrl, gatewayId } = await gatewayOf(many.url);
  const listed = async () => {
    const response = await modernRequest(mcpUrl, { 'x-api-key': key }, 'tools/list');
    const { result } = (await response.json()) as { result: { tools: unknown[] } };
    return result.tools.length;
  };
  // In processor time of this thread, which does not depend on what else the machine does.
  const usedMs = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let longest = 0;
  let last = usedMs();
  const watch = setInterval(() => {
    longest = Math.max(longest, usedMs() - last);
    last = usedMs();
  }, 5).unref();
  const before = usedMs();
  assert.equal(await listed(), 10_000);
  const between = usedMs();
  assert.equal(await listed(), 10_000);
  clearInterval(watch);
  assert.ok(usedMs() - between < between - before, 'what was read once is not read again');
  // Read, judged and pinned in slices; parsing two megabytes is one of them.
  assert.ok(longest < (between - before) / 3, `other work waited ${longest} ms`);
  const pins = await call('GET', `/api/gateways/${gatewayId}/tool-pins`, { key });
  assert.equal(pins.body.total, 10_000);
  await call('POST', `/api/gateways/${gatewayId}/stop`, { key });
});
