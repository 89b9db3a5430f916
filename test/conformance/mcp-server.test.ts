/**
 * The protocol's conformance suite through a gateway with authentication, the action guard, pinning, output check and
 * audit on: the requirements of a revision for servers must be met as if the gateway were not there.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openTestService } from '#services/agent-gateway/fixtures/service.ts';
import { startHttp, stdioServer } from '../fixtures/mcp-servers/start.ts';
import { guarded, requirementSets, runServerSuite, withKey } from './server-suite.ts';

const results = await mkdtemp(join(tmpdir(), 'bulwark-conformance-'));
const service = await openTestService();
after(async () => {
  await service[Symbol.asyncDispose]();
  await rm(results, { recursive: true, force: true });
});

for (const kind of ['http', 'stdio'])
  for (const flags of [[], ['--push']])
    for (const [revision, required] of requirementSets) {
      // In the newer revision no server can ask in the middle of a call.
      if (flags.includes('--push') && revision !== '2025-11-25') continue;
      const how = ['a server', ...flags].join(' ');
      test(`${how} behind ${kind} passes the server requirements of ${revision}`, async (context) => {
        using upstream = kind === 'http' ? await startHttp('./complete.ts', ...flags) : undefined;
        const server =
          upstream === undefined
            ? stdioServer('./complete.ts', ...flags)
            : { transport: 'http', connection_url: upstream.url };
        const { mcpUrl, gatewayId } = await service.gateway([{ server, prefix: '' }], guarded);
        using front = await withKey(mcpUrl, service.key);
        const folder = join(results, [kind, revision, ...flags].join('-'));
        const { code, summary, failing, reasons } = await runServerSuite(front.url, revision, folder);
        context.diagnostic(
          `${required - failing.length}/${required} required scenarios of ${revision}, ${kind}`,
        );
        assert.deepEqual(reasons, []);
        assert.deepEqual(failing, []);
        assert.equal(code, 0, summary);
        await service.call('POST', `/api/gateways/${gatewayId}/stop`, { key: service.key });
      });
    }
