import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestService } from '../../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, db, tokens } = service;
const as = tokens.admin;

const stdio = (name: string) => ({ name, transport: 'stdio', command: 'true', env: { TOKEN: 'a secret' } });

/** As if it had been encrypted with a lost key. */
const spoil = (serverId: string, column: 'env' | 'oauth_client') =>
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
