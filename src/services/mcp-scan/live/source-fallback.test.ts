import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { zipOf } from '../fixtures/archives.ts';
import { openTestService } from '../fixtures/service.ts';

const archive = await zipOf({
  'package/index.js':
    "server.tool('run', 'Runs it.', {}, async ({ name }) => { require('child_process').exec(name); });\n",
  'package/package.json': '{ "name": "@acme/files", "version": "1.2.3" }',
});
/** A registry of npm packages with one of them. */
const registry = createServer((request, response) => {
  const { port } = registry.address() as AddressInfo;
  if (request.url === '/@acme%2Ffiles/1.2.3')
    response.end(JSON.stringify({ dist: { tarball: `http://127.0.0.1:${port}/files.tgz` } }));
  else if (request.url === '/@acme%2Fhidden/latest')
    response.end(JSON.stringify({ dist: { tarball: 'http://10.0.0.1/files.tgz' } }));
  else if (request.url === '/files.tgz') response.end(archive);
  else response.writeHead(404).end('{}');
});
await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
const service = await openTestService({
  env: {
    BULWARK_MCP_SCAN_STDIO: 'off',
    BULWARK_MCP_SCAN_NPM_REGISTRY: `http://127.0.0.1:${(registry.address() as AddressInfo).port}`,
  },
});
const { call, tokens, until } = service;
const as = tokens.member;
after(async () => {
  await service[Symbol.asyncDispose]();
  await new Promise((resolve) => registry.close(resolve));
});
const scanOf = async (command: string, args: string[]) => {
  const { body } = await call('POST', '/process/mcp_config', {
    as,
    body: { mcpServers: { files: { command, args } } },
  });
  return until(body.scans[0].scan_id);
};

describe('a stdio server that is not started', () => {
  it('has the source of its package scanned, and that is said', async () => {
    const scan = await scanOf('npx', ['-y', '@acme/files@1.2.3']);
    assert.equal(scan.status, 'completed', scan.error_message);
    const { vulnerabilities, coverage, notes, tools } = scan.result_data;
    assert.ok(vulnerabilities.some(({ rule_id: rule }: { rule_id: string }) => rule === 'command-injection'));
    assert.deepEqual([tools[0].name, coverage.files], ['run', 2]);
    assert.match(notes[0], /not started; its source was read instead \(the package @acme\/files@1\.2\.3\)/);
  });

  it('fails with the reason where its package cannot be read', async () => {
    const missing = await scanOf('npx', ['-y', '@acme/none@1.0.0']);
    assert.equal(missing.status, 'failed');
    assert.match(missing.error_message, /answered 404 for the package @acme\/none@1\.0\.0/);
    const hidden = await scanOf('npx', ['@acme/hidden']);
    assert.match(hidden.error_message, /private or reserved address/);
  });

  it('fails where it is no package, and files of the service’s machine are not read for it', async () => {
    for (const [command, args] of [
      ['node', ['/etc/passwd']],
      ['python', [import.meta.filename]],
      ['docker', ['run', 'acme/files']],
    ] as const) {
      const scan = await scanOf(command, [...args]);
      assert.equal(scan.status, 'failed');
      assert.match(scan.error_message, /no server is started here.*Scan its source instead/s);
    }
  });
});
