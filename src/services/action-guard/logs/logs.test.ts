import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { newUuid } from '#base/ids.ts';
import { openTestService } from '../fixtures/service.ts';
import { insertLogs } from './store.ts';

const service = await openTestService({ env: { BULWARK_ACTION_GUARD_LOG_PARAMS_BYTES: '1000' } });
after(() => service[Symbol.asyncDispose]());
const { call, tokens, clock, judge } = service;

const rules = { no_deletions: { description: 'Never delete files.', severity: 'High' } };
const { body: policy } = await call('POST', '/api/v1/policies/policy', {
  as: tokens.admin,
  body: { name: 'House', category: 'House', rules },
});
const { body: set } = await call('POST', '/api/v1/policies/sets', {
  as: tokens.admin,
  body: { name: 'House', policy_ids: [policy.policy_id] },
});

interface Made {
  who: 'admin' | 'member';
  sessionId: string;
  gatewayId: string;
  blocked: boolean;
  atMs: number;
}
const made: Made[] = [];
const steps = [0, 1, 59_000, 61_000, 1_800_000, 3_600_000, 40_000_000, 86_400_000, 7, 200_000_000];

// Several days of calls by two users, in overlapping sessions and through gateways; oldest first.
clock.advance(-500_000_000);
const startMs = clock.now();
for (let i = 0; i < 60; i += 1) {
  clock.advance(Math.floor((steps[(i * 7) % steps.length] ?? 0) / 6));
  const entry: Made = {
    who: i % 3 === 0 ? 'member' : 'admin',
    sessionId: `s${(i * 5) % 8}`,
    gatewayId: ['', 'gw_a', 'gw_b'][(i % 5) % 3] ?? '',
    blocked: i % 4 === 0,
    atMs: 0,
  };
  const { body } = await judge(
    {
      policyId: set.policy_id,
      tool: entry.blocked ? 'delete_file' : 'read_file',
      params: { path: `file ${i}` },
      sessionId: entry.sessionId,
      ...(entry.gatewayId && { gatewayId: entry.gatewayId }),
    },
    tokens[entry.who],
  );
  assert.equal(body.allowed, !entry.blocked);
  made.push({ ...entry, atMs: Date.parse(body.timestamp) });
}
clock.advance(1000);

const logs = async (query: Record<string, string | number>, who: keyof typeof tokens = 'admin') => {
  const search = new URLSearchParams(
    Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
  );
  return call('GET', `/api/v1/logs?${search.toString()}`, { as: tokens[who] });
};
const tally = (names: string[]) =>
  names.reduce<Record<string, number>>((all, name) => ({ ...all, [name]: (all[name] ?? 0) + 1 }), {});

/** Reference statistics, counted entry by entry. */
function expected(entries: Made[]) {
  const nowMs = clock.now();
  const since = (ms: number) => entries.filter(({ atMs }) => atMs >= nowMs - ms);
  const [day, hour] = [since(86_400_000), since(3_600_000)];
  const blocked = (some: Made[]) => some.filter((each) => each.blocked);
  const sessions = (some: Made[]) => new Set(some.map(({ who, sessionId }) => `${who} ${sessionId}`)).size;
  return {
    total_evaluations: entries.length,
    total_violations: blocked(entries).length,
    total_held: 0,
    total_allowed: entries.length - blocked(entries).length,
    violations_last_day: blocked(day).length,
    violations_last_hour: blocked(hour).length,
    unique_sessions: sessions(entries),
    active_sessions_last_hour: sessions(hour),
    violation_categories: tally(blocked(entries).map(() => 'House')),
    threat_categories: tally(blocked(entries).map(() => 'destructive_action')),
    approval_rate: entries.length === 0 ? 0 : (entries.length - blocked(entries).length) / entries.length,
    evaluations_last_hour: hour.length,
    evaluations_last_day: day.length,
  };
}

const iso = (ms: number) => new Date(ms).toISOString();
const adminId = (await call('GET', '/auth/me', { as: tokens.admin })).body.user_id ?? undefined;

test('an entry has what the call had', async () => {
  const { body } = await logs({ limit: 1 });
  const last = made.at(-1)!;
  assert.deepEqual(Object.keys(body).sort(), ['logs', 'stats', 'timestamp', 'total']);
  const [entry] = body.logs;
  for (const field of [
    'session_id',
    'gateway_id',
    'tool_name',
    'tool_params',
    'server_name',
    'allowed',
    'violations_count',
    'threat_category',
    'timestamp',
  ])
    assert.ok(field in entry, field);
  assert.deepEqual(
    [
      entry.session_id,
      entry.gateway_id ?? '',
      entry.tool_params,
      entry.server_name,
      entry.allowed,
      entry.timestamp,
    ],
    [last.sessionId, last.gatewayId, { path: 'file 59' }, 'files', !last.blocked, iso(last.atMs)],
  );
  assert.equal('tool_output' in entry, false);
});

test('hours count what was evaluated and blocked in each of them, by the same rights as the log', async () => {
  const hourMs = 3_600_000;
  const hours = async (query: string, who: keyof typeof tokens = 'admin') => {
    const { status, body } = await call('GET', `/api/v1/logs/hours${query}`, { as: tokens[who] });
    assert.equal(status, 200, JSON.stringify(body));
    return body.hours as { hour: string; evaluations: number; violations: number; latency_ms_avg: number }[];
  };
  const counted = (all: Awaited<ReturnType<typeof hours>>) =>
    all.map(({ hour, evaluations, violations }) => [hour, evaluations, violations]);
  const expectedHours = (entries: Made[], wanted: number) => {
    const last = clock.now() - (clock.now() % hourMs);
    return Array.from({ length: wanted }, (_, i) => {
      const atMs = last - (wanted - 1 - i) * hourMs;
      const inIt = entries.filter((each) => each.atMs >= atMs && each.atMs < atMs + hourMs);
      return [iso(atMs), inIt.length, inIt.filter(({ blocked }) => blocked).length];
    });
  };
  const all = await hours('?hours=168');
  assert.deepEqual(counted(all), expectedHours(made, 168));
  assert.ok(all.some(({ evaluations, latency_ms_avg: took }) => evaluations > 0 && took > 0));
  assert.ok(all.every(({ evaluations, latency_ms_avg: took }) => evaluations > 0 || took === null));
  assert.equal((await hours('')).length, 24);
  const theirs = made.filter(({ who }) => who === 'member');
  assert.deepEqual(counted(await hours('?hours=100', 'member')), expectedHours(theirs, 100));
  const throughA = made.filter(({ gatewayId }) => gatewayId === 'gw_a');
  assert.deepEqual(counted(await hours('?hours=168&gateway_ids=gw_a')), expectedHours(throughA, 168));
  assert.equal((await call('GET', '/api/v1/logs/hours?hours=169', { as: tokens.admin })).status, 422);
});

test('every filter: entries, total and statistics are those of counting one by one', async () => {
  const cuts = [
    startMs,
    made[7]!.atMs,
    made[20]!.atMs,
    made[20]!.atMs + 1,
    made[33]!.atMs + 61_000,
    made[59]!.atMs,
    clock.now() - 3_600_000,
  ];
  const filters: [query: Record<string, string>, keep: (entry: Made) => boolean][] = [
    [{}, () => true],
    [{ session_id: 's5' }, (e) => e.sessionId === 's5'],
    [{ session_id: 'none' }, () => false],
    [{ gateway_ids: 'gw_a' }, (e) => e.gatewayId === 'gw_a'],
    [{ gateway_ids: 'gw_a, gw_b,' }, (e) => e.gatewayId !== ''],
    [{ gateway_ids: 'gw_a', session_id: 's0' }, (e) => e.gatewayId === 'gw_a' && e.sessionId === 's0'],
  ];
  let checked = 0;
  for (const [query, keep] of filters)
    for (const from of [undefined, ...cuts])
      for (const to of [undefined, ...cuts]) {
        if (checked++ % 5 !== 0 && from !== undefined && to !== undefined) continue;
        const range = {
          ...(from !== undefined && { start_date: iso(from) }),
          ...(to !== undefined && { end_date: iso(to) }),
        };
        const wanted = made.filter(
          (e) => keep(e) && e.atMs >= (from ?? -Infinity) && e.atMs <= (to ?? Infinity),
        );
        const { status, body } = await logs({ ...query, ...range, limit: 0 });
        const name = JSON.stringify({ ...query, ...range });
        assert.equal(status, 200, name);
        assert.deepEqual(body.stats, expected(wanted), name);
        assert.equal(body.total, wanted.length, name);
        assert.deepEqual(
          body.logs.map(({ timestamp }: { timestamp: string }) => timestamp).sort(),
          wanted.map(({ atMs }) => iso(atMs)).sort(),
          name,
        );
      }
});

test('a member sees their own entries alone, an administrator those of the tenant, a stranger none', async () => {
  const own = made.filter(({ who }) => who === 'member');
  assert.deepEqual((await logs({}, 'member')).body.stats, expected(own));
  if (adminId !== undefined) {
    assert.equal((await logs({ user_id: adminId }, 'member')).body.total, own.length);
    const admins = made.filter(({ who }) => who === 'admin');
    assert.deepEqual((await logs({ user_id: adminId })).body.stats, expected(admins));
  }
  const memberId = (await logs({}, 'member')).body.logs[0].user_id;
  assert.deepEqual((await logs({ user_id: memberId })).body.stats, expected(own));
  for (const nobody of ['nobody', '00000000-0000-4000-8000-000000000000'])
    assert.equal((await logs({ user_id: nobody })).body.total, 0);
  assert.deepEqual((await logs({}, 'stranger')).body.stats, expected([]));
});

test('pages from either end, and the statistics alone', async () => {
  const whole = (await logs({ limit: 0 })).body.logs;
  assert.equal(whole.length, 60);
  for (const offset of [0, 10, 29, 31, 45, 58, 60, 70])
    assert.deepEqual(
      (await logs({ limit: 7, offset })).body.logs,
      whole.slice(offset, offset + 7),
      String(offset),
    );
  const inGateway = (await logs({ limit: 0, gateway_ids: 'gw_a,gw_b' })).body.logs;
  for (const offset of [0, 5, 20])
    assert.deepEqual(
      (await logs({ limit: 4, offset, gateway_ids: 'gw_a,gw_b' })).body.logs,
      inGateway.slice(offset, offset + 4),
    );
  const { body } = await logs({ stats_only: 'true' });
  assert.deepEqual(Object.keys(body).sort(), ['stats', 'timestamp']);
  assert.deepEqual(body.stats, expected(made));
});

test('wrong questions are refused; a key is not enough', async () => {
  for (const query of [
    { limit: -1 },
    { limit: 'x' },
    { start_date: 'yesterday' },
    { stats_only: 'maybe' },
    { offset: -1 },
  ])
    assert.equal((await logs(query as Record<string, string>)).status, 422, JSON.stringify(query));
  for (const date of ['0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '9999-12-31'])
    assert.equal((await logs({ start_date: date, end_date: date })).status, 200, date);
  assert.equal((await call('GET', '/api/v1/logs')).status, 401);
});

test('large parameters are logged as their size and beginning', async () => {
  await judge({ policyId: set.policy_id, params: { body: 'é'.repeat(2000) }, sessionId: 'large' });
  const { tool_params: params } = (await logs({ session_id: 'large' })).body.logs[0];
  assert.deepEqual([params._truncated, params._bytes], [true, 4011]);
  assert.match(params._preview, /^\{"body":"é/);
});

test('parameters nest as deep as a body may, and their entry can be read with all others', async () => {
  const nested = (depth: number) => ({
    value: JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown,
  });
  const ask = (depth: number) => judge({ policyId: set.policy_id, params: nested(depth), sessionId: 'deep' });
  assert.deepEqual([(await ask(490)).status, (await ask(4000)).status], [200, 400]);
  const { status, body } = await logs({ session_id: 'deep' });
  assert.equal(status, 200);
  assert.deepEqual(
    body.logs.map((entry: { tool_params: object }) => entry.tool_params),
    [nested(490)],
  );
});

test('a long answer is written piece by piece, and is the same', async () => {
  const adminsOwn = await service.db.query<{ user_id: string; tenant_id: string }>(
    'select user_id, tenant_id from action_guard.logs order by at limit 1',
  );
  const [{ user_id: userId, tenant_id: tenantId }] = adminsOwn as [{ user_id: string; tenant_id: string }];
  // Same timestamp, so that only ids determine the order.
  const at = new Date(clock.now());
  const entries = Array.from({ length: 6000 }, () => ({
    ...blankEntry,
    logId: newUuid(at.getTime()),
    tenantId,
    userId,
    at,
  }));
  await insertLogs(service.db, entries);
  const { body } = await logs({ session_id: 'many', limit: 0 });
  assert.deepEqual([body.total, body.logs.length, body.stats.total_evaluations], [6000, 6000, 6000]);
  const ids = body.logs.map(({ id }: { id: string }) => id);
  assert.deepEqual(
    ids,
    entries
      .map(({ logId }) => logId)
      .toSorted()
      .toReversed(),
  );
  const { body: part } = await logs({ session_id: 'many', limit: 5500, offset: 300 });
  assert.deepEqual(part.logs, body.logs.slice(300, 5800));
});

const blankEntry = {
  sessionId: 'many',
  gatewayId: '',
  gatewayName: null,
  policySetId: 'agp_default',
  toolName: null,
  toolParams: '{}',
  toolOutput: null,
  serverName: null,
  allowed: true,
  held: false,
  violationsCount: 0,
  warningsCount: 0,
  threatCategory: 'none',
  violationCategories: [],
  ruleIds: [],
  serviceStatus: 'ok',
  latencyMs: 1,
  findings: null,
  trace: null,
  actingUser: null,
};
