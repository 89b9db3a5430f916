/** The leaderboard's names and its order, and what is told of scans that others name. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { findCachedCommit } from '../scans/earlier-scans.ts';
import { startGitServer } from '../fixtures/git-server.ts';
import { openTestService } from '../fixtures/service.ts';

const of = (files: Record<string, string>) => ({
  refs: { 'refs/heads/main': files },
  head: 'refs/heads/main',
});
const git = await startGitServer({
  'acme/clean': of({ 'a.py': 'x = 1\n' }),
  'acme/unread': of({ 'notes.txt': 'nothing\n' }),
  'acme/doubtful': of({
    'index.js': 'export const x = 1;\n',
    'package.json': JSON.stringify({ name: 'doubtful', dependencies: { expres: '4.0.0' } }),
  }),
});
const other = await startGitServer({ 'acme/clean': of({ 'b.py': 'x = 2\n' }) });
const adminKey = 'the-key-of-the-operator';
const service = await openTestService({
  env: { BULWARK_MCP_SCAN_REPOSITORY_HOSTS: `${git.url},${other.url}`, ADMIN_API_KEY: adminKey },
});
const { call, db, tokens, until } = service;
after(async () => {
  await service[Symbol.asyncDispose]();
  await git[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
});
const as = tokens.member;
const hostOf = ({ url }: { url: string }) => new URL(url).host;
const publish = async (url: string) => {
  const { body } = await call('POST', '/process/github', { as, body: { github_url: url, publish: true } });
  const scan = await until(body.scan_id);
  assert.equal(scan.status, 'completed', scan.error_message);
  return scan;
};
const namesOf = async () =>
  (await call('GET', '/leaderboard/servers')).body.servers.map(
    ({ server_name: name }: { server_name: string }) => name,
  );

describe('the leaderboard', () => {
  it('has what is of low concern before all else, and what was not read behind its level', async () => {
    for (const name of ['unread', 'doubtful', 'clean']) await publish(`${git.url}/acme/${name}`);
    const { servers } = (await call('GET', '/leaderboard/servers')).body;
    assert.deepEqual(
      servers.map(({ server_name: name, security }: Record<string, string>) => [name, security]),
      [
        ['acme/clean', 'low'],
        ['acme/doubtful', 'medium'],
        ['acme/unread', 'medium'],
      ],
    );
    assert.ok(servers[1].score < servers[2].score, 'by the score alone it would stand first');
  });

  it('answers by a name with its slash as it stands or encoded, in any case and with its host', async () => {
    for (const name of ['acme/clean', 'acme%2Fclean', 'Acme/CLEAN', `${hostOf(git)}/acme/clean`]) {
      const { status, body } = await call('GET', `/leaderboard/servers/${name}`);
      assert.deepEqual([status, body.server_name], [200, 'acme/clean'], name);
    }
    for (const name of ['acme', 'acme/none', 'acme/clean/x', ''])
      assert.equal((await call('GET', `/leaderboard/servers/${name}`)).status, 404, name);
    assert.equal((await call('POST', '/leaderboard/servers/acme/clean')).status, 405);
  });

  it('has another name for a repository of the same name on another host', async () => {
    await publish(`${other.url}/acme/clean`);
    const named = `${hostOf(other)}/acme/clean`;
    assert.deepEqual((await namesOf()).slice(0, 2).toSorted(), [named, 'acme/clean'].toSorted());
    const { body } = await call('GET', `/leaderboard/servers/${named}`);
    assert.equal(body.github_url, `${other.url}/acme/clean`);
  });

  it('and the cache take names of github.com without regard to case', async () => {
    const [lower, upper] = ['https://github.com/acme/clean', 'https://github.com/Acme/Clean'];
    const rename = 'update mcp_scan.scans set github_url = $2 where scan_id = $1';
    const first = await publish(`${git.url}/acme/clean`);
    await db.query(rename, [first.id, lower]);
    await db.query('update mcp_scan.scans set cached_from_scan_id = null where scan_id = $1', [first.id]);
    const second = await publish(`${git.url}/acme/clean`);
    await db.query(rename, [second.id, upper]);
    const names = (await namesOf()).filter((name: string) => /^github\.com\//i.test(name));
    assert.deepEqual(names, ['github.com/Acme/Clean'], 'the newest of one repository');
    const cached = await findCachedCommit(db, second.id, {
      githubUrl: 'https://github.com/ACME/clean',
      commitHash: first.commit_hash,
      rulesVersion: first.rules_version,
      since: new Date(0),
    });
    assert.equal(cached?.scanId, first.id);
  });
});

describe('usage', () => {
  const headers = { 'x-admin-key': adminKey };

  it('asks for the key before it says anything of an id', async () => {
    for (const path of ['scan/none', 'scan/0', `user/${'x'.repeat(150)}`]) {
      assert.equal((await call('GET', `/admin/usage/${path}`)).status, 401, path);
      assert.ok([404, 422].includes((await call('GET', `/admin/usage/${path}`, { headers })).status), path);
    }
    const { body } = await call('GET', '/admin/usage/scan/none', { headers });
    assert.match(body.detail, /'scan_id' must be/);
  });

  it('names its users, and tells costs without the rest of a binary fraction', async () => {
    const { id, user_id: userId } = (await call('GET', '/scans/recent', { as })).body.scans[0];
    await db.query('update mcp_scan.scans set llm_cost = 0.0006 where owner_id = $1', [userId]);
    const one = (await call('GET', `/admin/usage/scan/${id}`, { headers })).body;
    assert.deepEqual([one.user_name, one.llm_cost], ['member', 0.0006]);
    await db.query('update mcp_scan.scans set llm_cost = 0 where owner_id = $1', [userId]);
    const three = `select scan_id from mcp_scan.scans where owner_id = $1 order by scan_id limit 3`;
    await db.query(`update mcp_scan.scans set llm_cost = 0.0006 where scan_id in (${three})`, [userId]);
    const user = (await call('GET', `/admin/usage/user/${userId}`, { headers })).body;
    assert.deepEqual([user.user_name, user.llm_cost], ['member', 0.0018]);
  });
});
