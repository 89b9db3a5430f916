/** Who let findings not count, published, shared or deleted scans is in the audit trail. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { walkAuditedOperations } from '../../../test/fixtures/audited-operations.ts';
import { startGitServer } from './fixtures/git-server.ts';
import { openTestService } from './fixtures/service.ts';

const source =
  'import os\nfrom mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP("notes")\n\n@mcp.tool()\ndef run(name: str) -> str:\n    """Lists a folder."""\n    os.system("ls " + name)\n    return ""\n';
const git = await startGitServer({
  'acme/notes': { refs: { 'refs/heads/main': { 'src/server.py': source } }, head: 'refs/heads/main' },
});
const service = await openTestService({ env: { BULWARK_MCP_SCAN_REPOSITORY_HOSTS: git.url } });
const { call, tokens, until } = service;
after(async () => {
  await service[Symbol.asyncDispose]();
  await git[Symbol.asyncDispose]();
});
const walk = await walkAuditedOperations(call, tokens.admin);
const { change } = walk;
const github_url = `${git.url}/acme/notes`;

test('publishing on the leaderboard, sharing and deleting scans, and suppressing findings', async () => {
  const published = await change('POST', '/process/github', { body: { github_url, publish: true } });
  const id: number = published.body.scan_id;
  assert.deepEqual(
    [published.event, published.user_name, published.details.name, published.details['scan_id']],
    ['mcp_scan_published', 'admin', 'acme/notes', id],
  );
  assert.equal(published.details['repository'], github_url);
  const scan = await until(id, undefined, tokens.admin);

  const withdrawn = await change('PATCH', `/scan/${id}`, { body: { publish: false } });
  assert.equal(withdrawn.event, 'mcp_scan_unpublished');
  assert.deepEqual(withdrawn.details.changes, { publish: { old: true, new: false } });
  const shared = await change('PATCH', `/scan/${id}`, { body: { visibility: 'tenant' } });
  assert.equal(shared.event, 'mcp_scan_shared');
  assert.deepEqual(shared.details.changes, { visibility: { old: 'private', new: 'tenant' } });

  const [{ fingerprint, title }] = scan.result_data.vulnerabilities;
  const reason = 'Only the operator calls it.';
  const suppressed = await change('POST', '/suppressions', { body: { scan_id: id, fingerprint, reason } });
  assert.deepEqual([suppressed.event, suppressed.details.name], ['suppression_created', title]);
  assert.deepEqual(suppressed.details.changes, {
    scope: { old: null, new: 'tenant' },
    reason: { old: null, new: reason },
  });
  const again = await call('POST', '/suppressions', {
    as: tokens.admin,
    body: { scan_id: id, fingerprint, reason },
  });
  assert.equal(again.status, 409);
  const counted = await change('DELETE', `/suppressions/${suppressed.body.id}`);
  assert.deepEqual([counted.event, counted.details.name], ['suppression_deleted', title]);
  assert.deepEqual(counted.details.changes?.['scope'], { old: 'tenant', new: null });

  const deleted = await change('DELETE', `/scan/${id}`);
  assert.deepEqual([deleted.event, deleted.details.name], ['mcp_scan_deleted', 'acme/notes']);
});

test('each repository of a batch that is published has its entry', async () => {
  const repositories = [{ github_url }];
  const batch = await change('POST', '/process/batch_github', { body: { repositories, publish: true } });
  assert.equal(batch.event, 'mcp_scan_published');
});

test('every changing operation is recorded, or here is why it is not', () => {
  const scans = 'Starts a scan that no leaderboard has; the list of scans has it.';
  walk.assertComplete({
    processFile: scans,
    processConfig: scans,
    processConfigWithAuth: scans,
    processTools: scans,
    rescan: scans,
    authenticateScan: 'Goes on with a scan that waits for a token.',
    cancelScan: 'Ends a scan under way; the list of scans has it.',
    findScanOfServer: 'Reads: the server is named by a body.',
  });
});
