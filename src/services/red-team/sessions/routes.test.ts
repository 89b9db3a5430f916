/** The MCP endpoint for agents: who is let in, and how often. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { callInto } from '#base/http/testing.ts';
import { loadConfig } from '#base/config/load.ts';
import { platformSections } from '#base/config/platform.ts';
import { createHttpServer, serverSettings } from '#base/http/server.ts';
import { createRateLimits } from '#base/limits/rate-limits.ts';
import { createLog } from '#base/log/log.ts';
import { shiftedClock } from '#base/shifted-clock.ts';
import { McpProxy } from './mcp-proxy.ts';
import { ProxyRoutes } from './routes.ts';
import { RunningSessions } from './running-sessions.ts';

const log = createLog({ level: 'silent' });
const sessions = new RunningSessions();
const proxy = new McpProxy(sessions, log, '0');
const app = createHttpServer({
  service: 'red_team',
  log,
  ...serverSettings(loadConfig(platformSections, {})),
});
const limits = createRateLimits({ clock: shiftedClock(), log });
new ProxyRoutes({
  proxy,
  sessions,
  authenticate: async () => undefined,
  countTask: limits.limit('tasks', { perMinute: () => 2, words: 'requests a minute of one task' }),
  isKeyRequired: true,
}).addTo(app);
const call = callInto(app);
after(async () => {
  await app.close();
  await proxy.close();
});

const start = (token: string) =>
  sessions.open({
    sessionId: `session-${token}`,
    token,
    tenantId: 'tenant',
    userId: 'user',
    apiKeyId: null,
    sandbox: { tools: async () => [], call: async () => ({ text: '', isError: false }) },
  });
const ask = async (token: string) => {
  const answer = await call('POST', `/sandbox/mcp/s/${token}`, {
    headers: { 'x-api-key': token },
    body: { jsonrpc: '2.0', id: 1, method: 'ping' },
  });
  return answer.status;
};

test('an agent that comes with the token of its task is counted for this task alone', async () => {
  using _one = start('one');
  using _two = start('two');
  assert.notEqual(await ask('one'), 429);
  assert.notEqual(await ask('one'), 429);
  assert.equal(await ask('one'), 429);
  assert.notEqual(await ask('two'), 429);
  assert.equal(await ask('three'), 401);
});
