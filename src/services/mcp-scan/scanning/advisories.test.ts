/** Known vulnerabilities of dependencies: by an OSV server, by a copy of its database, and not at all. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, describe, it } from 'node:test';
import { formWith, zipOf } from '../fixtures/archives.ts';
import { openTestService, type TestService } from '../fixtures/service.ts';

const advisory = {
  id: 'GHSA-test-0001',
  summary: 'Prototype pollution in left-merge',
  aliases: ['CVE-2026-0001'],
  severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
  affected: [
    {
      package: { ecosystem: 'npm', name: 'left-merge' },
      ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '2.0.0' }] }],
    },
  ],
};

let isBroken = false;
const asked: string[] = [];
const osv = createServer((request, response) => {
  void (async () => {
    const body = await text(request);
    asked.push(`${request.url} ${body}`);
    if (isBroken) response.writeHead(500).end();
    else if (request.url === '/v1/querybatch') {
      const { queries } = JSON.parse(body) as { queries: { package: { name: string }; version: string }[] };
      const results = queries.map(({ package: { name }, version }) =>
        name === 'left-merge' && version.startsWith('1.') ? { vulns: [{ id: advisory.id }] } : {},
      );
      response.end(JSON.stringify({ results }));
    } else if (request.url === `/v1/vulns/${advisory.id}`) response.end(JSON.stringify(advisory));
    else response.writeHead(404).end('{}');
  })();
});
await new Promise<void>((resolve) => osv.listen(0, '127.0.0.1', resolve));
const folder = await mkdtemp(join(tmpdir(), 'bulwark-osv-'));
await mkdir(join(folder, 'osv-scanner/npm'), { recursive: true });
await writeFile(
  join(folder, 'osv-scanner/npm/all.zip'),
  await zipOf({ 'GHSA-test-0001.json': JSON.stringify(advisory), 'GHSA-other.json': '{"id":"GHSA-other"}' }),
);
after(async () => {
  osv.closeAllConnections();
  await new Promise((resolve) => osv.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

const lock = (version: string) =>
  JSON.stringify({
    name: 'notes',
    lockfileVersion: 3,
    packages: {
      '': { dependencies: { 'left-merge': '^1.0.0' } },
      'node_modules/left-merge': { version, resolved: '', integrity: '' },
    },
  });
const scanOf = async ({ call, tokens, until }: TestService, files: Record<string, string>) => {
  const form = formWith(await zipOf({ 'a.js': '1;\n', ...files }));
  const { body } = await call('POST', '/process', { as: tokens.member, form });
  const scan = await until(body.scan_id);
  assert.equal(scan.status, 'completed', scan.error_message);
  const { vulnerabilities, notes, summary } = scan.result_data;
  const rules = vulnerabilities.map(({ rule_id: rule }: { rule_id: string }) => rule).toSorted();
  return { rules, notes: notes.join(' '), summary };
};
const scanWith = async ({ call, tokens, until }: TestService, version: string, more = '') => {
  const bytes = await zipOf({ 'package-lock.json': lock(version), 'a.js': `1;${more}\n` });
  const { body } = await call('POST', '/process', { as: tokens.member, form: formWith(bytes) });
  const scan = await until(body.scan_id);
  assert.equal(scan.status, 'completed', scan.error_message);
  const { vulnerabilities, deps_checked: checked, notes, summary } = scan.result_data;
  const known = vulnerabilities.filter((each: { source: string; message: string }) =>
    JSON.stringify(each).includes('left-merge'),
  );
  return { known, checked, notes, summary };
};

describe('known vulnerabilities', () => {
  it('are looked up at an OSV server; when it fails nothing is claimed', async () => {
    const { port } = osv.address() as AddressInfo;
    await using service = await openTestService({
      env: { BULWARK_MCP_SCAN_OSV_API_URL: `http://127.0.0.1:${port}` },
    });
    const found = await scanWith(service, '1.4.0');
    assert.equal(found.checked, 'api');
    assert.equal(found.known.length, 1);
    assert.match(JSON.stringify(found.known), /GHSA-test-0001|CVE-2026-0001/);
    assert.match(found.summary, /checked against OSV/);
    const fixed = await scanWith(service, '2.0.1');
    assert.deepEqual([fixed.checked, fixed.known.length], ['api', 0]);
    assert.ok(
      asked.every((each) => !each.includes('notes')),
      'only names and versions of dependencies are sent',
    );
    isBroken = true;
    const unknown = await scanWith(service, '1.4.1');
    isBroken = false;
    assert.equal(unknown.checked, 'none');
    assert.match(unknown.notes.join(), /could not be looked up/);
  });

  it('are looked up by name and version wherever a package comes from, and the rest is named and not counted', async () => {
    await using service = await openTestService({ env: { BULWARK_MCP_SCAN_OSV_DB_DIR: folder } });
    const lockOf = (resolved: string) =>
      JSON.stringify({
        lockfileVersion: 3,
        packages: {
          '': { dependencies: { 'left-merge': '^1.0.0' } },
          'node_modules/left-merge': { version: '1.4.0', resolved },
          'node_modules/own-part': { version: '1.0.0', resolved: 'file:own-part.tgz' },
        },
      });
    for (const [resolved, rule] of [
      ['https://files.example.com/left-merge.tgz', 'dependency-direct-url'],
      ['https://evil.example.com/left-merge/-/left-merge-1.4.0.tgz', 'dependency-other-registry'],
    ] as const) {
      const { rules, notes, summary } = await scanOf(service, { 'package-lock.json': lockOf(resolved) });
      const ofDependencies = rules.filter((each: string) => each.startsWith('dependency-'));
      assert.deepEqual(ofDependencies, [rule, 'dependency-vulnerable']);
      assert.match(summary, /1 of 2 dependency entries checked against OSV/);
      assert.match(notes, /1 dependency entry from files of the project itself: not looked up/);
    }
    const manifest = JSON.stringify({ dependencies: { 'left-merge': '1.4.0', other: '^1.0.0' } });
    const exact = await scanOf(service, { 'package.json': manifest });
    assert.ok(exact.rules.includes('dependency-vulnerable'), 'an exact version in package.json is a version');
    assert.match(exact.notes, /1 dependency entry without a fixed version/);
  });

  it('are looked up in a copy of the database, by ranges', async () => {
    await using service = await openTestService({ env: { BULWARK_MCP_SCAN_OSV_DB_DIR: folder } });
    const found = await scanWith(service, '1.4.0');
    assert.deepEqual([found.checked, found.known.length], ['db', 1]);
    const fixed = await scanWith(service, '2.0.1');
    assert.deepEqual([fixed.checked, fixed.known.length], ['db', 0]);
  });
});
