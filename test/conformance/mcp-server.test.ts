/**
 * The protocol's conformance suite through a gateway with authentication, the action guard, pinning, output check and
 * audit on: the requirements of a revision for servers must be met as if the gateway were not there.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openTestService } from '#services/agent-gateway/fixtures/service.ts';
import { startHttp, stdioServer } from '../fixtures/mcp-servers/start.ts';

const suite = join(
  dirname(fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/package.json'))),
  'dist/index.js',
);

const results = await mkdtemp(join(tmpdir(), 'bulwark-conformance-'));
const service = await openTestService();
after(async () => {
  await service[Symbol.asyncDispose]();
  await rm(results, { recursive: true, force: true });
});

const guarded = {
  action_guard_policy_id: 'agp_default',
  access_control: { default: 'deny', rules: [{ principals: ['admin'], effect: 'allow' }] },
  output_guard: 'block',
  pin_tools: 'block',
};

/** The suite cannot send credentials: this proxy on loopback adds the API key. */
async function withKey(target: string): Promise<{ url: string } & Disposable> {
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, 'x-api-key': service.key };
    const sent = httpRequest(target, { method: incoming.method ?? 'GET', headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    sent.on('error', () => outgoing.destroy());
    outgoing.on('close', () => sent.destroy());
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${port}/mcp`,
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The reasons for a failed scenario, as the suite recorded them. */
function reasonsOf(scenario: string): string[] {
  const files = globSync(`server-${scenario}-*/checks.json`, { cwd: results });
  const checks = files.flatMap(
    (file) =>
      JSON.parse(readFileSync(join(results, file), 'utf8')) as {
        id: string;
        status: string;
        errorMessage?: string;
      }[],
  );
  return checks
    .filter(({ status }) => status === 'FAILURE')
    .map(({ id, errorMessage }) => `${scenario}: ${id}: ${errorMessage ?? ''}`);
}

/** Runs the requirements of the revision; returns the suite's output. */
async function runSuite(
  url: string,
  requirements: string,
): Promise<{ code: number | null; summary: string }> {
  const args = [suite, 'server', '--url', url, '--requirements', requirements, '-o', results];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('exit', resolve)),
  ]);
  const summary = out.split('=== SUMMARY ===')[1] ?? `${out.slice(-2000)}${err.slice(-2000)}`;
  return { code, summary };
}

for (const kind of ['http', 'stdio'])
  for (const [requirements, required] of [
    ['2025-11-25', 30],
    ['2026-07-28', 37],
  ] as const)
    test(`a server behind ${kind} passes the server requirements of ${requirements}`, async (context) => {
      using upstream = kind === 'http' ? await startHttp('./complete.ts') : undefined;
      const server =
        upstream === undefined
          ? stdioServer('./complete.ts')
          : { transport: 'http', connection_url: upstream.url };
      const { mcpUrl, gatewayId } = await service.gateway([{ server, prefix: '' }], guarded);
      using front = await withKey(mcpUrl);
      const { code, summary } = await runSuite(front.url, requirements);
      const unscored = summary.split('Not scored for')[1] ?? '';
      const failing = summary
        .split('Not scored for')[0]
        ?.split('\n')
        .filter((line) => line.startsWith('✗'))
        .map((line) => line.slice(2).split(':')[0] ?? '')
        .filter((name) => !unscored.includes(`✗ ${name} `));
      context.diagnostic(
        `${required - (failing?.length ?? 0)}/${required} required scenarios of ${requirements}, ${kind}`,
      );
      assert.deepEqual(failing?.flatMap(reasonsOf), []);
      assert.deepEqual(failing, []);
      assert.equal(code, 0, summary);
      await service.call('POST', `/api/gateways/${gatewayId}/stop`, { key: service.key });
    });
