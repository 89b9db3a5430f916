/**
 * `kill -9` of the agent gateway: no process of a stdio server outlives it, not even one that ignores every request to
 * end; after the restart running gateways run again, and a client's old session is unknown to it (404).
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeTestDatabase } from '#base/db/testing.ts';
import type { DatabaseSettings } from '#base/db/open.ts';
import { stdioServer } from '../fixtures/mcp-servers/start.ts';

const program = fileURLToPath(new URL('../../src/cli/bulwark.ts', import.meta.url));
const password = 'a password of the test';

async function start({ dataDir, url }: DatabaseSettings) {
  const child = spawn(process.execPath, [program, 'serve', 'agent-gateway'], {
    env: {
      PATH: process.env['PATH'],
      BULWARK_DATA_DIR: dataDir === '' ? '/nonexistent' : dataDir,
      ...(url !== undefined && { BULWARK_DATABASE_URL: url }),
      BULWARK_ADMIN_PASSWORD: password,
      BULWARK_JWT_SECRET: 'a secret of the test with 32 characters',
      BULWARK_SECRET_KEY: 'another secret of the test, 32 characters',
      BULWARK_PORT_AGENT_GATEWAY: '0',
      BULWARK_ENVIRONMENT: 'test',
      BULWARK_LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  let base: string | undefined;
  for await (const chunk of child.stdout) {
    printed += String(chunk);
    base = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0];
    if (base !== undefined) break;
  }
  assert.ok(base, printed);
  const send = async (path: string, body?: object, headers: Record<string, string> = {}) =>
    fetch(base + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(body ?? {}),
    });
  const login = await send('/auth/login', { username: 'admin', password });
  const { access_token: token } = (await login.json()) as { access_token: string };
  const authorization = { authorization: `Bearer ${token}` };
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever came.
  const call = async (path: string, body?: object): Promise<any> => {
    const response = await send(path, body, authorization);
    assert.ok(response.ok, await response.clone().text());
    return response.json();
  };
  return {
    child,
    call,
    send: (path: string, body: object, headers = {}) => send(path, body, { ...authorization, ...headers }),
  };
}

/** Neither gone nor a zombie. */
const lives = (pid: number): boolean =>
  existsSync(`/proc/${pid}/stat`) && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

test('a killed gateway leaves no process behind, and runs again after its restart', async () => {
  await using database = await makeTestDatabase();
  const { child, call, send } = await start(database.settings);
  const { id } = await call('/api/gateways', { name: 'Survivor' });
  const server = await call('/api/mcp-servers', {
    name: 'Stubborn',
    ...stdioServer('./hostile.ts', 'stubborn'),
  });
  await call(`/api/gateways/${id}/mcp-servers/${server.id}`, { tool_prefix: '' });
  await call(`/api/gateways/${id}/start`);
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

  const again = await start(database.settings);
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
