import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestService } from '../../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, db, tokens } = service;
const as = tokens.admin;

const stdio = (name: string) => ({ name, transport: 'stdio', command: 'true', env: { TOKEN: 'a secret' } });

/** As if it had been encrypted with a lost key. */
const spoil = (serverId: string, column: 'env' | 'oauth_client' | 'sealed_args') =>
  db.query(`update agent_gateway.mcp_servers set ${column} = '\\x01ff'::bytea where server_id = $1`, [
    serverId,
  ]);

test('an undecryptable secret affects only its own server, which reports it until it is set again', async () => {
  const whole = (await call('POST', '/api/mcp-servers', { as, body: stdio('Whole') })).body;
  const lost = (await call('POST', '/api/mcp-servers', { as, body: stdio('Lost') })).body;
  await spoil(lost.id, 'env');
  const { status, body } = await call('GET', '/api/mcp-servers', { as });
  assert.equal(status, 200);
  const shown = new Map(body.items.map((each: { id: string }) => [each.id, each]));
  assert.partialDeepStrictEqual(shown.get(lost.id), { env: {}, lost_secrets: ['env'] });
  assert.deepEqual(shown.get(whole.id), { ...whole });

  const unreachable = await call('POST', `/api/mcp-servers/${lost.id}/discover/tools`, { as, body: {} });
  assert.equal(unreachable.status, 502);
  assert.match(unreachable.body.detail, /'env' of the server Lost/);
  const change = (fields: object) => call('PUT', `/api/mcp-servers/${lost.id}`, { as, body: fields });
  const renamed = await change({ name: 'Lost still' });
  assert.deepEqual([renamed.status, renamed.body.lost_secrets], [200, ['env']]);
  const kept = await change({ env: { TOKEN: '********' } });
  assert.equal(kept.status, 422, 'hidden fields are left out');
  const anew = await change({ env: { TOKEN: 'another' } });
  assert.deepEqual(
    [anew.status, anew.body.lost_secrets, Object.keys(anew.body.env)],
    [200, undefined, ['TOKEN']],
  );
  const { body: after_ } = await call('GET', `/api/mcp-servers/${lost.id}`, { as });
  assert.equal(after_.lost_secrets, undefined);
});

test('secrets among arguments are encrypted, masked in every answer, and kept when they are sent back', async () => {
  const args = ['run', '-e', 'API_KEY=hunter2hunter2', '--token', 'abc123', 'image', '--verbose'];
  const masked = ['run', '-e', 'API_KEY=********', '--token', '********', 'image', '--verbose'];
  const body = { name: 'Docker', transport: 'stdio', command: 'docker', args };
  const { body: made } = await call('POST', '/api/mcp-servers', { as, body });
  assert.deepEqual(made.args, masked);
  const stored = async () => {
    const [row] = await db.query<{ args: string[]; text: string }>(
      'select args, m::text as text from agent_gateway.mcp_servers m where server_id = $1',
      [made.id],
    );
    assert.ok(row);
    assert.doesNotMatch(row.text, /hunter2|abc123/);
    return row.args;
  };
  assert.deepEqual(await stored(), masked);

  const change = (fields: object) => call('PUT', `/api/mcp-servers/${made.id}`, { as, body: fields });
  const kept = await change({ args: masked.slice(0, -1) });
  assert.deepEqual([kept.status, kept.body.args], [200, masked.slice(0, -1)]);
  const unknown = await change({ args: ['-e', 'OTHER_KEY=********'] });
  assert.equal(unknown.status, 422);
  assert.match(unknown.body.detail, /^'args\.1' has the redacted placeholder/);
  const atFirst = await call('POST', '/api/mcp-servers', { as, body: { ...body, args: masked } });
  assert.match(atFirst.body.detail, /^'args\.2'/, 'nothing is stored for a new server');

  await spoil(made.id, 'sealed_args');
  const renamed = await change({ name: 'Docker still' });
  assert.deepEqual([renamed.body.lost_secrets, renamed.body.args], [['args'], kept.body.args]);
  const anew = await change({ args });
  assert.deepEqual([anew.body.lost_secrets, anew.body.args, await stored()], [undefined, masked, masked]);
});

test('the process gets its arguments whole', async () => {
  const program = import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js');
  const script = `if (process.argv[1] === '--api-key=opensesame-42') import(${JSON.stringify(program)}); else process.exit(3)`;
  const args = ['-e', script, '--', '--api-key=opensesame-42'];
  const body = { name: 'With a key', transport: 'stdio', command: process.execPath, args };
  const { body: made } = await call('POST', '/api/mcp-servers', { as, body });
  assert.equal(made.args.at(-1), '--api-key=********');
  const found = await call('POST', `/api/mcp-servers/${made.id}/discover/tools`, { as, body: {} });
  assert.equal(found.status, 200);
  const wrong = [...made.args.slice(0, -1), '--api-key=another'];
  await call('PUT', `/api/mcp-servers/${made.id}`, { as, body: { args: wrong } });
  const refused = await call('POST', `/api/mcp-servers/${made.id}/discover/tools`, { as, body: {} });
  assert.equal(refused.status, 502, 'the program looks at its key');
});
