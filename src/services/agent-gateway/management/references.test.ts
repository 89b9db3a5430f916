/** An object named in a request must exist and be accessible to the caller: otherwise 404, on create and on update. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens } = service;

async function own(as: string) {
  const gateway = await call('POST', '/api/gateways', { as, body: { name: 'Own' } });
  const body = { name: 'Own', transport: 'http', connection_url: 'http://127.0.0.1:9/mcp' };
  const server = await call('POST', '/api/mcp-servers', { as, body });
  assert.equal(server.status, 201, JSON.stringify(server.body));
  return { gateway: String(gateway.body.id), server: String(server.body.id) };
}
const mine = await own(tokens.admin);
const theirs = await own(tokens.stranger);
const theirSet = await service.policySet('Do not run shell commands');

type Reference = [method: 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, body?: object, status?: number];
/** Each operation that names another object by its id, with that object. */
const references = ({ gateway, server }: typeof mine): Reference[] => [
  ['POST', `/api/gateways/${mine.gateway}/mcp-servers/${server}`, {}],
  ['POST', `/api/gateways/${gateway}/mcp-servers/${mine.server}`, {}],
  ['DELETE', `/api/gateways/${mine.gateway}/mcp-servers/${server}`],
  ['PATCH', `/api/gateways/${gateway}`, { name: 'x' }],
  ['POST', `/api/mcp-servers/${server}/discover/tools`, {}],
  [
    'POST',
    `/api/gateways/${mine.gateway}/tool-pins/approve`,
    { server_id: server, tool_name: 'x', changed_hash: 'x' },
    // No server has such a pending change, whoever owns it.
    409,
  ],
];

for (const [whose, things] of Object.entries({
  unknown: { gateway: 'gw_none', server: 'mcp_none' },
  'of another tenant': theirs,
}))
  test(`ids that are ${whose} are refused with the same response`, async () => {
    for (const [method, path, body, status = 404] of references(things)) {
      const answer = await call(method, path, { as: tokens.admin, ...(body && { body }) });
      assert.equal(answer.status, status, `${method} ${path} ${JSON.stringify(answer.body)}`);
    }
    const attached = await call('GET', `/api/gateways/${mine.gateway}/mcp-servers`, { as: tokens.admin });
    assert.deepEqual(
      attached.body.items ?? attached.body.mcp_servers ?? attached.body,
      [],
      'nothing changed',
    );
  });

test('a policy set of another tenant is refused on create and on update', async () => {
  const body = { name: 'x', action_guard_policy_id: theirSet };
  assert.equal((await call('POST', '/api/gateways', { as: tokens.stranger, body })).status, 404);
  const path = `/api/gateways/${theirs.gateway}`;
  assert.equal((await call('PATCH', path, { as: tokens.stranger, body })).status, 404);
});
