import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { formWith, zipOf } from '../fixtures/archives.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
const { call, tokens, until, clock } = service;
after(() => service[Symbol.asyncDispose]());

const as = tokens.member;

const vulnerable = `import { exec } from 'node:child_process';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
const server = new McpServer({ name: 'notes', version: '1.0.0' });
server.tool('git_log', 'Shows the log of a branch.', { branch: z.string() }, async ({ branch }) => {
  exec(\`git log \${branch}\`, () => {});
  return { content: [] };
});
`;
const files = {
  'src/index.ts': vulnerable,
  'package.json': JSON.stringify({ name: 'notes', dependencies: { zod: '^4.0.0', expres: '^4.0.0' } }),
  'README.md': '# Notes\n',
};

const upload = async (content: Record<string, string | Buffer>, who = as) => {
  const { status, body } = await call('POST', '/process', { as: who, form: formWith(await zipOf(content)) });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

describe('an uploaded archive', () => {
  it('is scanned, and the finding says where, why and what to do', async () => {
    const created = await upload(files);
    assert.equal(created.status, 'pending');
    assert.ok(Number.isInteger(created.scan_id));
    const scan = await until(created.scan_id);
    assert.equal(scan.status, 'completed', scan.error_message);
    assert.equal(scan.success, true);
    assert.equal(scan.scan_type, 'file');
    assert.equal(scan.filename, 'server.zip');
    assert.equal(scan.security, 'high');
    assert.match(scan.security_reasoning, /command-injection at src\/index\.ts:6/);
    assert.equal(scan.rescannable, false);
    const { vulnerabilities, coverage, tools, summary, deps_checked: depsChecked } = scan.result_data;
    const [first] = vulnerabilities;
    assert.equal(first.rule_id, 'command-injection');
    assert.deepEqual(
      [first.file, first.start_line, first.tool_name, first.source],
      ['src/index.ts', 6, 'git_log', 'code'],
    );
    assert.deepEqual(first.cwe, ['CWE-78']);
    assert.deepEqual([first.trace[0].role, first.trace.at(-1).role], ['source', 'sink']);
    assert.match(first.snippet, /exec\(`git log/);
    assert.ok(first.remediation.length > 20);
    assert.equal(scan.vulnerability_count, vulnerabilities.length);
    assert.ok(vulnerabilities.some((each: { rule_id: string }) => each.rule_id === 'dependency-typosquat'));
    assert.equal(coverage.analysed_bytes, coverage.source_bytes);
    assert.equal(coverage.files, 3);
    assert.deepEqual(
      tools.map((tool: { name: string }) => tool.name),
      ['git_log'],
    );
    assert.equal(depsChecked, 'none');
    assert.match(summary, /known vulnerabilities were not looked up/);
  });

  it('is not analysed a second time for the same user by the same rules, for 90 days', async () => {
    const content = { 'a.py': 'print(1)\n' };
    const first = await until((await upload(content)).scan_id);
    const again = await until((await upload(content)).scan_id);
    assert.deepEqual([again.cached_from_scan_id, again.cached_from_scan_name], [first.id, 'server.zip']);
    assert.deepEqual(again.result_data.summary, first.result_data.summary);
    const other = await upload(content, tokens.admin);
    assert.equal((await until(other.scan_id, undefined, tokens.admin)).cached_from_scan_id, null);
    clock.advance(91 * 86_400_000);
    const member = await call('POST', '/auth/login', {
      body: { username: 'member', password: 'correct horse battery staple' },
    });
    const late = await upload(content, member.body.access_token ?? as);
    assert.equal((await until(late.scan_id, undefined, member.body.access_token)).cached_from_scan_id, null);
  });
});
