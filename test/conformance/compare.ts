/**
 * What a server loses behind a gateway: the protocol's conformance suite directly and through a gateway with
 * authentication and all guards on, over HTTP and over stdio, in both revisions, scenario by scenario.
 *
 * `node test/conformance/compare.ts [--server NAME=URL]…`; without `--server` the protocol's everything-server from
 * npm and the test server of this repository. The server in the conformance suite's own repository is not published;
 * start it from a clone (`npx tsx examples/servers/typescript/everything-server.ts`) and name it with `--server`. A
 * server on standard input and output is compared with the same server over HTTP, since the suite speaks HTTP only.
 * Ends with status 1 if a scenario that passes directly fails through the gateway, twice.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openLegacyClient } from '#services/agent-gateway/fixtures/sdk-clients.ts';
import { openTestService } from '#services/agent-gateway/fixtures/service.ts';
import { referenceOverStdio, startEverything } from '../fixtures/mcp-servers/reference.ts';
import { startHttp, stdioServer } from '../fixtures/mcp-servers/start.ts';
import { guarded, requirementSets, runServerSuite, withKey, type SuiteResult } from './server-suite.ts';

const { values } = parseArgs({ options: { server: { type: 'string', multiple: true } } });
const folder = await mkdtemp(join(tmpdir(), 'bulwark-compare-'));
const service = await openTestService();
let lost = 0;

const say = (line: string) => process.stdout.write(`${line}\n`);

interface Behind {
  readonly name: string;
  readonly url: string;
  readonly server: Record<string, unknown>;
}

/** A line of the table at the end. */
const rows: (readonly [name: string, revision: string, direct: string, through: string, lost: string])[] = [];

const sumOf = ({ passed }: SuiteResult) => `${[...passed.values()].filter(Boolean).length}/${passed.size}`;

/**
 * Scenarios that pass directly and fail through the gateway. A call of a tool that the server does not have counts as
 * passed where the server answers it with a result that only looks like the one of the scenario; a gateway refuses it.
 */
const lostOf = (direct: SuiteResult, through: SuiteResult, offered: ReadonlySet<string>): string[] =>
  [...direct.passed].flatMap(([scenario, passed]) => {
    if (!passed || through.passed.get(scenario) === true) return [];
    const reason = through.reasons.find((each) => each.startsWith(`${scenario}: `)) ?? '';
    const called = /Unknown tool: (\w+)/.exec(reason)?.[1];
    return called === undefined || offered.has(called) ? [scenario] : [];
  });

interface Compared {
  readonly name: string;
  readonly revision: string;
  readonly direct: SuiteResult;
  readonly through: SuiteResult;
  readonly missing: readonly string[];
}

function print({ name, revision, direct, through, missing }: Compared): void {
  say(`\n${name}, ${revision}: direct ${sumOf(direct)}, through the gateway ${sumOf(through)}`);
  for (const [scenario, passed] of direct.passed) {
    const now = through.passed.get(scenario) ?? false;
    if (passed && now) continue;
    say(`  ${scenario.padEnd(52)} ${passed ? 'pass' : 'fail'}   ${now ? 'pass' : 'fail'}`);
  }
  for (const reason of through.reasons)
    if (missing.some((scenario) => reason.startsWith(`${scenario}: `))) say(`    ${reason}`);
  lost += missing.length;
  rows.push([name, revision, sumOf(direct), sumOf(through), missing.join(', ') || '-']);
}

async function toolsOf(url: string): Promise<ReadonlySet<string>> {
  await using client = await openLegacyClient({ mcpUrl: url });
  return new Set(await client.tools());
}

let run = 0;
async function compare({ name, url, server }: Behind): Promise<void> {
  const offered = await toolsOf(url);
  for (const [revision] of requirementSets) {
    run += 1;
    const direct = await runServerSuite(url, revision, join(folder, `${run}-direct`));
    const { mcpUrl, gatewayId } = await service.gateway([{ server, prefix: '' }], guarded);
    using front = await withKey(mcpUrl, service.key);
    let through = await runServerSuite(front.url, revision, join(folder, `${run}-through`));
    // Scenarios with time limits fail now and then on a busy machine, with or without a gateway.
    if (lostOf(direct, through, offered).length > 0)
      through = await runServerSuite(front.url, revision, join(folder, `${run}-through-again`));
    const missing = lostOf(direct, through, offered);
    print({ name, revision, direct, through, missing });
    await service.call('POST', `/api/gateways/${gatewayId}/stop`, { key: service.key });
  }
}

const overHttp = (url: string) => ({ transport: 'http', connection_url: url });

try {
  for (const named of values.server ?? []) {
    const [name = '', target = ''] = named.split(/=(.*)/s);
    if (!URL.canParse(target)) throw new Error(`--server ${named}: NAME=URL is expected.`);
    await compare({ name, url: target, server: overHttp(target) });
  }
  if (values.server === undefined) {
    using everything = await startEverything();
    const name = 'everything-server (npm)';
    await compare({ name: `${name} over HTTP`, url: everything.url, server: overHttp(everything.url) });
    await compare({
      name: `${name} over stdio`,
      url: everything.url,
      server: referenceOverStdio('everything'),
    });
    for (const flags of [[], ['--push']]) {
      using upstream = await startHttp('./complete.ts', ...flags);
      const ours = ['complete.ts', ...flags].join(' ');
      await compare({ name: `${ours} over HTTP`, url: upstream.url, server: overHttp(upstream.url) });
      await compare({
        name: `${ours} over stdio`,
        url: upstream.url,
        server: stdioServer('./complete.ts', ...flags),
      });
    }
  }
} finally {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
}
say('\nserver | revision | direct | through the gateway | lost\n--- | --- | ---: | ---: | ---');
for (const row of rows) say(row.join(' | '));
say(lost === 0 ? '\nNothing is lost.' : `\nLost: ${lost}`);
process.exitCode = lost === 0 ? 0 : 1;
