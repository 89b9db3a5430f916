/** Runs the protocol's conformance suite for servers, directly or through a gateway. */
import { spawn } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const suite = join(
  dirname(fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/package.json'))),
  'dist/index.js',
);

/** The frozen requirements of the suite: revision and number of scenarios that servers must pass. */
export const requirementSets = [
  ['2025-11-25', 30],
  ['2026-07-28', 37],
] as const;

/** Everything that a gateway can be told to check. */
export const guarded = {
  action_guard_policy_id: 'agp_default',
  access_control: { default: 'deny', rules: [{ principals: ['admin'], effect: 'allow' }] },
  output_guard: 'block',
  pin_tools: 'block',
};

/** The suite cannot send credentials: this proxy on loopback adds the API key. */
export async function withKey(target: string, key: string): Promise<{ url: string } & Disposable> {
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, 'x-api-key': key };
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

interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

export interface SuiteResult {
  readonly code: number | null;
  readonly summary: string;
  /** All scenarios that were run, passed or not. */
  readonly passed: ReadonlyMap<string, boolean>;
  /** Scenarios that the revision requires and that failed. */
  readonly failing: readonly string[];
  /** The reasons, as the suite recorded them. */
  readonly reasons: readonly string[];
}

function reasonsOf(results: string, scenario: string): string[] {
  const files = globSync(`server-${scenario}-*/checks.json`, { cwd: results });
  const checks = files.flatMap((file) => JSON.parse(readFileSync(join(results, file), 'utf8')) as Check[]);
  return checks
    .filter(({ status }) => status === 'FAILURE')
    .map(({ id, errorMessage }) => `${scenario}: ${id}: ${errorMessage ?? ''}`);
}

const scenarioLines = (part: string): [name: string, passed: boolean][] =>
  part
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^[✓✗] /.test(line))
    .map((line) => [line.slice(2).split(/[: ]/)[0] ?? '', line.startsWith('✓')]);

/**
 * Runs all scenarios of the revision.
 * @param results a folder for this run alone
 */
export async function runServerSuite(url: string, revision: string, results: string): Promise<SuiteResult> {
  const args = [suite, 'server', '--url', url, '--requirements', revision, '-o', results];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('exit', resolve)),
  ]);
  const summary = out.split('=== SUMMARY ===')[1] ?? `${out.slice(-2000)}${err.slice(-2000)}`;
  const [scored = '', unscored = ''] = summary.split('Not scored for');
  const others = new Map(scenarioLines(unscored));
  const required = scenarioLines(scored).filter(([name]) => !others.has(name));
  const failing = required.filter(([, passed]) => !passed).map(([name]) => name);
  return {
    code,
    summary,
    passed: new Map([...required, ...others]),
    failing,
    reasons: failing.flatMap((name) => reasonsOf(results, name)),
  };
}
