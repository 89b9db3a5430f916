import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { commitOf, startGitServer } from '../fixtures/git-server.ts';
import { openTestService } from '../fixtures/service.ts';

const main = {
  'src/server.py':
    'import os\nfrom mcp.server.fastmcp import FastMCP\n\nmcp = FastMCP("notes")\n\n@mcp.tool()\ndef run(name: str) -> str:\n    """Lists a folder."""\n    os.system("ls " + name)\n    return ""\n',
};
const fixed = { 'src/server.py': 'print("hello")\n' };
const git = await startGitServer({
  'acme/notes': { refs: { 'refs/heads/main': main, 'refs/tags/v2': fixed }, head: 'refs/heads/main' },
});
const service = await openTestService({
  env: { BULWARK_MCP_SCAN_REPOSITORY_HOSTS: git.url, ADMIN_API_KEY: 'the-key-of-the-operator' },
});
const { call, tokens, until } = service;
const as = tokens.member;
const url = `${git.url}/acme/notes`;
after(async () => {
  await service[Symbol.asyncDispose]();
  await git[Symbol.asyncDispose]();
});
const scanOf = async (body: unknown, who = as) => {
  const created = await call('POST', '/process/github', { as: who, body });
  assert.equal(created.status, 200, JSON.stringify(created.body));
  return until(created.body.scan_id, undefined, who);
};

describe('a repository', () => {
  it('is fetched at the commit of its default branch, and links are left out and named', async () => {
    const scan = await scanOf({ github_url: `${url}.git`, revision: '' });
    assert.equal(scan.status, 'completed', scan.error_message);
    assert.deepEqual([scan.scan_type, scan.filename, scan.github_url], ['github', 'acme/notes', url]);
    assert.equal(scan.commit_hash, commitOf(main));
    const [first] = scan.result_data.vulnerabilities;
    assert.deepEqual(
      [first.rule_id, first.file, first.start_line],
      ['command-injection', 'src/server.py', 9],
    );
    assert.ok(scan.result_data.coverage.skipped.some(({ reason }: { reason: string }) => reason === 'link'));
  });

  it('is not fetched twice at one commit, whoever asks', async () => {
    const before = git.archives();
    const scan = await scanOf({ github_url: url, revision: 'main' }, tokens.stranger);
    assert.equal(scan.status, 'completed');
    assert.equal(git.archives(), before);
    assert.equal(scan.cached_from_scan_id, null);
    assert.equal(scan.vulnerability_count, scan.result_data.vulnerabilities.length);
    const again = await scanOf({ github_url: url, revision: 'main' }, tokens.stranger);
    assert.equal(
      again.cached_from_scan_id,
      null,
      'a copy of what another one’s scan found is no scan to copy',
    );
    const [row] = await service.db.query<{ sources: number }>(
      'select count(distinct cached_from_scan_id)::int as sources from mcp_scan.scans where scan_id = any($1)',
      [[scan.id, again.id]],
    );
    assert.equal(row?.sources, 1, 'what is copied keeps its age');
  });

  it('is taken at a tag or a commit; an unknown revision and an unknown repository fail with the reason', async () => {
    assert.equal((await scanOf({ github_url: url, revision: 'v2' })).commit_hash, commitOf(fixed));
    assert.equal((await scanOf({ github_url: url, revision: commitOf(fixed) })).status, 'completed');
    assert.match(
      (await scanOf({ github_url: url, revision: 'nope' })).error_message,
      /no branch, tag or commit “nope”/,
    );
    assert.match(
      (await scanOf({ github_url: `${git.url}/acme/other` })).error_message,
      /no such public repository/,
    );
  });

  it('of another host, with a password or a path behind it is refused', async () => {
    for (const [github_url, reason] of [
      ['https://github.com/a/b', /names the host github\.com, which is not among/],
      ['http://169.254.169.254/a/b', /is not among/],
      [url.replace('http://', 'http://me:secret@'), /must not carry a user name/],
      [`${git.url}/a`, /must name a repository/],
      [`${git.url}/a/../b%2f`, /must name a repository/],
      ['ftp://x/a/b', /must be the https/],
    ] as const) {
      const { status, body } = await call('POST', '/process/github', { as, body: { github_url } });
      assert.equal(status, 422, github_url);
      assert.match(body.detail, reason);
    }
    assert.equal((await call('POST', '/process/github', { as, body: {} })).status, 400);
  });

  it('whose archive is elsewhere is not followed there', async () => {
    git.repositories['acme/moved'] = {
      refs: { 'refs/heads/main': { 'a.py': 'x = 1\n' } },
      head: 'refs/heads/main',
    };
    git.redirectTo = 'http://192.168.1.1/secret';
    const scan = await scanOf({ github_url: `${git.url}/acme/moved` });
    git.redirectTo = undefined;
    assert.equal(scan.status, 'failed');
    assert.match(scan.error_message, /redirects to 192\.168\.1\.1, which is not among/);
  });

  it('of a batch fails alone', async () => {
    const { body } = await call('POST', '/process/batch_github', {
      as,
      body: {
        repositories: [
          { github_url: url, revision: 'main' },
          { github_url: 'https://elsewhere.example/a/b', revision: 'x' },
        ],
      },
    });
    assert.deepEqual([body.total, body.successful, body.failed], [2, 1, 1]);
    assert.deepEqual([body.scans[0].github_url, body.scans[0].revision], [url, 'main']);
    assert.equal(body.failed_repos[0].github_url, 'https://elsewhere.example/a/b');
    assert.equal(body.failed_repos[0].revision, 'x');
    await until(body.scans[0].scan_id);
  });
});

describe('the leaderboard', () => {
  it('shows published repositories alone, and to everybody', async () => {
    assert.deepEqual((await call('GET', '/leaderboard/servers')).body, {
      servers: [],
      total: 0,
      page: 1,
      page_size: 20,
    });
    const scan = await scanOf({ github_url: url, publish: true });
    const { body } = await call('GET', '/leaderboard/servers');
    assert.equal(body.total, 1);
    assert.deepEqual([body.servers[0].server_name, body.servers[0].security], ['acme/notes', scan.security]);
    const detail = await call('GET', '/leaderboard/servers/acme%2Fnotes');
    assert.equal(detail.status, 200);
    assert.equal(detail.body.findings.critical, 1);
    assert.equal((await call('GET', '/leaderboard/servers/nobody')).status, 404);
    const summary = (await call('GET', '/leaderboard/summary')).body;
    assert.deepEqual([summary.server_count, summary.by_security.high], [1, 1]);
    await call('PATCH', `/scan/${scan.id}`, { as, body: { publish: false } });
    assert.equal((await call('GET', '/leaderboard/servers')).body.total, 0);
  });

  it('is bettered neither by suppressions nor by another revision', async () => {
    const who = tokens.stranger;
    const scan = await scanOf({ github_url: url, publish: true }, who);
    const [{ fingerprint }] = scan.result_data.vulnerabilities;
    const suppression = { scan_id: scan.id, fingerprint, reason: 'looks fine to me' };
    assert.equal((await call('POST', '/suppressions', { as: who, body: suppression })).status, 201);
    const again = await scanOf({ github_url: url, publish: true }, who);
    assert.equal(again.vulnerability_count, scan.vulnerability_count - 1, 'for the tenant itself it counts');
    await scanOf({ github_url: url, revision: 'v2', publish: true }, who);
    await scanOf({ github_url: url, revision: commitOf(fixed), publish: true }, who);
    const { body } = await call('GET', '/leaderboard/servers');
    const shown = ({ security, vulnerability_count: count, score }: Record<string, unknown>) => [
      security,
      count,
      score,
    ];
    assert.deepEqual(shown(body.servers[0]), shown(scan));
    assert.equal(body.servers[0].commit_hash, commitOf(main));
    const named = await scanOf({ github_url: url, revision: 'main', publish: true });
    assert.equal(named.commit_hash, commitOf(main));
    const detail = (await call('GET', '/leaderboard/servers/acme%2Fnotes')).body;
    assert.equal(detail.last_scanned_at, named.finished_at, 'the default branch by its name counts');
  });
});

describe('usage', () => {
  it('is told to the operator’s key alone, and stands in no document', async () => {
    const headers = { 'x-admin-key': 'the-key-of-the-operator' };
    assert.equal((await call('GET', '/admin/usage/summary')).status, 401);
    assert.equal((await call('GET', '/admin/usage/summary', { as: tokens.admin })).status, 401);
    assert.equal(
      (await call('GET', '/admin/usage/summary', { headers: { 'x-admin-key': 'wrong' } })).status,
      401,
    );
    const { body } = await call('GET', '/admin/usage/summary', { headers });
    assert.deepEqual([body.user_count, body.total_tokens, body.llm_cost], [2, 0, 0]);
    const scan = await scanOf({ github_url: url });
    const one = (await call('GET', `/admin/usage/scan/${scan.id}`, { headers })).body;
    assert.deepEqual([one.scan_id, one.user_id, one.status], [scan.id, scan.user_id, 'completed']);
    const user = (await call('GET', `/admin/usage/user/${scan.user_id}`, { headers })).body;
    assert.ok(user.scan_count > 3);
    for (const nobody of ['nobody', '00000000-0000-4000-8000-000000000000'])
      assert.equal((await call('GET', `/admin/usage/user/${nobody}`, { headers })).status, 404);
    const { body: me } = await call('GET', '/auth/me', { as: tokens.admin });
    const none = (await call('GET', `/admin/usage/user/${me.id}`, { headers })).body;
    assert.deepEqual([none.scan_count, none.total_tokens], [0, 0], 'a user without scans');
    const document = (await call('GET', '/openapi.json')).body;
    assert.ok(!Object.keys(document.paths).some((path) => path.startsWith('/admin')));
    assert.ok('/process' in document.paths);
  });
});
