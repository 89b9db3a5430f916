/**
 * Official clients through a gateway with authentication and all guards, against the same clients at the same server
 * directly: everything that each can do comes to the same.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openTestService } from '#services/agent-gateway/fixtures/service.ts';
import { referenceOverStdio, startEverything } from '../fixtures/mcp-servers/reference.ts';
import { startHttp } from '../fixtures/mcp-servers/start.ts';
import { walk, walkLegacy, walkModern, type WalkPlan } from './fixtures/walk.ts';

const home = await mkdtemp(join(tmpdir(), 'bulwark-everything-'));
const service = await openTestService();
after(async () => {
  await service[Symbol.asyncDispose]();
  await rm(home, { recursive: true, force: true });
});
const headers = { 'x-api-key': service.key };

// Everything is read and judged; a walk through unrelated tools is no task of a user, so nothing is stopped.
const guarded = {
  action_guard_policy_id: 'agp_default',
  access_control: { default: 'deny', rules: [{ principals: ['admin'], effect: 'allow' }] },
  output_guard: 'block',
  pin_tools: 'block',
  guard_mode: 'observe',
};

const everythingPlan: WalkPlan = {
  args: {
    'gzip-file-as-resource': { name: 'n.gz', data: 'data:text/plain,hello', outputType: 'resource' },
    'get-resource-reference': { resourceType: 'Text', resourceId: 1 },
    'resource-prompt': { resourceType: 'Text', resourceId: '1' },
  },
  slow: { name: 'trigger-long-running-operation', args: { duration: 0.3, steps: 3 } },
  completion: {
    ref: { type: 'ref/prompt', name: 'completable-prompt' },
    argument: { name: 'department', value: 'E' },
  },
  without: ['get-env'],
};
const completePlan: WalkPlan = {
  slow: { name: 'test_tool_with_progress', args: {} },
  completion: {
    ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
    argument: { name: 'arg1', value: 'par' },
  },
  resources: ['test://template/7/data'],
  without: ['begun'],
};

const overHttp = (url: string) => ({ transport: 'http', connection_url: url });

const everything = await startEverything();
const complete = await startHttp('./complete.ts');
const pushing = await startHttp('./complete.ts', '--push');
after(() => {
  for (const upstream of [everything, complete, pushing]) upstream[Symbol.dispose]();
});

for (const [name, url, server, plan] of [
  ['the everything-server', everything.url, overHttp(everything.url), everythingPlan],
  ['the everything-server over stdio', everything.url, referenceOverStdio('everything'), everythingPlan],
  ['a server of both eras', complete.url, overHttp(complete.url), completePlan],
  ['a server that asks in the middle of calls', pushing.url, overHttp(pushing.url), completePlan],
] as const) {
  const { mcpUrl } = await service.gateway([{ server, prefix: '' }], guarded);
  for (const [sdk, open] of [
    ['SDK v1', walkLegacy],
    ['SDK v2', walkModern],
  ] as const)
    test(`${sdk} has all of ${name} through a gateway`, async (context) => {
      await using direct = await open({ url });
      await using through = await open({ url: mcpUrl, headers });
      const expected = await walk(direct, plan);
      const seen = await walk(through, plan);
      context.diagnostic(
        `${Object.keys(expected).length} things compared, ${through.asked.length} questions`,
      );
      assert.ok(through.asked.length > 0);
      assert.deepEqual(seen, expected);
    });
}

const folderOf = (name: string) => dirname(fileURLToPath(import.meta.resolve(`${name}/package.json`)));
const { mcpUrl: everythingUrl } = await service.gateway(
  [{ server: overHttp(everything.url), prefix: '' }],
  guarded,
);
const ownHome = { PATH: process.env['PATH'] ?? '', HOME: home };

test('a client behind mcp-remote has all of the everything-server through a gateway', async () => {
  const proxy = join(folderOf('mcp-remote'), 'dist/proxy.js');
  const args = [proxy, everythingUrl, '--transport', 'http-only', '--header', `X-API-Key:${service.key}`];
  await using through = await walkLegacy({
    command: process.execPath,
    args,
    env: ownHome,
    stderr: 'ignore',
  });
  await using direct = await walkLegacy({ url: everything.url });
  const { progress: heard, ...seen } = await walk(through, everythingPlan);
  const { progress, ...expected } = await walk(direct, everythingPlan);
  assert.deepEqual(seen, expected);
  // Of a notification and the result in one piece of standard output, the SDK's client drops the notification.
  assert.ok(Array.isArray(heard) && heard.length >= 2);
  assert.deepEqual(heard, (progress as unknown[]).slice(0, heard.length));
});

test('the command line of the MCP Inspector sees the same through a gateway', async () => {
  const launcher = join(folderOf('@modelcontextprotocol/inspector'), 'clients/launcher/build/index.js');
  const inspect = async (url: string, more: readonly string[], args: readonly string[]) => {
    const all = [launcher, '--cli', url, '--transport', 'http', ...more, ...args];
    const { stdout } = await promisify(execFile)(process.execPath, all, { env: ownHome });
    // Each server says something of itself beside its answers.
    return JSON.parse(stdout, (key, value: unknown) => (key === '_meta' ? undefined : value)) as unknown;
  };
  const document = 'demo://resource/static/document/architecture.md';
  for (const args of [
    ['--method', 'tools/list'],
    ['--method', 'resources/list'],
    ['--method', 'resources/templates/list'],
    ['--method', 'prompts/list'],
    ['--method', 'tools/call', '--tool-name', 'get-sum', '--tool-arg', 'a=2', '--tool-arg', 'b=3'],
    ['--method', 'tools/call', '--tool-name', 'get-structured-content', '--tool-arg', 'location=Chicago'],
    ['--method', 'tools/call', '--tool-name', 'get-tiny-image'],
    ['--method', 'resources/read', '--uri', document],
    ['--method', 'prompts/get', '--prompt-name', 'args-prompt', '--prompt-args', 'city=Paris'],
  ]) {
    const [direct, through] = await Promise.all([
      inspect(everything.url, [], args),
      inspect(everythingUrl, ['--header', `X-API-Key: ${service.key}`], args),
    ]);
    assert.deepEqual(through, direct, args.join(' '));
  }
});
