/**
 * Servers over standard input and output that send too much, too slowly, or very many tools: each call ends in bounded
 * time, memory stays flat, and no process is left when the gateway stops.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openModernClient } from '#services/agent-gateway/fixtures/sdk-clients.ts';
import { openTestService } from '#services/agent-gateway/fixtures/service.ts';
import { stdioServer } from '../fixtures/mcp-servers/start.ts';
import { modernRequest } from '../fixtures/modern-request.ts';

const service = await openTestService({
  env: {
    BULWARK_AGENT_GATEWAY_CALL_TIMEOUT_MS: '10000',
    BULWARK_AGENT_GATEWAY_MESSAGE_BYTES: '4000000',
  },
});
after(() => service[Symbol.asyncDispose]());
const { call, key } = service;

const gatewayOf = (manner: string) =>
  service.gateway([{ server: stdioServer('./hostile.ts', manner), prefix: '' }], {
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

const children = (): string[] =>
  readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean);

/** Whether the process runs; one that has ended and was not waited for yet does not. */
function isAlive(pid: string): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Stops the gateway, after which the processes that it has started end: their death may be told a moment later. */
async function stop(gatewayId: string, before: readonly string[]): Promise<void> {
  const started = children().filter((pid) => !before.includes(pid));
  assert.ok(started.length > 0, 'the server runs as a process of ours');
  assert.equal((await call('POST', `/api/gateways/${gatewayId}/stop`, { key })).status, 200);
  for (let round = 0; round < 300 && started.some(isAlive); round += 1) await setTimeout(100);
  assert.deepEqual(started.filter(isAlive), []);
}

test('answers of 50 MB fail and are not kept, and the process of the server goes on', async () => {
  const before = children();
  const { mcpUrl, gatewayId } = await gatewayOf('enormous');
  await using client = await openModernClient({ mcpUrl, key });
  const pid = await client.call('act', { write: 'pid' });
  const rounds = async (count: number) => {
    for (let i = 0; i < count; i += 1) await assert.rejects(client.call('act'), /more than 4000000 bytes/);
  };
  await rounds(2);
  const heldBefore = heldMiB();
  await rounds(8);
  assert.equal(await client.call('act', { write: 'pid' }), pid);
  // Four hundred megabytes were sent.
  assert.ok(heldMiB() - heldBefore < 50, `${heldBefore} MiB before, ${heldMiB()} MiB after`);
  await stop(gatewayId, before);
});

test('a call whose answer comes byte by byte fails in time, and the server ends with its gateway', async () => {
  const before = children();
  const { mcpUrl, gatewayId } = await gatewayOf('drip');
  await using client = await openModernClient({ mcpUrl, key });
  await assert.rejects(client.call('act'), /did not answer tools\/call within 10000 ms/);
  const { body } = await call('GET', `/api/gateways/${gatewayId}/calls`, { key });
  assert.equal(body.calls[0].outcome, 'failed');
  await stop(gatewayId, before);
});

test('10,000 tools are listed and pinned', async () => {
  const before = children();
  const { mcpUrl, gatewayId } = await gatewayOf('many');
  const response = await modernRequest(mcpUrl, { 'x-api-key': key }, 'tools/list');
  const { result } = (await response.json()) as { result: { tools: unknown[] } };
  assert.equal(result.tools.length, 10_000);
  const pins = await call('GET', `/api/gateways/${gatewayId}/tool-pins`, { key });
  assert.equal(pins.body.total, 10_000);
  await stop(gatewayId, before);
});
