/** The endpoint through both SDKs, in front of a reference server over stdio. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, key } = service;

const everything = {
  name: 'Everything',
  transport: 'stdio',
  command: process.execPath,
  args: [fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'))],
};
const { mcpUrl, gatewayId } = await service.gateway([{ server: everything }]);
const requestInit = { headers: { 'x-api-key': key } };

const oldClient = async (capabilities = {}) => {
  const client = new OldClient({ name: 'old', version: '1' }, { capabilities });
  const transport = new OldTransport(new URL(mcpUrl), { requestInit });
  // The SDK's own types disagree under exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return client;
};
const newClient = async (capabilities = {}) => {
  const client = new NewClient(
    { name: 'new', version: '1' },
    { capabilities, versionNegotiation: { mode: 'auto' } },
  );
  await client.connect(new NewTransport(new URL(mcpUrl), { requestInit }));
  return client;
};

for (const [name, open] of [
  ['SDK v1', oldClient],
  ['SDK v2', newClient],
] as const) {
  test(`${name}: tools (with prefix), prompts, resources and completions of the server are available`, async () => {
    const client = await open();
    const { tools } = await client.listTools();
    assert.ok(tools.some((tool) => tool.name === 'everything__echo'));
    assert.ok(tools.every((tool) => tool.name.startsWith('everything__')));
    const echoed = await client.callTool({ name: 'everything__echo', arguments: { message: 'hello' } });
    assert.deepEqual(echoed.content, [{ type: 'text', text: 'Echo: hello' }]);
    const structured = await client.callTool({
      name: 'everything__get-structured-content',
      arguments: { location: 'New York' },
    });
    assert.equal(typeof structured.structuredContent, 'object');
    const { prompts } = await client.listPrompts();
    assert.ok(prompts.some((prompt) => prompt.name === 'everything__simple-prompt'));
    const prompt = await client.getPrompt({ name: 'everything__simple-prompt' });
    assert.ok(prompt.messages.length > 0);
    const { resources } = await client.listResources();
    const [resource] = resources;
    const read = await client.readResource({ uri: resource!.uri });
    assert.equal(read.contents[0]?.uri, resource!.uri);
    const { resourceTemplates } = await client.listResourceTemplates();
    assert.ok(resourceTemplates.length > 0);
    const completed = await client.complete({
      ref: { type: 'ref/prompt', name: 'everything__completable-prompt' },
      argument: { name: 'department', value: 'E' },
    });
    assert.deepEqual(completed.completion.values, ['Engineering']);
    await client.close();
  });

  test(`${name}: progress notifications have the client’s own token`, async () => {
    const client = await open();
    const seen: number[] = [];
    const params = {
      name: 'everything__trigger-long-running-operation',
      arguments: { duration: 0.3, steps: 3 },
    };
    const onprogress = ({ progress }: { progress: number }) => void seen.push(progress);
    if (client instanceof OldClient) await client.callTool(params, undefined, { onprogress });
    else await client.callTool(params, { onprogress });
    assert.deepEqual(seen, [1, 2, 3]);
    await client.close();
  });

  test(`${name}: an unknown tool is an error that names it`, async () => {
    const client = await open();
    await assert.rejects(client.callTool({ name: 'nothing', arguments: {} }), /Unknown tool: nothing/);
    await client.close();
  });
}

test('each call is recorded in the audit log', async () => {
  const client = await newClient();
  await client.callTool({ name: 'everything__echo', arguments: { message: 'seen', password: 'hunter2' } });
  await client.close();
  for (;;) {
    const { body } = await call('GET', `/api/gateways/${gatewayId}/calls?limit=5`, { key });
    const entry = body.calls.find(({ arguments: args }: { arguments: string }) => args?.includes('seen'));
    if (entry === undefined) {
      await sleep(20);
      continue;
    }
    assert.equal(entry.tool_name, 'everything__echo');
    assert.equal(entry.allowed, true);
    assert.equal(entry.outcome, 'ok');
    assert.deepEqual(JSON.parse(entry.arguments), { message: 'seen', password: '[redacted]' });
    assert.ok(entry.latency_ms > 0);
    break;
  }
});

test('with sessions, an unknown session id is 404 and a missing one 400', async () => {
  const accept = 'application/json, text/event-stream';
  const post = (headers: Record<string, string>) =>
    call('POST', `/api/gateways/${gatewayId}/mcp`, {
      key,
      headers: { accept, ...headers },
      body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    });
  assert.equal((await post({})).status, 400);
  assert.equal((await post({ 'mcp-session-id': 'nobody' })).status, 404);
});
