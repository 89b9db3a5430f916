import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { deviceRows } from '../fixtures/rows.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens, clock } = service;
const as = tokens.admin;
const path = '/api/v1/shadow-ai';

const listTools = async (query = '', who = as) =>
  (await call('GET', `${path}/tools${query}`, { as: who })).body;

test('tools are told with devices, people, days, and whether they are allowed', async () => {
  const rows = ['one', 'two'].flatMap((name, i) => {
    const device = deviceRows(name, clock.now() - 3_600_000);
    const user = i === 0 ? 'ana' : 'ben';
    return [
      device.start(0, { uid: 'c', image: '/usr/bin/claude', cmd: 'claude', user }),
      ...(i === 0 ? [device.start(4, { uid: 'a', image: '/usr/bin/aider', cmd: 'aider', user })] : []),
    ];
  });
  await call('POST', `${path}/telemetry`, { as, body: rows });
  const { tools } = await listTools();
  assert.deepEqual(
    tools.map((tool: Record<string, unknown>) => [
      tool['agent_framework'],
      tool['detections'],
      tool['devices'],
      tool['people'],
      tool['sanctioned'],
      (tool['trend'] as number[]).reduce((sum, each) => sum + each, 0),
    ]),
    [
      ['claude-code', 2, 2, 2, false, 2],
      ['aider', 1, 1, 1, false, 1],
    ],
  );
  assert.equal((await listTools('?start_date=2020-01-01&end_date=2020-03-31')).tools.length, 0);
  assert.equal((await listTools('', tokens.stranger)).tools.length, 0);
  await call('PATCH', '/api/v1/rules/aider', { as, body: { enabled: false } });
  assert.equal((await listTools()).tools.length, 1);
});

test('a detection becomes an allowed tool, until it ends', async () => {
  const { body } = await call('GET', `${path}/events`, { as });
  const { id } = body.events[0];
  const allow = (sent: object, who = as, at = id) =>
    call('POST', `${path}/events/${at}/allow`, { as: who, body: sent });
  const ends = new Date(clock.now() + 60_000).toISOString();
  const sent = { owner: 'platform team', reason: 'the pilot of the autumn', ends_at: ends };
  const allowed = await allow(sent);
  assert.deepEqual(
    [
      allowed.status,
      allowed.body.agent_framework,
      allowed.body.owner,
      allowed.body.ends_at,
      allowed.body.is_over,
    ],
    [200, 'claude-code', 'platform team', ends, false],
  );
  assert.equal((await listTools()).tools[0].sanctioned, true);
  assert.equal(
    (await call('GET', `${path}/allowed-tools`, { as: tokens.member })).body.allowed_tools.length,
    1,
  );
  assert.equal(
    (await call('GET', `${path}/allowed-tools`, { as: tokens.stranger })).body.allowed_tools.length,
    0,
  );
  assert.equal((await allow({ ...sent, ends_at: '2020-01-01T00:00:00Z' })).status, 422);
  assert.equal((await allow({ ...sent, reason: ' ' })).status, 422);
  assert.equal((await allow({ owner: 'x' })).status, 400);
  assert.equal((await allow(sent, tokens.member)).status, 403);
  assert.equal((await allow(sent, tokens.stranger)).status, 404);
  const put = (rule: string, who = as) =>
    call('PUT', `${path}/allowed-tools/${rule}`, { as: who, body: { owner: 'x', reason: 'y' } });
  assert.deepEqual(
    [
      (await put('nothing')).status,
      (await put('cursor', tokens.member)).status,
      (await put('cursor')).body.ends_at,
    ],
    [404, 403, null],
  );
  clock.advance(120_000);
  const [claude] = (await listTools()).tools;
  assert.deepEqual([claude.sanctioned, claude.allowed.is_over], [false, true]);
  const remove = async (rule: string, who = as) =>
    (await call('DELETE', `${path}/allowed-tools/${rule}`, { as: who })).status;
  assert.deepEqual(
    [await remove('cursor', tokens.member), await remove('cursor'), await remove('cursor')],
    [403, 200, 404],
  );
});
