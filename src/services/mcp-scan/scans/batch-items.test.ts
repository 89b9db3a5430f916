/** What is wrong with one repository or one server of a request concerns that one alone, and is told with its field. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startGitServer } from '../fixtures/git-server.ts';
import { startMcpServer } from '../fixtures/mcp-server.ts';
import { openTestService } from '../fixtures/service.ts';

const git = await startGitServer({
  'acme/notes': { refs: { 'refs/heads/main': { 'a.py': 'x = 1\n' } }, head: 'refs/heads/main' },
});
const live = await startMcpServer([
  { name: 'add', description: 'Adds two numbers.', inputSchema: { type: 'object' } },
]);
const { call, tokens, until, ...service } = await openTestService({
  env: { BULWARK_MCP_SCAN_REPOSITORY_HOSTS: git.url },
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await git[Symbol.asyncDispose]();
  await live[Symbol.asyncDispose]();
});
const as = tokens.member;
const notes = `${git.url}/acme/notes`;
const repositories = async (items: unknown) =>
  call('POST', '/process/batch_github', { as, body: { repositories: items } });
const configuration = async (body: unknown) => call('POST', '/process/mcp_config', { as, body });
const refusalOf = async (definition: unknown): Promise<string> => {
  const { status, body } = await configuration({ mcpServers: { it: definition } });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.total, body.successful, body.failed], [1, 0, 1], JSON.stringify(definition));
  assert.equal(body.failed_repos[0].server_name, 'it');
  return body.failed_repos[0].error;
};

describe('a batch of repositories', () => {
  it('scans what is one, and names the item that is none', async () => {
    const { status, body } = await repositories([
      { github_url: notes },
      {},
      { github_url: 7, revision: 'main' },
      notes,
      null,
      { github_url: notes, revision: 5 },
    ]);
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual([body.total, body.successful, body.failed], [6, 1, 5]);
    assert.deepEqual(body.failed_repos, [
      { github_url: null, revision: '', error: "'repositories[1].github_url' is required." },
      { github_url: null, revision: 'main', error: "'repositories[2].github_url' must be a string." },
      { github_url: null, revision: '', error: "'repositories[3]' must be an object." },
      { github_url: null, revision: '', error: "'repositories[4]' must be an object." },
      { github_url: notes, revision: '', error: "'repositories[5].revision' must be a string." },
    ]);
    assert.equal((await repositories('x')).status, 422);
    assert.equal((await repositories([])).status, 422);
    assert.equal((await repositories(undefined)).status, 400);
  });

  it('takes null and nothing for the default branch, and tells it in one form', async () => {
    const { body } = await repositories([
      { github_url: notes, revision: null },
      { github_url: notes },
      { github_url: notes, revision: ' ' },
    ]);
    assert.deepEqual(
      body.scans.map(({ revision }: { revision: string }) => revision),
      ['', '', ''],
    );
    for (const { scan_id: id } of body.scans) assert.equal((await until(id)).revision, '');
    const one = await call('POST', '/process/github', {
      as,
      body: { github_url: notes, revision: null, publish: null, visibility: null },
    });
    assert.equal(one.status, 200, JSON.stringify(one.body));
    assert.equal((await until(one.body.scan_id)).revision, '');
  });
});

describe('a server of a configuration', () => {
  it('with a field that cannot be used fails with its name', async () => {
    const url = live.url;
    const refusals: [unknown, RegExp][] = [
      [{ url, headers: ['X-Key: a'] }, /has 'headers' that are no object/],
      [
        { url, headers: { 'X-Key': { from: 'vault' } } },
        /has 'X-Key' in 'headers' with a value that is no text/,
      ],
      [{ url, headers: { 'X Key': 'a' } }, /header 'X Key' in 'headers' whose name cannot be sent/],
      [{ url, headers: { Host: 'a' } }, /header 'Host' in 'headers', which each request sets itself/],
      [
        { url, headers: { 'X-Key': 'a\r\nX-Other: b' } },
        /header 'X-Key' in 'headers' whose value cannot be sent/,
      ],
      [{ url, headers: { 'X-Key': '密' } }, /header 'X-Key' in 'headers' whose value cannot be sent/],
      [{ url, transport: 5 }, /has a 'transport' that is no text/],
      [{ url, type: 'pigeon' }, /has a 'type' that is neither sse nor http/],
      [{ url, type: 'stdio' }, /has the type stdio, which contradicts 'url'/],
      [{ command: 'node', transport: 'sse' }, /has the transport sse, which contradicts 'command'/],
      [{ command: 'node', env: 'A=b' }, /has 'env' that are no object/],
      [{ command: 'node', env: { A: ['b'] } }, /has 'A' in 'env' with a value that is no text/],
      [{ command: 'node', env: { 'A=B': 'c' } }, /has a variable 'A=B' in 'env'/],
      [{ command: 'node', env: { A: 'b\0' } }, /has NUL characters .* 'env' \('A'\)/],
      [{ command: ' ' }, /has an empty 'command'/],
      [{ url: '' }, /has an empty 'url'/],
      [{ url: 5, command: 'node' }, /has a 'url' that is no text/],
      [{ command: 'node', args: ['a', 5] }, /has 'args' that are no list of texts/],
      [{ command: 'node', args: ['a\0'] }, /has NUL characters .* 'args'/],
      [{ command: 'node', allow_network: 'yes' }, /has an 'allow_network' that is neither true nor false/],
      [{ url, transport: 'constructor' }, /has a 'transport' that is neither sse nor http/],
    ];
    for (const [definition, reason] of refusals) assert.match(await refusalOf(definition), reason);
  });

  it('is as good with null as without a field', async () => {
    const nothing = { transport: null, type: null, headers: null, command: null, args: null, env: null };
    const definition = { url: live.url, ...nothing, allow_network: null };
    const { body } = await configuration({
      mcpServers: { it: { ...definition, headers: { 'X-Key': null, 'X-Number': 5 } } },
      secrets_are_kept: null,
      visibility: null,
    });
    assert.equal(body.successful, 1, JSON.stringify(body));
    assert.equal((await until(body.scans[0].scan_id)).status, 'completed');
    assert.equal(live.headers.at(-1)?.['x-number'], '5');
    const single = await call('POST', '/process/mcp_config_with_auth', {
      as,
      body: { server_name: 'it', server_config: definition },
      headers: { 'x-mcp-auth-token': 'a token' },
    });
    assert.equal(single.status, 200, JSON.stringify(single.body));
    await until(single.body.scan_id);
    const wrong = await call('POST', '/process/mcp_config_with_auth', {
      as,
      body: { server_name: 'it', server_config: { url: live.url, headers: { 'X-Key': [] } } },
      headers: { 'x-mcp-auth-token': 'a token' },
    });
    assert.deepEqual(
      [wrong.status, wrong.body.detail],
      [422, "The server it has 'X-Key' in 'headers' with a value that is no text."],
    );
  });

  it('whose name cannot be kept fails alone', async () => {
    const long = 'x'.repeat(201);
    const { status, body } = await configuration({
      mcpServers: { good: { url: live.url }, '': { url: live.url }, [long]: { url: live.url }, 'a\0': {} },
    });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(
      body.scans.map(({ server_name: name }: { server_name: string }) => name),
      ['good'],
    );
    assert.deepEqual(
      body.failed_repos.map(({ error }: { error: string }) => error),
      [
        "'mcpServers' has a server without a name; give it one.",
        "'mcpServers' has a server whose name has more than 200 characters; give it another one.",
        "'mcpServers' has a server whose name has NUL characters or half characters; give it another one.",
      ],
    );
    await until(body.scans[0].scan_id);
  });

  it('is read from the form of configuration that is there; servers in both are refused', async () => {
    const servers = { it: { url: live.url } };
    for (const body of [
      { mcpServers: servers, mcp: null },
      { mcpServers: null, mcp: { servers } },
      { mcpServers: {}, mcp: { servers } },
      { mcpServers: servers, mcp: { servers: null } },
      { mcpServers: servers, mcp: { inputs: [] } },
    ]) {
      const answer = await configuration(body);
      assert.equal(answer.body.successful, 1, JSON.stringify([body, answer.body]));
      await until(answer.body.scans[0].scan_id);
    }
    const both = await configuration({ mcpServers: servers, mcp: { servers } });
    assert.deepEqual(
      [both.status, both.body.detail],
      [422, "'mcpServers' and 'mcp.servers' both name servers; send all of them in one of the two."],
    );
    assert.equal((await configuration({ mcpServers: null, mcp: null })).status, 400);
  });
});
