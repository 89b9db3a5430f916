/**
 * `kill -9` of the agent gateway: no process of a stdio server survives it, not even one that ignores every signal to
 * end; after the restart running gateways run again, and a client's old session is unknown (404).
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeTestDatabase } from '#base/db/testing.ts';
import { modernMessage } from '../fixtures/modern-request.ts';
import { stdioServer } from '../fixtures/mcp-servers/start.ts';
import { serve } from './serve.ts';

/** Whether the process exists and is not a zombie. */
const lives = (pid: number): boolean =>
  existsSync(`/proc/${pid}/stat`) && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

test('a killed gateway leaves no process behind, and runs again after its restart', async () => {
  await using database = await makeTestDatabase();
  const { child, call, send } = await serve('agent-gateway', database.settings);
  const { id } = await call('/api/gateways', { name: 'Survivor' });
  const server = await call('/api/mcp-servers', {
    name: 'Stubborn',
    ...stdioServer('./hostile.ts', 'stubborn'),
  });
  await call(`/api/gateways/${id}/mcp-servers/${server.id}`, { tool_prefix: '' });
  await call(`/api/gateways/${id}/start`, {});
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  };
  const initialized = await send(`/api/gateways/${id}/mcp`, {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params,
  });
  const session = { 'mcp-session-id': initialized.headers.get('mcp-session-id') ?? '' };
  const act = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'act', arguments: {} } };
  const acted = await send(`/api/gateways/${id}/mcp`, act, session);
  const { result } = (await acted.json()) as { result: { content: { text: string }[] } };
  const pid = Number(result.content[0]?.text);
  const family = [pid, ...childrenOf(pid)];
  assert.equal(family.length, 2);
  assert.ok(family.every(lives));
  child.kill('SIGKILL');
  await once(child, 'exit');
  while (family.some(lives)) await sleep(50);

  const again = await serve('agent-gateway', database.settings);
  const lost = await again.send(`/api/gateways/${id}/mcp`, act, session);
  assert.equal(lost.status, 404);
  const fresh = await again.send(`/api/gateways/${id}/mcp`, {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params,
  });
  const next = { 'mcp-session-id': fresh.headers.get('mcp-session-id') ?? '' };
  const works = await again.send(`/api/gateways/${id}/mcp`, act, next);
  const after = (await works.json()) as { result: { content: { text: string }[] } };
  const newPid = Number(after.result.content[0]?.text);
  assert.ok(lives(newPid));
  again.child.kill('SIGTERM');
  await once(again.child, 'exit');
  assert.ok(!lives(newPid), 'stopping ends them as well');
});

test('every call that was answered before kill -9 is in the audit log', async () => {
  await using database = await makeTestDatabase();
  const first = await serve('agent-gateway', database.settings);
  const { id } = await first.call('/api/gateways', { name: 'Hammered' });
  const server = await first.call('/api/mcp-servers', { name: 'Echo', ...stdioServer('./complete.ts') });
  await first.call(`/api/gateways/${id}/mcp-servers/${server.id}`, { tool_prefix: '' });
  await first.call(`/api/gateways/${id}/start`, {});
  const answered: string[] = [];
  let sent = 0;
  const hammer = async () => {
    for (;;) {
      sent += 1;
      const message = `call ${sent}`;
      try {
        const { headers, body } = modernMessage('tools/call', { name: 'echo', arguments: { message } });
        const response = await first.send(`/api/gateways/${id}/mcp`, body, headers);
        const { result } = (await response.json()) as { result?: { isError?: boolean } };
        if (result?.isError === false || (result !== undefined && !('isError' in result)))
          answered.push(message);
      } catch {
        // Killed before it answered.
        return;
      }
    }
  };
  const hammers = Array.from({ length: 16 }, hammer);
  while (answered.length < 300) await sleep(20);
  first.child.kill('SIGKILL');
  await Promise.all(hammers);

  const again = await serve('agent-gateway', database.settings);
  const logged = new Set<string>();
  let entries = 0;
  for (let before = ''; ;) {
    const { calls } = (await again.call(`/api/gateways/${id}/calls?limit=1000${before}`)) as {
      calls: { id: string; arguments: string }[];
    };
    if (calls.length === 0) break;
    for (const each of calls) logged.add((JSON.parse(each.arguments) as { message: string }).message);
    entries += calls.length;
    before = `&before=${calls.at(-1)?.id}`;
  }
  assert.deepEqual(
    answered.filter((message) => !logged.has(message)),
    [],
    `${answered.length} of ${sent} calls were answered, ${logged.size} are in the log`,
  );
  assert.equal(entries, logged.size, 'none is there twice');
  again.child.kill('SIGTERM');
  await once(again.child, 'exit');
});
