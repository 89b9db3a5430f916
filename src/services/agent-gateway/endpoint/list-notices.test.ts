/** What clients hear of changed lists while the servers of a gateway connect. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { stdioServer } from '../../../../test/fixtures/mcp-servers/start.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { key } = service;

test('a client that connects hears of each kind of list once, however many servers there are', async () => {
  const servers = Array.from({ length: 4 }, (_, n) => ({
    server: stdioServer('./said.ts'),
    prefix: `s${n}__`,
  }));
  const { mcpUrl, serverIds } = await service.gateway(servers);
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'x-api-key': key,
  };
  const send = (body: object) =>
    fetch(mcpUrl, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...body }) });
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const initialized = await send({ id: 1, method: 'initialize', params });
  headers['mcp-session-id'] = initialized.headers.get('mcp-session-id') ?? '';
  // Each says that all of its lists may have changed, before the client listens.
  const found = serverIds.map(async (id) => {
    const { status } = await service.call('POST', `/api/mcp-servers/${id}/discover/tools`, { key });
    assert.equal(status, 200);
  });
  await Promise.all(found);
  const gone = new AbortController();
  const stream = await fetch(mcpUrl, {
    headers: { ...headers, accept: 'text/event-stream' },
    signal: gone.signal,
  });
  let heard = '';
  const hearing = (async () => {
    for await (const part of stream.body ?? []) heard += Buffer.from(part).toString();
  })().catch(() => undefined);
  await send({ method: 'notifications/initialized' });
  await sleep(2500);
  gone.abort();
  await hearing;
  const notices: readonly string[] = heard.match(/notifications\/\w+\/list_changed/g) ?? [];
  assert.ok(notices.includes('notifications/tools/list_changed'), heard);
  assert.deepEqual(notices.toSorted(), [...new Set(notices)].toSorted());
});
