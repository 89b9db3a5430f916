import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newUuid } from '#base/ids.ts';
import { sharersOf, type Who } from '../../../../../test/fixtures/sharing.ts';
import { insertCalls } from '../../audit/store.ts';
import type { CallEntry } from '../../audit/entry.ts';
import { openTestService } from '../../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, db, tokens } = service;
const who = await sharersOf(call, tokens);

const entryCount = 25;
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, second));
const made: Record<'owner' | 'administrator' | 'stranger', CallEntry[]> = {
  owner: [],
  administrator: [],
  stranger: [],
};

before(async () => {
  for (const as of ['owner', 'administrator', 'stranger'] as const) {
    const { body: gateway } = await call('POST', '/api/gateways', {
      as: who[as],
      body: { name: `Gateway of ${as}` },
    });
    const [row] = await db.query<{ tenantId: string; ownerId: string }>(
      'select tenant_id as "tenantId", owner_id as "ownerId" from agent_gateway.gateways where gateway_id = $1',
      [gateway.id],
    );
    assert.ok(row !== undefined);
    made[as] = Array.from({ length: entryCount }, (_, i) => ({
      callId: newUuid(),
      tenantId: row.tenantId,
      gatewayId: gateway.id,
      // Several share a moment, so that pages have to part them by their ids.
      at: at(Math.floor(i / 3)),
      method: 'tools/call',
      toolName: i % 5 === 0 ? 'send_mail' : 'read_file',
      serverId: null,
      userId: row.ownerId,
      principal: as,
      sessionId: `session ${i % 2}`,
      arguments: null,
      allowed: i % 4 !== 0,
      outcome: i % 4 === 0 ? 'blocked' : 'ok',
      reason: '',
      ruleIds: [],
      latencyMs: 1,
      guardLatencyMs: 1,
      traceId: null,
      redactions: null,
    }));
    await insertCalls(db, made[as]);
  }
});

const list = async (as: Who, query = '') => {
  const { status, body } = await call('GET', `/api/calls${query}`, { as: who[as] });
  assert.equal(status, 200, JSON.stringify(body));
  return body.calls as { id: string; gateway_name: string; timestamp: string; allowed: boolean }[];
};

const idsOf = (entries: readonly CallEntry[]) => entries.map(({ callId }) => callId).toSorted();

test('an owner sees the calls of their gateways, an administrator those of the tenant, nobody those of another', async () => {
  const seen = async (as: Who) => (await list(as, '?limit=1000')).map(({ id }) => id).toSorted();
  assert.deepEqual(await seen('owner'), idsOf(made.owner));
  assert.deepEqual(await seen('colleague'), []);
  assert.deepEqual(await seen('administrator'), idsOf([...made.owner, ...made.administrator]));
  assert.deepEqual(await seen('stranger'), idsOf(made.stranger));
  const [newest] = await list('owner', '?limit=1');
  assert.equal(newest?.gateway_name, 'Gateway of owner');
});

test('one call is found by those who may see it, and by nobody else', async () => {
  const id = made.owner[0]?.callId ?? '';
  const status = async (as: Who) => (await call('GET', `/api/calls/${id}`, { as: who[as] })).status;
  assert.deepEqual(
    [
      await status('owner'),
      await status('administrator'),
      await status('colleague'),
      await status('stranger'),
    ],
    [200, 200, 404, 404],
  );
  assert.equal((await call('GET', '/api/calls/nonsense', { as: who.owner })).status, 404);
});

test('pages follow each other without gaps or repetitions, newest first', async () => {
  const all = await list('administrator', '?limit=1000');
  const walked: string[] = [];
  for (let before = ''; ;) {
    const page = await list('administrator', `?limit=7${before}`);
    walked.push(...page.map(({ id }) => id));
    const last = page.at(-1);
    if (last === undefined) break;
    before = `&before=${last.id}`;
  }
  assert.deepEqual(
    walked,
    all.map(({ id }) => id),
  );
  const times = all.map(({ timestamp }) => timestamp);
  assert.deepEqual(times, times.toSorted().reverse());
});

test('filters by time, verdict, tool, gateway and session; another’s call is no place to start from', async () => {
  const [first] = made.owner;
  assert.ok(first !== undefined);
  const count = async (query: string) => (await list('owner', `?limit=1000&${query}`)).length;
  assert.equal(await count('allowed=false'), made.owner.filter(({ allowed }) => !allowed).length);
  assert.equal(await count('outcome=blocked'), made.owner.filter(({ allowed }) => !allowed).length);
  assert.equal(await count('tool_name=send_mail'), 5);
  assert.equal(await count(`gateway_id=${first.gatewayId}`), entryCount);
  const others = await call('GET', `/api/calls?gateway_id=${made.administrator[0]?.gatewayId}`, {
    as: who.owner,
  });
  assert.equal(others.status, 404);
  assert.equal(await count('start=2026-01-01&end=2026-01-01'), entryCount);
  assert.equal(await count('session_id=session%201'), 12);
  assert.equal(await count(`start=${at(1).toISOString()}&end=${at(3).toISOString()}`), 6);
  const stolen = await call('GET', `/api/calls?before=${made.stranger[0]?.callId}`, { as: who.owner });
  assert.equal(stolen.status, 404);
});

test('the calls of one gateway are filtered by verdict, tool, server, session and time, and paged to their end', async () => {
  const { body: gateway } = await call('POST', '/api/gateways', {
    as: who.owner,
    body: { name: 'Long log' },
  });
  const [template] = made.owner;
  assert.ok(template !== undefined);
  const count = 1200;
  const entries = Array.from({ length: count }, (_, i) => ({
    ...template,
    callId: newUuid(),
    gatewayId: gateway.id as string,
    at: at(Math.floor(i / 50)),
    toolName: `tool ${i % 3}`,
    serverId: `mcp_${i % 2}`,
    sessionId: `session ${i % 4}`,
    allowed: i % 10 !== 0,
    outcome: i % 10 === 0 ? ('blocked' as const) : ('ok' as const),
  }));
  await insertCalls(db, entries);
  const page = async (query: string) => {
    const answer = await call('GET', `/api/gateways/${gateway.id}/calls?${query}`, { as: who.owner });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body as { calls: { id: string; tool_name: string; server_id: string }[]; total: number };
  };
  const byOffset: string[] = [];
  for (let offset = 0; offset < count; offset += 500)
    byOffset.push(...(await page(`limit=500&offset=${offset}`)).calls.map(({ id }) => id));
  const byCursor: string[] = [];
  for (let before = ''; ;) {
    const { calls, total } = await page(`limit=400${before}`);
    assert.equal(total, count);
    if (calls.length === 0) break;
    byCursor.push(...calls.map(({ id }) => id));
    before = `&before=${byCursor.at(-1)}`;
  }
  assert.deepEqual(byOffset.toSorted(), idsOf(entries));
  assert.deepEqual(byCursor, byOffset);
  const matching = (wanted: (entry: (typeof entries)[number]) => boolean) => entries.filter(wanted).length;
  for (const [query, wanted] of [
    ['allowed=false', ({ allowed }) => !allowed],
    ['outcome=blocked', ({ outcome }) => outcome === 'blocked'],
    ['tool_name=tool%201', ({ toolName }) => toolName === 'tool 1'],
    ['server_id=mcp_1', ({ serverId }) => serverId === 'mcp_1'],
    ['session_id=session%202', ({ sessionId }) => sessionId === 'session 2'],
    [
      `start=${at(3).toISOString()}&end=${at(7).toISOString()}&server_id=mcp_0`,
      (entry) => entry.at >= at(3) && entry.at < at(7) && entry.serverId === 'mcp_0',
    ],
  ] as const satisfies readonly (readonly [string, (entry: (typeof entries)[number]) => boolean])[]) {
    const { calls, total } = await page(`${query}&limit=1000`);
    assert.equal(total, matching(wanted), query);
    assert.equal(calls.length, total, query);
  }
});

test('calls are filtered by who made them: a user, and one key of a user', async () => {
  const [template] = made.owner;
  assert.ok(template !== undefined);
  const { body: gateway } = await call('POST', '/api/gateways', { as: who.owner, body: { name: 'Callers' } });
  const [dana, eve] = [newUuid(), newUuid()];
  const callers = [
    [dana, 'dana'],
    [dana, 'dana (key key_1)'],
    [eve, 'dana2'],
    [eve, 'eve (client dana)'],
  ] as const;
  await insertCalls(
    db,
    callers.map(([userId, principal]) => ({
      ...template,
      callId: newUuid(),
      gatewayId: gateway.id as string,
      userId,
      principal,
    })),
  );
  const seen = async (query: string) => {
    const { body } = await call('GET', `/api/calls?gateway_id=${gateway.id}&${query}`, { as: who.owner });
    return body.calls.map((one: { principal: string }) => one.principal).toSorted();
  };
  assert.deepEqual(await seen(`user_id=${dana}`), ['dana', 'dana (key key_1)']);
  assert.deepEqual(await seen('principal=dana'), ['dana', 'dana (key key_1)']);
  assert.deepEqual(await seen(`principal=${encodeURIComponent('dana (key key_1)')}`), ['dana (key key_1)']);
  const wrong = await call('GET', '/api/calls?user_id=dana', { as: who.owner });
  assert.deepEqual([wrong.status, /user_id/.test(wrong.body.detail)], [422, true]);
});

test('the log is exported whole as CSV and as lines of JSON, by those who may read it', async () => {
  const [template] = made.owner;
  assert.ok(template !== undefined);
  const { body: gateway } = await call('POST', '/api/gateways', { as: who.owner, body: { name: 'Export' } });
  const entries = Array.from({ length: 1100 }, (_, i) => ({
    ...template,
    callId: newUuid(),
    gatewayId: gateway.id as string,
    at: at(Math.floor(i / 100)),
    toolName: i === 0 ? '=cmd()' : 'read',
    reason: 'a "reason", of\ntwo lines',
  }));
  await insertCalls(db, entries);
  const get = (form: string, as: Who, query = '') =>
    call('GET', `/api/calls/export/${form}?gateway_id=${gateway.id}${query}`, { as: who[as] });
  const { body: lines } = await get('jsonl', 'owner');
  const parsed = String(lines)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; gateway_name: string });
  assert.deepEqual(parsed.map(({ id }) => id).toSorted(), idsOf(entries));
  assert.equal(parsed[0]?.gateway_name, 'Export');
  const { body: csv, headers } = await get('csv', 'administrator');
  assert.match(String(headers.get('content-type')), /text\/csv/);
  assert.match(csv, /^id,timestamp,gateway_id,/);
  assert.equal(String(csv).trimEnd().split('\r\n').length, entries.length + 1);
  assert.match(csv, /,'=cmd\(\),.*"a ""reason"", of\ntwo lines"/);
  const { body: one } = await get('jsonl', 'owner', `&tool_name=${encodeURIComponent('=cmd()')}`);
  assert.equal(String(one).trimEnd().split('\n').length, 1);
  assert.equal((await get('csv', 'colleague')).status, 404);
  assert.equal((await get('csv', 'stranger')).status, 404);
});

test('calls of a deleted gateway stay readable for administrators', async () => {
  const [template] = made.owner;
  assert.ok(template !== undefined);
  const { body: gateway } = await call('POST', '/api/gateways', { as: who.owner, body: { name: 'Gone' } });
  await insertCalls(db, [{ ...template, callId: newUuid(), gatewayId: gateway.id as string }]);
  assert.equal((await call('DELETE', `/api/gateways/${gateway.id}`, { as: who.owner })).status, 200);
  for (const path of [
    `/api/gateways/${gateway.id}/calls`,
    `/api/calls?gateway_id=${gateway.id}`,
    `/api/calls/export/jsonl?gateway_id=${gateway.id}`,
  ]) {
    const { status, body } = await call('GET', path, { as: who.administrator });
    assert.equal(status, 200, path);
    assert.ok(JSON.stringify(body).includes(gateway.id), path);
    for (const as of ['owner', 'colleague', 'stranger'] as const)
      assert.equal((await call('GET', path, { as: who[as] })).status, 404, `${path} as ${as}`);
  }
  const never = await call('GET', '/api/calls?gateway_id=gw_never', { as: who.administrator });
  assert.equal(never.status, 404);
});
