import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openTestService } from '../../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens } = service;

interface Row {
  server_name: string;
  tool: string | null;
  verdicts: { allowed: boolean; rule: number | null }[];
}

test('the preview lists who could call each tool, by saved or proposed rules, without changing anything', async () => {
  const { body: server } = await call('POST', '/api/mcp-servers', {
    as: tokens.admin,
    body: {
      name: 'Everything',
      transport: 'stdio',
      command: process.execPath,
      args: [fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'))],
    },
  });
  await call('POST', `/api/mcp-servers/${server.id}/discover/tools`, { as: tokens.admin });
  const { body: gateway } = await call('POST', '/api/gateways', {
    as: tokens.admin,
    body: {
      visibility: 'tenant',
      name: 'Mine',
      access_control: {
        default: 'deny',
        rules: [
          { principals: ['admin'], effect: 'allow' },
          { tools: ['*env*'], effect: 'deny' },
        ],
      },
    },
  });
  await call('POST', `/api/gateways/${gateway.id}/mcp-servers/${server.id}`, { as: tokens.admin, body: {} });
  const path = `/api/gateways/${gateway.id}/access-preview`;
  const principals = [{ roles: ['admin'] }, { user_id: 'somebody', roles: ['member'] }];
  const { status, body } = await call('POST', path, { as: tokens.admin, body: { principals } });
  assert.equal(status, 200, JSON.stringify(body));
  const rows = body.rows as Row[];
  const of = (end: string) => rows.find(({ tool }) => tool?.endsWith(end))?.verdicts;
  assert.deepEqual(of('__echo'), [
    { allowed: true, rule: 0 },
    { allowed: false, rule: null },
  ]);
  assert.deepEqual(of('env'), [
    { allowed: false, rule: 1 },
    { allowed: false, rule: 1 },
  ]);
  assert.deepEqual(rows.at(-1), {
    server_id: server.id,
    server_name: 'Everything',
    tool: null,
    verdicts: [
      { allowed: true, rule: 0 },
      { allowed: false, rule: null },
    ],
  });
  const others = {
    default: 'allow',
    rules: [{ principals: ['somebody'], servers: ['Every*'], effect: 'deny' }],
  };
  const tried = await call('POST', path, { as: tokens.admin, body: { principals, access_control: others } });
  assert.ok(
    (tried.body.rows as Row[]).every(({ verdicts: [admin, other] }) => admin?.allowed && !other?.allowed),
  );
  const kept = await call('GET', `/api/gateways/${gateway.id}`, { as: tokens.admin });
  assert.equal(kept.body.access_control.default, 'deny');

  const asked = async (as: string) => (await call('POST', path, { as, body: { principals } })).status;
  assert.equal(await asked(tokens.member), 403, 'another member of the tenant');
  assert.equal(await asked(tokens.stranger), 404, 'another tenant');
  assert.equal((await call('POST', path, { as: tokens.admin, body: { principals: [] } })).status, 422);
});
