import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startInstanceSimulator } from '../fixtures/instance-simulator.ts';
import { openTestService } from '../fixtures/service.ts';

const [service, instance] = await Promise.all([openTestService(), startInstanceSimulator()]);
after(async () => {
  await service[Symbol.asyncDispose]();
  await instance[Symbol.asyncDispose]();
});
const { call, tokens, db } = service;
const as = tokens.admin;
const config = '/api/v1/shadow-ai/saas-config';
const inventory = '/api/v1/shadow-ai/saas-inventory';
const body = { host: `https://${instance.host}/`, user: 'auditor', password: 'table-secret' };

test('the configuration is kept without its password in the clear', async () => {
  assert.equal((await call('GET', config, { as })).body.host, null);
  assert.equal((await call('GET', inventory, { as })).status, 409);
  const { body: put } = await call('PUT', config, { as, body });
  assert.deepEqual(
    [put.host, put.user, put.has_password, put.platform],
    [instance.host, 'auditor', true, 'saas-a'],
  );
  assert.deepEqual((await call('GET', config, { as })).body, put);
  const rows = await db.query('select * from shadow_ai.saas_configs');
  assert.ok(!JSON.stringify(rows).includes('table-secret') && !JSON.stringify(put).includes('table-secret'));
  const status = async (sent: object, who = as) =>
    (await call('PUT', config, { as: who, body: sent })).status;
  assert.equal(await status({ ...body, password: undefined }), 400);
  assert.equal(await status({ ...body, host: 'a.example/path' }), 422);
  assert.equal(await status({ ...body, host: 'user@a.example' }), 422);
  assert.equal(await status({ ...body, host: '10.0.0.8' }), 422);
  assert.equal(await status({ ...body, platform: 'other' }), 422);
  assert.equal(await status(body, tokens.member), 403);
});

test('a scan reads all pages, and says what it could not read', async () => {
  instance.tables['sn_aia_agent'] = [1, 2, 3].map((n) => ({
    sys_id: `a${n}`,
    name: `Agent ${n}`,
    active: 'true',
    instructions: 'secret plan',
    sys_created_by: 'ana',
    sys_scope: { link: 'x', value: 'scope1' },
  }));
  instance.tables['sys_rest_message'] = [
    { sys_id: 'r1', name: 'Chat', rest_endpoint: 'https://api.openai.com/v1/chat?key=abc' },
    { sys_id: 'r2', name: 'Weather', rest_endpoint: 'https://weather.example/v1' },
  ];
  instance.tables['sn_mcp_server_registry'] = 'forbidden';
  const { status, body: found } = await call('GET', `${inventory}?platform=saas-a`, { as: tokens.member });
  assert.equal(status, 200);
  const of = (type: string) =>
    found.findings.filter((each: { resource_type: string }) => each.resource_type === type);
  assert.deepEqual(
    of('ai_agent').map((each: Record<string, string>) => [
      each['resource_id'],
      each['resource_name'],
      each['scope'],
      each['created_by'],
    ]),
    [1, 2, 3].map((n) => [`a${n}`, `Agent ${n}`, 'scope1', 'ana']),
  );
  assert.deepEqual(
    of('external_ai_integration').map((each: { details: Record<string, string> }) => [
      each.details['provider_id'],
      each.details['rest_endpoint'],
    ]),
    [['ai-connect-openai', 'https://api.openai.com']],
  );
  assert.ok(!JSON.stringify(found).includes('secret plan'));
  assert.match(
    of('coverage').find((each: { resource_id: string }) => each.resource_id === 'sn_mcp_server_registry')
      .details.reason,
    /no right/,
  );
  assert.equal(found.count, found.findings.length);
  await call('PUT', config, { as, body: { ...body, password: 'wrong' } });
  const refused = await call('GET', inventory, { as });
  assert.equal(refused.status, 502);
  assert.ok(!refused.body.detail.includes('wrong'));
});
