/**
 * What a server loses behind a gateway: the protocol's conformance suite directly and through a gateway with
 * authentication and all guards on, over HTTP and over stdio, in both revisions, scenario by scenario.
 *
 * `node test/conformance/compare.ts [--server NAME=URL]…`; without `--server` the test servers of this
 * repository. A server on standard input and output is compared with the same server over HTTP, since the suite speaks
 * HTTP only. Ends with status 1 if a scenario that passes directly fails through the gateway.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openTestService } from '#services/agent-gateway/fixtures/service.ts';
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

function print(name: string, revision: string, direct: SuiteResult, through: SuiteResult): void {
  const sum = ({ passed }: SuiteResult) => `${[...passed.values()].filter(Boolean).length}/${passed.size}`;
  say(`\n${name}, ${revision}: direct ${sum(direct)}, through the gateway ${sum(through)}`);
  for (const [scenario, passed] of direct.passed) {
    const now = through.passed.get(scenario) ?? false;
    if (passed && !now) lost += 1;
    if (passed && now) continue;
    say(`  ${scenario.padEnd(52)} ${passed ? 'pass' : 'fail'}   ${now ? 'pass' : 'fail'}`);
  }
  for (const reason of through.reasons) say(`    ${reason}`);
}

let run = 0;
async function compare({ name, url, server }: Behind): Promise<void> {
  for (const [revision] of requirementSets) {
    run += 1;
    const direct = await runServerSuite(url, revision, join(folder, `${run}-direct`));
    const { mcpUrl, gatewayId } = await service.gateway([{ server, prefix: '' }], guarded);
    using front = await withKey(mcpUrl, service.key);
    print(name, revision, direct, await runServerSuite(front.url, revision, join(folder, `${run}-through`)));
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
  if (values.server === undefined)
    for (const flags of [[], ['--push']]) {
      using upstream = await startHttp('./complete.ts', ...flags);
      const name = ['complete.ts', ...flags].join(' ');
      await compare({ name: `${name} over HTTP`, url: upstream.url, server: overHttp(upstream.url) });
      await compare({
        name: `${name} over stdio`,
        url: upstream.url,
        server: stdioServer('./complete.ts', ...flags),
      });
    }
} finally {
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
}
say(lost === 0 ? '\nNothing is lost.' : `\nLost: ${lost}`);
process.exitCode = lost === 0 ? 0 : 1;
