import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createLog } from '#base/log/log.ts';
import { EnvironmentInstance } from '#environments/kit/instance.ts';
import { mail } from '#environments/mail/mail.ts';
import { InProcessHandle } from '#engine/red-team/session/in-process.ts';
import { SandboxSession } from '#engine/red-team/session/sandbox-session.ts';
import { shippedTasks } from '#engine/red-team/tasks/load.ts';
import { McpProxy } from './mcp-proxy.ts';
import { type ProxyCaller, RunningSessions } from './running-sessions.ts';

const address = new URL('http://127.0.0.1/sandbox/mcp');
const person = { tenantId: 'tenant', userId: 'user', apiKeyId: 'key' };

async function startedSession(token: string, apiKeyId: string | null = null) {
  const task = shippedTasks().find(({ vector }) => vector === 'tool_output');
  assert.ok(task);
  const sandbox = new SandboxSession(
    task,
    new Map([['mail', new InProcessHandle(new EnvironmentInstance(mail))]]),
  );
  await sandbox.start(token);
  return { sessionId: `session-${token}`, token, ...person, apiKeyId, sandbox };
}

function openProxy() {
  const sessions = new RunningSessions();
  const proxy = new McpProxy(sessions, createLog({ level: 'silent' }), '0');
  const fetchAs =
    (caller: ProxyCaller): typeof fetch =>
    async (url, init) => {
      const request = new Request(url, init);
      const text = await request.clone().text();
      return proxy.fetch(request, text === '' ? undefined : JSON.parse(text), caller);
    };
  return { sessions, fetchAs };
}

test('Clients of both protocol eras list and call the tools of their task', async () => {
  const { sessions, fetchAs } = openProxy();
  using _ = sessions.open(await startedSession('one'));
  const fetch = fetchAs({ ...person, token: 'one' });
  const modern = new NewClient({ name: 'test', version: '1' }, { protocolVersion: '2026-07-28' } as object);
  await modern.connect(new NewTransport(address, { fetch }));
  const legacy = new OldClient({ name: 'test', version: '1' });
  await legacy.connect(new OldTransport(address, { fetch }) as Parameters<OldClient['connect']>[0]);
  for (const client of [modern, legacy]) {
    const { tools } = await client.listTools();
    assert.ok(tools.some((tool) => tool.name === 'mail__send_message'));
    const result = await client.callTool({ name: 'mail__get_message', arguments: { id: 'msg_offsite' } });
    assert.match(JSON.stringify(result.content), /lake house/);
    await client.close();
  }
});

const callTool = async (fetch: typeof globalThis.fetch) => {
  const client = new OldClient({ name: 'test', version: '1' });
  await client.connect(new OldTransport(address, { fetch }) as Parameters<OldClient['connect']>[0]);
  return client.callTool({ name: 'mail__list_rules', arguments: {} });
};

test('A call without a token reaches the only running task of its API key', async () => {
  const { sessions, fetchAs } = openProxy();
  using _ = sessions.open(await startedSession('one'));
  const result = await callTool(fetchAs({ ...person, token: null }));
  assert.match(JSON.stringify(result.content), /rule_newsletters/);
});

test('A call is never told to one of several tasks by guessing', async () => {
  const { sessions, fetchAs } = openProxy();
  using _one = sessions.open(await startedSession('one'));
  using _two = sessions.open(await startedSession('two'));
  await assert.rejects(
    callTool(fetchAs({ ...person, token: null })),
    /2 tasks are running.*X-Redteam-Session/,
  );
});

test('A call after the end of its task is refused', async () => {
  const { sessions, fetchAs } = openProxy();
  sessions.open(await startedSession('one'))[Symbol.dispose]();
  using _ = sessions.open(await startedSession('two'));
  await assert.rejects(callTool(fetchAs({ ...person, token: 'one' })), /This task has ended/);
});

test('A token of another tenant is unknown', async () => {
  const { sessions, fetchAs } = openProxy();
  using _ = sessions.open(await startedSession('one'));
  const stranger = { tenantId: 'other', userId: 'other', apiKeyId: 'other', token: 'one' };
  await assert.rejects(callTool(fetchAs(stranger)), /No running task has this session token/);
  await assert.rejects(
    callTool(fetchAs({ ...stranger, token: null })),
    /No task is running for this API key/,
  );
});

test('A task that is bound to an API key is not reached with another key of the same user', async () => {
  const { sessions, fetchAs } = openProxy();
  using _ = sessions.open(await startedSession('one', 'its-key'));
  await assert.rejects(callTool(fetchAs({ ...person, token: null })), /No task is running for this API key/);
  const result = await callTool(fetchAs({ ...person, apiKeyId: 'its-key', token: null }));
  assert.match(JSON.stringify(result.content), /rule_newsletters/);
});
