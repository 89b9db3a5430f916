/**
 * Third-party software on both sides of a gateway: the protocol's reference servers behind it, and the Inspector's
 * command line and mcp-remote in front of it.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { openLegacyClient, openModernClient } from '#services/agent-gateway/fixtures/sdk-clients.ts';
import { openTestService } from '#services/agent-gateway/fixtures/service.ts';
import { referenceOverStdio, startEverything } from '../fixtures/mcp-servers/reference.ts';

const folderOf = (name: string) => dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)));

const home = await mkdtemp(join(tmpdir(), 'bulwark-parties-'));
const service = await openTestService();
after(async () => {
  await service[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});
const { key } = service;

const files = await mkdtemp(join(home, 'files-'));
await writeFile(join(files, 'note.txt'), 'The meeting is at ten.');
const { mcpUrl } = await service.gateway(
  [
    { server: referenceOverStdio('filesystem', [files]) },
    { server: referenceOverStdio('memory', [], { MEMORY_FILE_PATH: join(home, 'memory.json') }) },
    { server: referenceOverStdio('sequential-thinking') },
    { server: referenceOverStdio('everything') },
  ],
  { action_guard_policy_id: 'agp_default', output_guard: 'block', pin_tools: 'block' },
);

for (const [name, open] of [
  ['SDK v1', openLegacyClient],
  ['SDK v2', openModernClient],
] as const)
  test(`${name}: four reference servers over stdio work behind one guarded endpoint`, async () => {
    await using client = await open({ mcpUrl, key });
    const tools = await client.tools();
    const count = (prefix: string) => tools.filter((each) => each.startsWith(`${prefix}__`)).length;
    assert.equal(count('filesystem'), 14);
    assert.equal(count('memory'), 9);
    assert.equal(count('sequential_thinking'), 1);
    assert.ok(count('everything') > 5);

    const path = join(files, 'note.txt');
    assert.match(await client.call('filesystem__read_text_file', { path }), /meeting is at ten/);
    const written = join(files, `${name}.txt`);
    await client.call('filesystem__write_file', { path: written, content: 'Written through the gateway.' });
    assert.equal(await readFile(written, 'utf8'), 'Written through the gateway.');
    assert.match(await client.call('filesystem__read_text_file', { path: '/etc/hostname' }), /denied/i);

    const entities = [{ name, entityType: 'client', observations: ['was here'] }];
    await client.call('memory__create_entities', { entities });
    assert.match(await client.call('memory__search_nodes', { query: name }), /was here/);

    const thought = { thought: 'First', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
    assert.match(await client.call('sequential_thinking__sequentialthinking', thought), /"thoughtNumber": 1/);
    assert.match(await client.call('everything__echo', { message: 'hello' }), /Echo: hello/);
  });

for (const [manner, transport] of [
  ['streamableHttp', 'http'],
  ['sse', 'sse'],
] as const)
  test(`the reference server works over ${transport}`, async () => {
    using upstream = await startEverything(manner);
    const server = { transport, connection_url: upstream.url };
    const { mcpUrl: url } = await service.gateway([{ server, prefix: '' }]);
    await using client = await openLegacyClient({ mcpUrl: url, key });
    assert.match(await client.call('echo', { message: transport }), new RegExp(`Echo: ${transport}`));
    const seen: number[] = [];
    await client.call(
      'trigger-long-running-operation',
      { duration: 0.2, steps: 2 },
      { onProgress: (progress) => void seen.push(progress) },
    );
    assert.deepEqual(seen, [1, 2]);
  });

const ownHome = { PATH: process.env['PATH'] ?? '', HOME: home };

test('the command line of the MCP Inspector lists and calls tools', async () => {
  const launcher = join(folderOf('@modelcontextprotocol/inspector'), 'clients/launcher/build/index.js');
  const inspect = async (...args: string[]) => {
    const all = [launcher, '--cli', mcpUrl, '--transport', 'http', '--header', `X-API-Key: ${key}`, ...args];
    const { stdout } = await promisify(execFile)(process.execPath, all, { env: ownHome });
    return JSON.parse(stdout) as { tools?: { name: string }[]; content?: { text: string }[] };
  };
  const { tools = [] } = await inspect('--method', 'tools/list');
  assert.ok(tools.some((tool) => tool.name === 'memory__read_graph'));
  const call = [
    '--method',
    'tools/call',
    '--tool-name',
    'everything__echo',
    '--tool-arg',
    'message=inspected',
  ];
  assert.equal((await inspect(...call)).content?.[0]?.text, 'Echo: inspected');
});

test('mcp-remote connects a client that supports stdio only', async () => {
  const client = new Client({ name: 'local', version: '1' });
  const proxy = join(folderOf('mcp-remote'), 'dist/proxy.js');
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [proxy, mcpUrl, '--transport', 'http-only', '--header', `X-API-Key:${key}`],
    env: ownHome,
    stderr: 'ignore',
  });
  await client.connect(transport);
  const { tools } = await client.listTools();
  assert.ok(tools.some((tool) => tool.name === 'filesystem__read_text_file'));
  const answer = await client.callTool({ name: 'everything__echo', arguments: { message: 'remote' } });
  assert.deepEqual(answer.content, [{ type: 'text', text: 'Echo: remote' }]);
  await client.close();
});
