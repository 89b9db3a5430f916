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
  assert.equal(await count(`gateway_id=${made.administrator[0]?.gatewayId}`), 0);
  assert.equal(await count('session_id=session%201'), 12);
  assert.equal(await count(`start=${at(1).toISOString()}&end=${at(3).toISOString()}`), 6);
  const stolen = await call('GET', `/api/calls?before=${made.stranger[0]?.callId}`, { as: who.owner });
  assert.equal(stolen.status, 404);
});
