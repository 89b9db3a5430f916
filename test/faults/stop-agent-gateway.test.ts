/**
 * SIGTERM to the process while calls are in progress: each gets a response, over either transport, no process is left
 * behind, and after the restart the gateway runs again.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeTestDatabase } from '#base/db/testing.ts';
import { startHttp, stdioServer } from '../fixtures/mcp-servers/start.ts';
import { modernMessage } from '../fixtures/modern-request.ts';
import { serve } from './serve.ts';

interface Answer {
  readonly result?: { readonly content: readonly { readonly text: string }[] };
  readonly error?: { readonly message: string };
}

const said = ({ result }: Answer) => result?.content[0]?.text;
const failed = ({ error }: Answer) => error?.message ?? '';

const env = { BULWARK_ALLOW_PRIVATE_NETWORK: '127.0.0.1/32', BULWARK_SHUTDOWN_TIMEOUT_MS: '8000' };

test('calls in progress are answered before the process ends, and the gateway runs again after the restart', async (t) => {
  await using database = await makeTestDatabase();
  using upstream = await startHttp('./complete.ts');
  const { child, call, send } = await serve('agent-gateway', database.settings, env);
  t.after(() => child.kill('SIGKILL'));
  const { id } = await call('/api/gateways', { name: 'Ending' });
  const servers = [
    ['a__', { name: 'Here', ...stdioServer('./complete.ts') }],
    ['b__', { name: 'There', transport: 'http', connection_url: upstream.url }],
  ] as const;
  for (const [prefix, body] of servers) {
    const server = await call('/api/mcp-servers', body);
    await call(`/api/gateways/${id}/mcp-servers/${server.id}`, { tool_prefix: prefix });
  }
  await call(`/api/gateways/${id}/start`, {});
  const ask = async (to: typeof send, name: string, args: object): Promise<Answer> => {
    const { headers, body } = modernMessage('tools/call', { name, arguments: args });
    return (await (await to(`/api/gateways/${id}/mcp`, body, headers)).json()) as Answer;
  };
  for (const [prefix] of servers) assert.equal(said(await ask(send, `${prefix}echo`, { message: 'x' })), 'x');

  const short = servers.map(([prefix]) => ask(send, `${prefix}slow`, { ms: 4000 }));
  const long = servers.flatMap(([prefix]) =>
    Array.from({ length: 3 }, () => ask(send, `${prefix}slow`, { ms: 600_000 })),
  );
  await sleep(300);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  for (const each of await Promise.all(short)) assert.equal(said(each), 'done');
  for (const each of await Promise.all(long)) assert.match(failed(each), /was stopped/);
  const [status] = (await ended) as [number | null];
  assert.equal(status, 0);

  const again = await serve('agent-gateway', database.settings, env);
  t.after(() => again.child.kill('SIGKILL'));
  const state = await again.call(`/api/gateways/${id}/status`);
  assert.equal(state.status, 'running');
  for (const [prefix] of servers)
    assert.equal(said(await ask(again.send, `${prefix}echo`, { message: 'y' })), 'y');
  const { calls } = await again.call(`/api/gateways/${id}/calls`);
  assert.equal(
    calls.filter(({ reason }: { reason: string }) => reason.includes('was stopped')).length,
    long.length,
    'cancelled calls are in the audit log',
  );
  again.child.kill('SIGTERM');
  await once(again.child, 'exit');
});

test('a call that waits for an approval is told that the process stops', async (t) => {
  await using database = await makeTestDatabase();
  const { child, call, send, urls, token } = await serve(
    ['agent-gateway', 'action-guard'],
    database.settings,
    env,
  );
  t.after(() => child.kill('SIGKILL'));
  const atGuard = async (path: string, body: object) => {
    const response = await fetch(`${urls.get('action-guard')}/api/v1/policies/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.ok(response.ok, await response.clone().text());
    return (await response.json()) as { policy_id: string };
  };
  const rules = { only: { description: 'Sending a message requires approval.', severity: 'High' } };
  const { policy_id: policyId } = await atGuard('policy', { name: 'Held', rules });
  const { policy_id: setId } = await atGuard('sets', { name: 'Held', policy_ids: [policyId] });
  const { id } = await call('/api/gateways', { name: 'Holding', action_guard_policy_id: setId });
  const server = await call('/api/mcp-servers', { name: 'Here', ...stdioServer('./complete.ts') });
  await call(`/api/gateways/${id}/mcp-servers/${server.id}`, { tool_prefix: '' });
  await call(`/api/gateways/${id}/start`, {});
  const { headers, body } = modernMessage('tools/call', { name: 'echo', arguments: { message: 'please' } });
  const held = send(`/api/gateways/${id}/mcp`, body, headers).then((response) => response.text());
  while ((await call(`/api/gateways/${id}/approvals?status=pending`)).total === 0) await sleep(50);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const answer = await held;
  assert.match(answer, /being stopped or restarted/);
  assert.doesNotMatch(answer, /Nobody who may do so/);
  assert.equal(((await ended) as [number | null])[0], 0);
});
