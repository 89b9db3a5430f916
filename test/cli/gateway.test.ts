/** `bulwark gateway …` against a running service, and the configurations that it prints, used by real clients. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { clientIds } from '#services/agent-gateway/contract/clients.ts';
import { openTestService } from '#services/agent-gateway/fixtures/service.ts';

const program = fileURLToPath(new URL('../../src/cli/bulwark.ts', import.meta.url));
const complete = fileURLToPath(new URL('../fixtures/mcp-servers/complete.ts', import.meta.url));
const service = await openTestService();
const folder = await mkdtemp(join(tmpdir(), 'bulwark-cli-gateway-'));
after(async () => {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const clean = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('BULWARK_')),
);
const withKey = { BULWARK_AGENT_GATEWAY_URL: service.url, BULWARK_API_KEY: service.key };

async function run(args: string[], env: Record<string, string> = withKey) {
  const child = spawn(process.execPath, [...process.execArgv, program, 'gateway', ...args], {
    cwd: folder,
    env: { ...clean, NODE_NO_WARNINGS: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out, err };
}

/** The output of a successful command. */
async function done(...args: string[]): Promise<string> {
  const { code, out, err } = await run(args);
  assert.equal(code, 0, err);
  return out;
}

test('a gateway is created, gets a server, starts, serves a configured client, lists its calls and stops', async () => {
  await writeFile(
    join(folder, 'access.yaml'),
    'default: deny\nrules:\n  - principals: [admin]\n    effect: allow\n',
  );
  const id = (
    await done(
      'create',
      'Team tools',
      '--policy-set',
      'agp_default',
      '--guard-mode',
      'enforce',
      '--output-guard',
      'block',
      '--pin-tools',
      'block',
      '--calls-per-minute',
      '100',
      '--access',
      'access.yaml',
    )
  ).trim();
  const { body } = await service.call('GET', `/api/gateways/${id}`, { key: service.key });
  assert.deepEqual(
    [body.guard_mode, body.output_guard, body.pin_tools, body.rate_limit, body.access_control.default],
    ['enforce', 'block', 'block', { calls_per_minute: 100 }, 'deny'],
  );
  const attached = await done('attach', 'Team tools', '--name', 'complete', '--', process.execPath, complete);
  assert.match(attached, /^mcp_[\w-]{24} is attached; its tools are named complete__…\.\n$/);
  const mcpUrl = (await done('start', 'Team tools')).trim();
  assert.equal(mcpUrl, `${service.url}/api/gateways/${id}/mcp`);
  const status = await done('status', id);
  assert.match(status, /^Team tools is running for \d+ s, 0 sessions\.\n/);
  assert.match(status, /server +mcp_[\w-]{24} +complete +connected +2026-07-28/);

  // Claude Desktop starts the configured command with the configured environment.
  const desktop = JSON.parse(await done('config', 'claude-desktop', 'Team tools')) as {
    mcpServers: Record<string, { command: string; args: string[]; env: Record<string, string> }>;
  };
  const { 'team-tools': entry } = desktop.mcpServers;
  assert.deepEqual([entry?.command, entry?.args.slice(0, 2)], ['npx', ['-y', 'mcp-remote']]);
  const remote = fileURLToPath(import.meta.resolve('mcp-remote/dist/proxy.js'));
  const client = new Client({ name: 'desktop', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [remote, ...(entry?.args.slice(2) ?? [])],
    env: { ...clean, HOME: folder, BULWARK_API_KEY: service.key } as Record<string, string>,
    stderr: 'ignore',
  });
  await client.connect(transport);
  const called = await client.callTool({ name: 'complete__echo', arguments: { message: 'through' } });
  assert.deepEqual(called.content, [{ type: 'text', text: 'through' }]);
  await client.callTool({ name: 'complete__echo', arguments: { message: 'x', command: 'rm -rf /' } });
  await client.close();

  // Cursor sends the configured `headers`, with the variable replaced by its value.
  const cursor = JSON.parse(await done('config', 'cursor', id)) as {
    mcpServers: Record<string, { url: string; headers: Record<string, string> }>;
  };
  const { url = '', headers = {} } = cursor.mcpServers['team-tools'] ?? {};
  const sent = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value.replace('${env:BULWARK_API_KEY}', service.key),
    ]),
  );
  const direct = new Client({ name: 'cursor', version: '1' });
  await direct.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: sent } }));
  assert.ok((await direct.listTools()).tools.length > 10);
  await direct.close();

  let calls = '';
  while (!calls.includes('blocked')) {
    await sleep(50);
    calls = await done('calls', id, '--denied');
  }
  assert.match(
    calls,
    /^! \S+ +blocked +complete__echo +admin.* ms, guard [\d.]+ ms\n +Blocked by the action guard/,
  );
  const all = JSON.parse(await done('calls', id, '--json', '--limit', '1')) as {
    calls: object[];
    total: number;
  };
  assert.deepEqual([all.calls.length, all.total], [1, 2]);
  assert.match(await done('calls', id, '--user', 'nobody'), /^No calls/);
  assert.match(await done('calls', id, '--user', 'admin', '--denied'), /complete__echo/);
  const lines = (await done('calls', id, '--export', 'jsonl')).trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { gateway_name: string }).gateway_name),
    ['Team tools', 'Team tools'],
  );
  assert.match(await done('calls', id, '--export', 'csv', '--denied'), /^id,timestamp,.*\r?\n.+,blocked,/);

  assert.match(await done('stop', id), /updated to stopped/);
  const again = await run(['stop', id]);
  assert.deepEqual([again.code, again.err], [1, 'bulwark: The gateway Team tools is stopped already.\n']);
  assert.match(await done('list'), /Team tools +agp_default, enforce/);
});

test('every client configuration contains the endpoint and never the key', async () => {
  const { id } = JSON.parse(await done('create', "Anna's gate", '--json')) as { id: string };
  const { clientSetups, clientSetup } = await import('#services/agent-gateway/contract/clients.ts');
  const endpoint = { name: "Anna's gate", mcpUrl: `${service.url}/api/gateways/${id}/mcp` };
  for (const setup of clientSetups(endpoint)) {
    assert.ok(setup.text.includes(endpoint.mcpUrl), setup.id);
    if (setup.id !== 'sdk-python') assert.ok(setup.text.includes('anna-s-gate'), setup.id);
    if (setup.format === 'json') JSON.parse(setup.text);
  }
  for (const setup of clientSetups({ ...endpoint, signIn: 'user' })) {
    assert.ok(setup.text.includes(endpoint.mcpUrl), setup.id);
    assert.doesNotMatch(setup.text, /key/i, setup.id);
  }
  assert.equal(await done('config', 'codex', id), `${clientSetup('codex', endpoint)?.text}\n`);
  assert.match(
    clientSetup('claude-code', { name: 'x', mcpUrl: "https://h/a'b" })?.text ?? '',
    /'https:\/\/h\/a'\\''b'/,
  );
  const signedIn = await done('config', 'cursor', id, '--sign-in', 'user');
  assert.deepEqual(JSON.parse(signedIn), { mcpServers: { 'anna-s-gate': { url: endpoint.mcpUrl } } });
  assert.match((await run(['config', 'sdk-python', id, '--sign-in', 'user'])).err, /takes an API key/);
  const unknown = await run(['config', 'netscape', id]);
  assert.equal(unknown.code, 2);
  for (const client of clientIds) assert.ok(unknown.err.includes(client), client);
});

test('commands that cannot be carried out explain how to fix the problem', async () => {
  const one = /Give one server: an id \(mcp_…\), --http <url>/;
  const cases: [code: number, args: string[], error: RegExp][] = [
    [1, ['status', 'Nobody'], /no gateway named "Nobody"\. `bulwark gateway list`/],
    [1, ['attach', 'Twice'], /2 gateways are named "Twice": gw_.*Give the id/],
    [2, ['attach', 'Once'], one],
    [2, ['attach', 'Once', 'node'], one],
    [1, ['attach', 'Once', 'mcp_nope'], /mcp_nope|server was not found/i],
    [2, ['attach', 'Once', '--http', 'http://127.0.0.1:1/mcp', '--env', 'A=b'], /--env is for commands/],
    [2, ['attach', 'Once', '--env', 'nothing', '--', 'node'], /--env nothing: write NAME=value/],
    [1, ['attach', 'Once', '--http', 'http://10.0.0.1/mcp'], /private or reserved address/],
  ];
  for (const name of ['Once', 'Twice', 'Twice']) await done('create', name);
  for (const [expected, args, error] of cases) {
    const { code, err } = await run(args);
    assert.equal(code, expected, `${args.join(' ')}: ${err}`);
    assert.match(err, error);
  }
  const none = await run(['create', 'x', '--calls-per-minute', '0']);
  assert.deepEqual(
    [none.code, /--calls-per-minute .* whole number from 1/.test(none.err)],
    [2, true],
    none.err,
  );
  const nobody = await run(['list'], {
    BULWARK_AGENT_GATEWAY_URL: 'http://127.0.0.1:9',
    BULWARK_API_KEY: 'x',
  });
  assert.match(nobody.err, /http:\/\/127\.0\.0\.1:9 cannot be reached/);
  const wrong = await run(['list'], { ...withKey, BULWARK_API_KEY: 'blwk_wrong' });
  assert.equal(wrong.code, 1);
  const signedIn = await run(['list', '--json'], {
    BULWARK_AGENT_GATEWAY_URL: service.url,
    BULWARK_PASSWORD: 'correct horse battery staple',
  });
  assert.equal(signedIn.code, 0, signedIn.err);
});

test('a command that does not start is not attached: exit code 1, in JSON too; an address stays attached', async () => {
  const id = (await done('create', 'Broken')).trim();
  const servers = async () =>
    (await service.call('GET', `/api/gateways/${id}/mcp-servers`, { key: service.key })).body
      .items as object[];
  const missing = await run(['attach', id, '--name', 'none', '--', 'no-such-command']);
  assert.deepEqual([missing.code, missing.out], [1, ''], missing.err);
  assert.match(
    missing.err,
    /^bulwark: The MCP server was not attached\. It does not answer: .*no-such-command/,
  );
  const json = await run(['attach', id, '--json', '--name', 'none', '--', 'no-such-command']);
  const answer = JSON.parse(json.out) as { attached: boolean; problem: string };
  assert.deepEqual([json.code, answer.attached], [1, false]);
  assert.match(answer.problem, /no-such-command/);
  assert.deepEqual(await servers(), []);
  const { body: all } = await service.call('GET', '/api/mcp-servers', { key: service.key });
  assert.ok(!all.items.some(({ name }: { name: string }) => name === 'none'));
  const refused = await run(['attach', id, '--name', 'closed', '--http', 'http://127.0.0.1:9/mcp']);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /was attached\. It does not answer: .* mcp_[\w-]{24} stays attached/s);
  assert.equal((await servers()).length, 1);
});

test('a second gateway of the same name is made with a warning, and each is told by its id', async () => {
  const first = (await done('create', 'Namesakes')).trim();
  const second = await run(['create', 'Namesakes']);
  assert.equal(second.code, 0);
  assert.ok(
    second.err.includes(`There is another gateway named "Namesakes": ${first}. Name each by its id.`),
    second.err,
  );
  const either = await run(['status', 'Namesakes']);
  assert.equal(either.code, 1);
  assert.match(either.err, /2 gateways are named "Namesakes": gw_.*, gw_.*Give the id/);
  const { body } = await service.call('GET', `/api/gateways/${second.out.trim()}`, { key: service.key });
  assert.deepEqual(body.same_name_ids, [first]);
});
