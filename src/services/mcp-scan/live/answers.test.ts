/** What servers answer that is no list of tools, what changes in their lists, and what a scan says of each. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { startMcpServer } from '../fixtures/mcp-server.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService({ env: { BULWARK_MCP_SCAN_CONNECT_TIMEOUT_MS: '600' } });
const { call, tokens, until } = service;
const adder = { name: 'add', description: 'Adds two numbers.', inputSchema: { type: 'object' } };
const server = await startMcpServer([adder]);
after(async () => {
  await service[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
beforeEach(() => {
  Object.assign(server, { tools: [adder], refusal: undefined, listed: undefined, token: undefined });
});
const as = tokens.member;
interface Told {
  rule_id: string;
  tool_name: string;
  message: string;
}
const start = async (name = 'it', definition: unknown = { url: server.url }): Promise<number> => {
  const { body } = await call('POST', '/process/mcp_config', {
    as,
    body: { mcpServers: { [name]: definition } },
  });
  assert.equal(body.successful, 1, JSON.stringify(body));
  return body.scans[0].scan_id;
};
const scanned = async (name?: string) => until(await start(name));
const rescan = async (id: number) => call('POST', `/scan/${id}/rescan`, { as });

describe('a server that answers', () => {
  it('403 without asking for a token has failed, and waits for none', async () => {
    server.refusal = { status: 403 };
    const plain = await scanned();
    assert.equal(plain.status, 'failed');
    assert.match(plain.error_message, /answered 403 \(forbidden\) and asks for no token: .*'headers'/);
    assert.equal(plain.oauth_metadata, null);
    server.refusal = { status: 403, headers: { 'www-authenticate': 'Bearer error="insufficient_scope"' } };
    assert.equal((await scanned()).status, 'needs_auth');
  });

  it('404 is told as an address where there is none', async () => {
    server.refusal = { status: 404 };
    const scan = await scanned();
    assert.equal(scan.status, 'failed');
    assert.match(
      scan.error_message,
      /there is no MCP server at this address, which answered 404 .*path of its 'url'/,
    );
  });

  it('no list of tools has failed, and entries that are none are told', async () => {
    server.listed = { items: [] };
    const without = await scanned();
    assert.equal(without.status, 'failed');
    assert.match(without.error_message, /answered tools\/list without a list: 'tools' is missing/);
    server.listed = { tools: [adder, 'add', { description: 'x' }] };
    const { status, result_data: result } = await scanned();
    assert.equal(status, 'completed');
    assert.deepEqual(result.notes, [
      'tools/list gave 1 entries that are no objects; they were not read.',
      '1 entries have no name and were not judged.',
    ]);
  });

  it('nothing at all is waited for once, also by a rescan: 504', async () => {
    const { id } = await scanned();
    server.refusal = 'silence';
    server.asked = [];
    const { status, body } = await rescan(id);
    assert.equal(status, 504, JSON.stringify(body));
    assert.match(body.detail, /did not answer server\/discover within 600 ms/);
    assert.deepEqual(
      server.asked.filter((method) => !method.startsWith('notifications/')),
      ['server/discover'],
    );
  });

  it('nothing since the settings do not start it is 409 for a rescan, in words for an API', async () => {
    await using off = await openTestService({ env: { BULWARK_MCP_SCAN_STDIO: 'off' } });
    const { body: made } = await off.call('POST', '/process/mcp_config', {
      as: off.tokens.member,
      body: { mcpServers: { local: { command: 'node', args: ['x.mjs'] } } },
    });
    const [{ scan_id: id }] = made.scans;
    await off.until(id);
    await off.db.query(`update mcp_scan.scans set outcome = 'completed' where scan_id = $1`, [id]);
    const { status, body } = await off.call('POST', `/scan/${id}/rescan`, { as: off.tokens.member });
    assert.equal(status, 409, JSON.stringify(body));
    assert.match(body.detail, /mcp_scan\.stdio is off.*\/process\/tools/);
    assert.doesNotMatch(body.detail, /--/);
  });
});

describe('a list of tools', () => {
  it('has a hash of what was judged, the same in whatever order and through whatever door', async () => {
    const other = { name: 'sub', description: 'Subtracts.', inputSchema: { type: 'object' } };
    server.tools = [adder, other];
    const { content_hash: hash } = await scanned();
    assert.match(hash, /^[0-9a-f]{64}$/);
    server.tools = [other, adder];
    assert.equal((await scanned()).content_hash, hash);
    const tools = [adder, other].map(({ name, description, inputSchema }) => ({
      tool_name: name,
      tool_description: description,
      input_schema: inputSchema,
    }));
    const { body } = await call('POST', '/process/tools', { as, body: { server_name: 'it', tools } });
    assert.equal((await until(body.scan_id)).content_hash, hash);
    server.tools = [adder];
    assert.notEqual((await scanned()).content_hash, hash);
  });

  it('in which tools form a flow says so of each, and flags none of them for it', async () => {
    server.tools = [
      { name: 'fetch_page', description: 'Fetches a web page and returns its text.' },
      { name: 'delete_files', description: 'Deletes files of the user.' },
      adder,
    ];
    const scan = await scanned();
    const told = scan.result_data.textguard_results.map(
      ({
        tool_name: name,
        result,
      }: {
        tool_name: string;
        result: { flagged: boolean; categories: string[] };
      }) => [name, result.flagged, result.categories],
    );
    assert.deepEqual(told, [
      ['fetch_page', false, ['Destructive Toxic Flow']],
      ['delete_files', false, ['Destructive Toxic Flow']],
      ['add', false, []],
    ]);
    const { category_scores: scores, explanation } = scan.result_data.textguard_results[1].result;
    assert.ok(scores['Destructive Toxic Flow'] >= 0.7);
    assert.match(
      explanation['Destructive Toxic Flow'],
      /^This tool changes or destroys\. .*fetch_page reads what strangers wrote/,
    );
    assert.equal(scan.prompt_injection_flagged_count, 0);
    server.tools = [
      { name: 'fetch_page', description: 'Fetches a web page and returns its text.' },
      { name: 'read_inbox', description: 'Reads e-mails of the inbox.' },
      { name: 'send_email', description: 'Sends an e-mail message.' },
    ];
    for (const { result } of (await scanned()).result_data.textguard_results)
      assert.ok(result.categories.includes('Data Leak Toxic Flow'), JSON.stringify(result));
  });

  it('with a name twice counts both', async () => {
    server.tools = [adder, { ...adder, description: 'Adds three numbers.' }];
    const scan = await scanned();
    assert.equal(scan.prompt_injection_total_count, 2);
    assert.equal(scan.result_data.textguard_results.length, 2);
  });

  it('that changes is told once a tool: W003 a description, W022 what else is in its definition', async () => {
    const titled = (title: string, description: string) => ({ ...adder, title, description });
    server.tools = [titled('Adder', 'Adds.'), { ...titled('Other', 'Adds more.'), name: 'other' }];
    const first = await scanned();
    server.tools = [titled('Sum', 'Adds numbers.'), { ...titled('Others', 'Adds more.'), name: 'other' }];
    const { body } = await rescan(first.id);
    const scan = await until(body.scan_id);
    assert.deepEqual([scan.parent_scan_id, scan.parent_scan_name], [first.id, 'MCP:it']);
    const told = scan.result_data.vulnerabilities.map(({ rule_id: rule, tool_name: tool, message }: Told) => [
      rule,
      tool,
      /\((.*?)\)/.exec(message)?.[1],
    ]);
    assert.deepEqual(told.toSorted(), [
      ['W003', 'add', 'description'],
      ['W022', 'add', 'title'],
      ['W022', 'other', 'title'],
    ]);
  });
});

describe('a scan', () => {
  it('with a token follows the one that waits, of the same address under another name too', async () => {
    server.token = 'the-right-token';
    const byAddress = await scanned('one');
    assert.equal(byAddress.status, 'needs_auth');
    const { body } = await call('POST', '/process/mcp_config_with_auth', {
      as,
      headers: { 'x-mcp-auth-token': 'the-right-token' },
      body: { server_name: 'another', server_config: { url: server.url } },
    });
    const scan = await until(body.scan_id);
    assert.deepEqual([scan.status, scan.parent_scan_id], ['completed', byAddress.id]);
  });

  it('is followed by events that differ, and has all its progress behind it when it has ended', async () => {
    const id = await start();
    const { body } = await call('GET', `/scan/${id}/events`, { as });
    const events = [...String(body).matchAll(/^data: (.*)$/gm)].map(([, data = '']) => data);
    assert.equal(new Set(events).size, events.length, events.join('\n'));
    const last = JSON.parse(events.at(-1) ?? '{}') as Record<string, unknown>;
    assert.deepEqual(
      [last['id'], last['kind'], last['status'], last['progress']],
      [id, 'mcp_scan', 'completed', { done: 1, total: 1, step: null }],
    );
    const scan = await until(id);
    assert.deepEqual(scan.progress, last['progress']);
    assert.deepEqual([scan.kind, scan.created_at], ['mcp_scan', scan.upload_time]);
    for (const field of ['created_at', 'started_at', 'finished_at']) assert.equal(last[field], scan[field]);
    assert.ok(scan.upload_time <= scan.started_at && scan.started_at <= scan.finished_at);
  });

  it('whose id is no id that can be is told so in one sentence', async () => {
    for (const id of ['99999999999999999999', '-99999999999999999999', '1.5']) {
      const { status, body } = await call('GET', `/scan/${id}`, { as });
      assert.equal(status, 422);
      assert.match(body.detail, /^'scan_id' must be [^;]*\.$/, body.detail);
    }
  });
});
