/** Every operation of the contract, with its fields, presets, limits and refusals. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { formWith, zipOf } from './fixtures/archives.ts';
import { startGitServer } from './fixtures/git-server.ts';
import { startMcpServer } from './fixtures/mcp-server.ts';
import { openTestService } from './fixtures/service.ts';

const adminKey = 'the key of the operator 123';
const git = await startGitServer({
  'acme/notes': {
    refs: { 'refs/heads/main': { 'a.py': 'x = 1\n' }, 'refs/tags/v1': { 'a.py': 'x = 2\n' } },
    head: 'refs/heads/main',
  },
});
const live = await startMcpServer([
  { name: 'add', description: 'Adds two numbers.', inputSchema: { type: 'object' } },
]);
const { call, tokens, until, ...service } = await openTestService({
  env: { ADMIN_API_KEY: adminKey, BULWARK_MCP_SCAN_REPOSITORY_HOSTS: git.url },
});
after(async () => {
  await service[Symbol.asyncDispose]();
  await git[Symbol.asyncDispose]();
  await live[Symbol.asyncDispose]();
});
const as = tokens.member;
const notes = `${git.url}/acme/notes`;
type Body = Awaited<ReturnType<typeof call>>['body'];

const has = (body: Body, fields: Record<string, string>) => {
  for (const [name, type] of Object.entries(fields)) {
    const kind = body[name] === null ? 'null' : Array.isArray(body[name]) ? 'array' : typeof body[name];
    assert.ok(type.split('|').includes(kind), `${name} is ${kind}, not ${type}`);
  }
};

describe('creating scans', () => {
  it('of a zip, a repository and a branch, tag or commit of it', async () => {
    const made: Body[] = [];
    const file = await zipOf({ 'a.py': 'x = 1\n' });
    made.push(await call('POST', '/process', { as, form: formWith(file) }));
    for (const body of [
      { github_url: notes },
      { github_url: notes, revision: '' },
      { github_url: notes, revision: 'v1' },
    ])
      made.push(await call('POST', '/process/github', { as, body }));
    for (const { status, body } of made) {
      assert.equal(status, 200, JSON.stringify(body));
      has(body, { scan_id: 'number', status: 'string', message: 'string' });
      assert.equal(body.status, 'pending');
      const scan = await until(body.scan_id);
      assert.equal(scan.status, 'completed', scan.error_message);
    }
    const [, preset, empty, tag] = await Promise.all(made.map(({ body }) => until(body.scan_id)));
    assert.equal(preset.commit_hash, empty.commit_hash);
    assert.notEqual(preset.commit_hash, tag.commit_hash);
    assert.deepEqual([preset.scan_type, preset.github_url], ['github', notes]);
  });

  it('of several repositories, one of which is refused', async () => {
    const { body } = await call('POST', '/process/batch_github', {
      as,
      body: {
        repositories: [
          { github_url: notes },
          { github_url: notes, revision: 'v1' },
          { github_url: 'https://elsewhere.example/a/b', revision: 'main' },
        ],
      },
    });
    assert.deepEqual([body.total, body.successful, body.failed], [3, 2, 1]);
    assert.deepEqual(
      body.scans.map(({ github_url: url, revision }: Body) => [url, revision]),
      [
        [notes, ''],
        [notes, 'v1'],
      ],
    );
    for (const scan of body.scans) has(scan, { scan_id: 'number', status: 'string', message: 'string' });
    const [failed] = body.failed_repos;
    assert.deepEqual([failed.github_url, failed.revision], ['https://elsewhere.example/a/b', 'main']);
    assert.match(failed.error, /elsewhere\.example, which is not among those/);
  });

  it('of servers, in both forms of a configuration, with fields left out', async () => {
    for (const body of [
      { mcpServers: { one: { url: live.url }, two: { url: live.url, type: 'sse', transport: 'http' } } },
      { mcp: { servers: { one: { url: live.url }, two: { url: live.url, type: 'http' } } } },
    ]) {
      const { body: batch } = await call('POST', '/process/mcp_config', { as, body });
      assert.deepEqual([batch.total, batch.successful, batch.failed], [2, 2, 0]);
      assert.deepEqual(
        batch.scans.map(({ server_name: name }: Body) => name),
        ['one', 'two'],
      );
      for (const { scan_id: id } of batch.scans) {
        const scan = await until(id);
        assert.equal(scan.status, 'completed', scan.error_message);
        assert.equal(scan.filename, `MCP:${scan.server_name}`);
        assert.deepEqual(Object.keys(scan.mcp_config), [scan.server_name]);
      }
    }
  });

  it('with a token needs the token', async () => {
    const body = { server_name: 'one', server_config: { url: live.url } };
    const refused = await call('POST', '/process/mcp_config_with_auth', { as, body });
    assert.equal(refused.status, 400);
    assert.match(refused.body.detail, /X-MCP-Auth-Token/);
    const { body: made } = await call('POST', '/process/mcp_config_with_auth', {
      as,
      body,
      headers: { 'x-mcp-auth-token': 'a token' },
    });
    assert.equal((await until(made.scan_id)).status, 'completed');
    assert.equal(live.headers.at(-1)?.['authorization'], 'Bearer a token');
  });

  it('of a list of tools answers at once', async () => {
    const tools = [
      { tool_name: 'a', tool_description: 'Adds.', input_schema: { type: 'object' }, output_schema: {} },
    ];
    const { status, body } = await call('POST', '/process/tools', { as, body: { server_name: 's', tools } });
    assert.equal(status, 200);
    assert.deepEqual([body.issuccess, body.failed_reason, body.server_name], [true, null, 's']);
    for (const wrong of [
      { tools },
      { server_name: 's' },
      { server_name: 's', tools: [{ tool_name: 'a' }] },
      { server_name: 's', tools: [{ tool_description: 'a' }] },
    ]) {
      const refused = await call('POST', '/process/tools', { as, body: wrong });
      assert.equal(refused.status, 400, JSON.stringify(refused.body));
    }
  });

  it('is refused with a sentence that names the field', async () => {
    const refusals: [string, unknown, number, RegExp][] = [
      ['/process/github', {}, 400, /github_url/],
      ['/process/github', { github_url: 'notes' }, 422, /github_url/],
      ['/process/github', { github_url: 'file:///etc/passwd' }, 422, /github_url/],
      ['/process/github', { github_url: `${notes}/tree/main`, revision: 'a..b' }, 422, /revision/],
      ['/process/batch_github', {}, 400, /repositories/],
      ['/process/batch_github', { repositories: [] }, 422, /repositories/],
      ['/process/mcp_config', {}, 400, /mcpServers/],
      ['/process/mcp_config', { mcpServers: {} }, 422, /mcpServers/],
    ];
    for (const [path, body, status, says] of refusals) {
      const refused = await call('POST', path, { as, body });
      assert.equal(refused.status, status, `${path} ${JSON.stringify(refused.body)}`);
      assert.match(refused.body.detail, says);
    }
    assert.equal((await call('POST', '/process/github', { as, raw: '{' })).status, 400);
    assert.equal((await call('GET', '/process', { as })).status, 405);
  });
});

describe('a scan', () => {
  it('has every field of the record', async () => {
    const { body } = await call('POST', '/process/github', { as, body: { github_url: notes } });
    const scan = await until(body.scan_id);
    has(scan, {
      id: 'number',
      user_id: 'string',
      filename: 'string',
      upload_time: 'string',
      status: 'string',
      processing_stage: 'string|null',
      success: 'boolean',
      error_message: 'string|null',
      security: 'string',
      complexity: 'string',
      sensitivity: 'string',
      vulnerability_count: 'number',
      scan_type: 'string',
      github_url: 'string|null',
      mcp_server_count: 'number',
      authentication_required: 'boolean',
      oauth_metadata: 'object|null',
      mcp_config: 'object',
      prompt_injection_flagged_count: 'number',
      prompt_injection_total_count: 'number',
      parent_scan_id: 'number|null',
      rescannable: 'boolean',
      result_data: 'object',
      security_reasoning: 'string',
      complexity_reasoning: 'string',
      sensitivity_reasoning: 'string',
      content_hash: 'string',
    });
    has(scan.result_data, { vulnerabilities: 'array', summary: 'string', textguard_results: 'array' });
    assert.match(scan.upload_time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const status = (await call('GET', `/scan/${scan.id}/status`, { as })).body;
    assert.deepEqual([status.status, status.queue_position, status.queue_size], ['completed', null, null]);
    const queue = (await call('GET', '/queue/status', { as })).body;
    has(queue, {
      queue_size: 'number',
      processing_count: 'number',
      pending_scan_ids: 'array',
      processing_scan_ids: 'array',
      max_workers: 'number',
    });
  });

  it('that is not there, or is another tenant’s, is 404 wherever its id can stand', async () => {
    const { body } = await call('POST', '/process/tools', {
      as,
      body: { server_name: 's', tools: [{ tool_name: 'a', tool_description: 'b' }] },
    });
    for (const [who, id] of [
      [tokens.stranger, body.scan_id],
      [as, 999_999],
    ])
      for (const [method, path] of [
        ['GET', ''],
        ['GET', '/status'],
        ['GET', '/sarif'],
        ['GET', '/cyclonedx'],
        ['GET', '/events'],
        ['POST', '/rescan'],
        ['POST', '/cancel'],
        ['DELETE', ''],
      ] as const)
        assert.equal(
          (await call(method, `/scan/${id}${path}`, { as: who })).status,
          404,
          `${method} ${path}`,
        );
    assert.equal((await call('GET', '/scan/none', { as })).status, 422);
  });
});

describe('the list of scans', () => {
  it('takes times with and without a zone, inclusive, and refuses what is none', async () => {
    const { scans } = (await call('GET', '/scans?page_size=100', { as })).body;
    const at: string = scans.at(-1).upload_time;
    const total = async (query: Record<string, string>) =>
      (await call('GET', `/scans?${new URLSearchParams(query).toString()}`, { as })).body.total;
    assert.ok((await total({ end_time: at })) >= 1);
    assert.equal(await total({ start_time: at }), await total({}));
    assert.equal(await total({ start_time: at.replace('Z', '') }), await total({}));
    const shifted = `${new Date(Date.parse(at) + 7_200_000).toISOString().replace('Z', '')}+02:00`;
    assert.equal(await total({ start_time: shifted }), await total({}));
    for (const wrong of ['yesterday', '2026-13-01T00:00:00', '+99999-01-01T00:00:00Z'])
      assert.equal((await call('GET', `/scans?start_time=${encodeURIComponent(wrong)}`, { as })).status, 422);
    for (const wrong of ['page=0', 'page_size=0', 'page_size=x', 'sort_order=up', 'security=severe'])
      assert.equal((await call('GET', `/scans?${wrong}`, { as })).status, 422, wrong);
  });

  it('is sorted by every field that it names, both ways', async () => {
    for (const field of ['filename', 'upload_time', 'status', 'security', 'complexity', 'sensitivity']) {
      const ids = async (order: string) =>
        (
          await call('GET', `/scans?sort_field=${field}&sort_order=${order}&page_size=100`, { as })
        ).body.scans.map(({ id }: { id: number }) => id);
      assert.deepEqual((await ids('asc')).toSorted(), (await ids('desc')).toSorted(), field);
    }
    const page = (await call('GET', '/scans?page=2&page_size=3', { as })).body;
    assert.deepEqual([page.page, page.page_size, page.scans.length], [2, 3, 3]);
    assert.equal(page.total_pages, Math.ceil(page.total / 3));
  });
});

describe('doors of their own', () => {
  it('usage is for the operator’s key alone, over all tenants, and undocumented', async () => {
    const { scans } = (await call('GET', '/scans', { as })).body;
    const [{ id, user_id: userId }] = scans;
    const paths = [`/admin/usage/scan/${id}`, `/admin/usage/user/${userId}`, '/admin/usage/summary'];
    for (const path of paths) {
      for (const sent of [{}, { as }, { as: tokens.admin, headers: { 'x-admin-key': 'wrong' } }]) {
        const refused = await call('GET', path, sent);
        assert.equal(refused.status, 401);
        assert.match(String(refused.headers['www-authenticate']), /^Bearer error="/);
      }
      const { status, body } = await call('GET', path, { headers: { 'x-admin-key': adminKey } });
      assert.equal(status, 200, JSON.stringify(body));
      has(body, {
        prompt_tokens: 'number',
        completion_tokens: 'number',
        total_tokens: 'number',
        llm_cost: 'number',
      });
    }
    const headers = { 'x-admin-key': adminKey };
    has((await call('GET', paths[0] ?? '', { headers })).body, {
      scan_id: 'number',
      user_id: 'string',
      filename: 'string',
      status: 'string',
      upload_time: 'string',
    });
    const { body: summary } = await call('GET', '/admin/usage/summary', { headers });
    assert.ok(summary.scan_count >= scans.length && summary.user_count === 1);
    const { body: api } = await call('GET', '/openapi.json');
    assert.ok(!Object.keys(api.paths).some((path) => path.startsWith('/admin')));
    for (const path of ['/process', '/scan/{scan_id}/authenticate', '/leaderboard/servers', '/queue/status'])
      assert.ok(api.paths[path] !== undefined, path);
    for (const path of ['/docs', '/redoc']) assert.equal((await call('GET', path)).status, 200, path);
  });

  it('the leaderboard, the root and health are public; all else is not', async () => {
    const { body: made } = await call('POST', '/process/github', {
      as,
      body: { github_url: notes, publish: true },
    });
    await until(made.scan_id);
    const { body: board } = await call('GET', '/leaderboard/servers');
    has(board, { servers: 'array', total: 'number', page: 'number', page_size: 'number' });
    const [entry] = board.servers;
    assert.equal(entry.server_name, 'acme/notes');
    has(entry, {
      security: 'string',
      complexity: 'string',
      sensitivity: 'string',
      vulnerability_count: 'number',
      prompt_injection_flagged_count: 'number',
      last_scanned_at: 'string',
    });
    assert.equal((await call('GET', '/leaderboard/servers/acme%2Fnotes')).body.server_name, 'acme/notes');
    assert.equal((await call('GET', '/leaderboard/servers/none')).status, 404);
    assert.equal((await call('GET', '/leaderboard/summary')).body.server_count, 1);
    has((await call('GET', '/')).body, { message: 'string', version: 'string' });
    has((await call('GET', '/health')).body, { status: 'string', service: 'string' });
    for (const path of ['/scans', '/scans/recent', '/scan/1', '/scan/1/status', '/queue/status']) {
      const refused = await call('GET', path);
      assert.equal(refused.status, 401, path);
      assert.match(String(refused.headers['www-authenticate']), /error="missing_auth"/);
    }
  });
});
