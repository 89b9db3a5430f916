/** Calls and reads that go to a server directly, for testing it. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startChangeable } from '../../../../../test/fixtures/mcp-servers/changeable.ts';
import { openTestService } from '../../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, key } = service;

test('a tool that a server does not have is 404, arguments that it refuses are 422, both name the field', async () => {
  using upstream = await startChangeable('strict', { read: 'Reads.' });
  const body = { name: 'Strict', transport: 'http', connection_url: upstream.url };
  const { id } = (await call('POST', '/api/mcp-servers', { key, body })).body;
  const ask = (name: string, args: object = {}) =>
    call('POST', `/api/mcp-servers/${id}/tools/call`, { key, body: { name, arguments: args } });
  assert.equal((await ask('read')).status, 200);
  const unknown = await ask('nothing');
  assert.equal(unknown.status, 404);
  assert.match(unknown.body.detail, /^'name': the server has no tool nothing\./);
  const refused = await ask('read', { wrong: true });
  assert.equal(refused.status, 422);
  assert.match(refused.body.detail, /^'arguments': the tool read does not take them\. .*-32602/);
});
