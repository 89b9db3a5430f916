import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startMcpServer } from '../fixtures/mcp-server.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService({
  env: { BULWARK_MCP_SCAN_STDIO: 'unsafe', BULWARK_MCP_SCAN_CONNECT_TIMEOUT_MS: '5000' },
});
const { call, tokens, until } = service;
const as = tokens.member;
const guarded = await startMcpServer([
  { name: 'get_weather', description: 'Tells the weather of a city.', inputSchema: { type: 'object' } },
]);
guarded.token = 'the-right-token';
after(async () => {
  await service[Symbol.asyncDispose]();
  await guarded[Symbol.asyncDispose]();
});

const secret = 'sk-live-0123456789abcdefgh';
const hasSecret = { API_KEY: secret };
interface Found {
  rule_id: string;
  source: string;
  fingerprint: string;
}
const rulesOf = (findings: readonly Found[]) => findings.map(({ rule_id: rule }) => rule).toSorted();
const scanOf = async (server: Record<string, unknown>) => {
  const { body } = await call('POST', '/process/mcp_config', { as, body: { mcpServers: { files: server } } });
  return until(body.scans[0].scan_id);
};

describe('what a configuration says is in the scan of its server', () => {
  it('that does not start: without a rating, in the record, in lists and in SARIF', async () => {
    const scan = await scanOf({ command: 'no-such-command', args: ['npx', '-y'], env: hasSecret });
    assert.equal(scan.status, 'failed');
    assert.match(scan.error_message, /no-such-command/);
    const { vulnerabilities, summary } = scan.result_data;
    assert.deepEqual(rulesOf(vulnerabilities), ['config-secret']);
    assert.deepEqual(
      [vulnerabilities[0].source, scan.vulnerability_count, scan.severities, scan.security, scan.score],
      ['configuration', 1, { medium: 1 }, null, null],
    );
    assert.equal(summary, '1 finding: 1 medium. Only the configuration was looked at, not the server.');
    const { body: all } = await call('GET', `/scans?search=files`, { as });
    const listed = all.scans.find(({ id }: { id: number }) => id === scan.id);
    assert.deepEqual(
      [listed.vulnerability_count, listed.severities, listed.security],
      [1, { medium: 1 }, null],
    );
    const { body: log } = await call('GET', `/scan/${scan.id}/sarif`, { as });
    assert.deepEqual(
      log.runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId),
      ['config-secret'],
    );
    assert.equal(log.runs[0].invocations[0].executionSuccessful, false);
    assert.equal(log.runs[0].tool.driver.rules[0].id, 'config-secret');
    assert.ok(!JSON.stringify([scan, log]).includes(secret));
    assert.equal(
      (await call('GET', `/scans/compare?before=${scan.id}&after=${scan.id}`, { as })).status,
      409,
    );
  });

  it('whose finding is suppressed counts without it everywhere', async () => {
    const scan = await scanOf({ command: 'no-such-command', env: hasSecret });
    const { fingerprint } = scan.result_data.vulnerabilities[0];
    const body = { scan_id: scan.id, fingerprint, reason: 'It is a test key.' };
    const { body: made } = await call('POST', '/suppressions', { as, body });
    const now = (await call('GET', `/scan/${scan.id}`, { as })).body;
    assert.equal(now.vulnerability_count, 0);
    assert.match(now.result_data.summary, /^1 finding, of which none counts/);
    const { body: all } = await call('GET', `/scans?search=files`, { as });
    assert.deepEqual(all.scans.find(({ id }: { id: number }) => id === scan.id).severities, {});
    await call('DELETE', `/suppressions/${made.id}`, { as });
  });

  it('that refuses the connection, with what stands in its address and its arguments', async () => {
    const plain = await scanOf({ url: 'http://mcp.invalid/mcp' });
    assert.equal(plain.status, 'failed');
    assert.deepEqual(rulesOf(plain.result_data.vulnerabilities), ['config-plain-http']);
    const unpinned = await scanOf({ command: 'npx', args: ['-y', '@acme/none'], env: { PATH: '/nowhere' } });
    assert.equal(unpinned.status, 'failed', unpinned.error_message);
    assert.deepEqual(rulesOf(unpinned.result_data.vulnerabilities), ['config-unpinned-package']);
  });

  it('that wants a token, and no tool is new once it has one', async () => {
    const server = { url: guarded.url, headers: { 'X-Key': secret } };
    const waiting = await scanOf(server);
    assert.equal(waiting.status, 'needs_auth');
    assert.deepEqual(rulesOf(waiting.result_data.vulnerabilities), ['config-secret']);
    const { body } = await call('POST', '/process/mcp_config_with_auth', {
      as,
      headers: { 'x-mcp-auth-token': 'the-right-token' },
      body: { server_name: 'files', server_config: server },
    });
    const scan = await until(body.scan_id);
    assert.deepEqual([scan.status, scan.parent_scan_id], ['completed', waiting.id], scan.error_message);
    const rules = rulesOf(scan.result_data.vulnerabilities);
    assert.ok(rules.includes('config-secret') && !rules.includes('W023'), rules.join());
    assert.equal(scan.security, 'medium');
  });

  it('and one that says nothing has no results where its server failed', async () => {
    const scan = await scanOf({ command: 'no-such-command' });
    assert.deepEqual([scan.status, scan.result_data, scan.vulnerability_count], ['failed', null, 0]);
  });
});
