/** Shadow AI’s contract against the running product: telemetry, detections, AI connect and rules. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { asPushRow } from '#services/shadow-ai/simulator/neutral.ts';
import { scenarioEvents } from '#services/shadow-ai/simulator/scenarios.ts';
import { api, isoTime, keys, startWalk } from './walk.ts';

const walk = await startWalk();
after(() => walk[Symbol.asyncDispose]());
const { member } = walk;
const ask: typeof walk.ask = (...of) => walk.ask(...of);
const refuses: typeof walk.refuses = (...of) => walk.refuses(...of);

const events = scenarioEvents('all', Date.now() - 4 * 3_600_000);

test('telemetry: an array, lines, gzip; each wrong row with its number', async () => {
  const rows = events.map(asPushRow);
  const first = await ask('POST', `${api}/telemetry`, { body: rows });
  assert.deepEqual(first.body, { accepted: rows.length, rejected: [], rejected_total: 0 });
  const lines = [...rows.slice(0, 3).map((row) => JSON.stringify(row)), '{"time":1}', 'no json', ''].join(
    '\n',
  );
  const packed = await ask('POST', `${api}/telemetry`, {
    raw: gzipSync(lines),
    headers: { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' },
  });
  assert.equal(packed.status, 200, JSON.stringify(packed.body));
  assert.deepEqual([packed.body.accepted, packed.body.rejected_total], [3, 2]);
  assert.deepEqual(
    packed.body.rejected.map(({ row }: { row: number }) => row),
    [4, 5],
  );
  for (const each of packed.body.rejected) assert.ok(each.reason.length > 5);
  // Texts that no database takes are taken none the less.
  const odd = {
    ...(rows[0] as object),
    metadata: { uid: 'odd' },
    process: { uid: 'odd\u0000', file: { path: '/bin/a\u0000b' }, cmd_line: 'a \ud800 \u0000' },
  };
  const answer = await ask('POST', `${api}/telemetry`, { body: [odd] });
  assert.deepEqual([answer.status, answer.body.accepted], [200, 1], JSON.stringify(answer.body));
});

test('detections: fields, order, windows, limits, filters, stats', async () => {
  const all = await ask('GET', `${api}/events`);
  assert.deepEqual(keys(all.body), ['events', 'scanned_at', 'total']);
  assert.match(all.body.scanned_at, isoTime);
  assert.deepEqual(keys(all.body.events[0]), [
    'account_name',
    'action_guard_allowed',
    'action_guard_violations_count',
    'activity_tags',
    'agent_framework',
    'created_at',
    'detection_mode',
    'device_name',
    'device_os',
    'ended_at',
    'file_count',
    'id',
    'network_count',
    'process_count',
    'prompt',
    'started_at',
    'total_events',
  ]);
  for (const each of all.body.events) {
    assert.equal(each.total_events, each.process_count + each.network_count + each.file_count);
    assert.ok(['process', 'cli', 'network', 'dns', 'composite'].includes(each.detection_mode));
    assert.deepEqual([each.action_guard_allowed, each.action_guard_violations_count], [null, 0]);
  }
  const starts = all.body.events.map(({ started_at: at }: { started_at: string }) => at);
  assert.deepEqual(starts, starts.toSorted().toReversed());
  const second = await ask('GET', `${api}/events?offset=1&limit=1`);
  assert.deepEqual(second.body.events, [all.body.events[1]]);
  assert.equal(second.body.total, all.body.total);
  const window = `start_date=${starts.at(-1)}&end_date=${starts.at(-1)}`;
  assert.ok((await ask('GET', `${api}/events?${window}`)).body.total >= 1, 'both ends are inclusive');
  const two = await ask('GET', `${api}/events?device_os=Linux&device_os=macOS`);
  assert.deepEqual(
    new Set(two.body.events.map(({ device_os: os }: { device_os: string }) => os)),
    new Set(['Linux', 'macOS']),
  );
  for (const mode of ['process', 'cli', 'network', 'dns', 'composite'])
    assert.equal((await ask('GET', `${api}/events?detection_mode=${mode}`)).status, 200);
  const stats = await ask('GET', `${api}/events/stats`);
  assert.deepEqual(keys(stats.body), ['active_devices_monitored', 'top_application', 'total_detections']);
  assert.equal(stats.body.total_detections, all.body.total);
  assert.deepEqual(keys(stats.body.top_application), ['count', 'name']);
  await refuses(422, [
    ['GET', `${api}/events?limit=1001`, {}, /limit/],
    ['GET', `${api}/events?limit=0`, {}, /limit/],
    ['GET', `${api}/events?offset=-1`, {}, /offset/],
    ['GET', `${api}/events?start_date=yesterday`, {}, /start_date/],
    ['GET', `${api}/events?detection_mode=magic`, {}, /detection_mode/],
  ]);
});

test('the tree of a detection, and both placeholders exactly', async () => {
  const [detection] = (await ask('GET', `${api}/events`)).body.events;
  const { body } = await ask('GET', `${api}/events/${detection.id}/tree`);
  for (const field of ['id', 'agent_framework', 'device_name', 'account_name', 'prompt', 'started_at'])
    assert.deepEqual(body[field], detection[field], field);
  for (const field of ['ended_at', 'process_count', 'network_count', 'file_count'])
    assert.deepEqual(body[field], detection[field], field);
  assert.ok(body.events.length > 0);
  for (const event of body.events) {
    for (const field of [
      'timestamp',
      'dimension',
      'detail',
      'device_name',
      'account_name',
      'initiating_process',
    ])
      assert.ok(field in event, field);
    assert.ok(['Process', 'Network', 'File', 'DNS'].includes(event.dimension));
    assert.equal('file_name' in event, event.dimension === 'File');
    assert.equal('process_command_line' in event, event.dimension === 'Process');
  }
  assert.deepEqual((await ask('GET', `${api}/events/${detection.id}/guard-result`)).body, {
    evaluated: false,
    allowed: null,
    violations: [],
    violations_count: 0,
    explanation: null,
  });
  assert.deepEqual((await ask('POST', `${api}/evaluate-all`)).body, {
    message: 'Not yet implemented',
    evaluated: 0,
    total: 0,
  });
  await refuses(404, [
    ['GET', `${api}/events/999999/tree`],
    ['GET', `${api}/events/999999/guard-result`],
  ]);
  await refuses(422, [['GET', `${api}/events/first/tree`, {}, /event_id/]]);
});

test('AI connect: summary, providers, apps and the feed', async () => {
  const connect = '/api/v1/ai-connect';
  const window = ['window_end', 'window_start'];
  const summary = await ask('GET', `${connect}/summary`);
  assert.deepEqual(
    keys(summary.body),
    ['distinct_devices', 'distinct_providers', 'distinct_users', 'total_connections', ...window].toSorted(),
  );
  assert.equal(Date.parse(summary.body.window_end) - Date.parse(summary.body.window_start), 86_400_000);
  const providers = await ask('GET', `${connect}/by-provider`);
  assert.deepEqual(keys(providers.body), ['providers', ...window].toSorted());
  assert.deepEqual(keys(providers.body.providers[0]), [
    'connection_count',
    'distinct_devices',
    'distinct_users',
    'last_seen',
    'provider_id',
    'provider_name',
  ]);
  for (const { provider_id: id } of providers.body.providers) assert.match(id, /^ai-connect-/);
  const apps = await ask('GET', `${connect}/by-app?limit=1`);
  assert.equal(apps.body.apps.length, 1);
  assert.deepEqual(keys(apps.body.apps[0]), [
    'app_name',
    'connection_count',
    'distinct_providers',
    'distinct_users',
    'last_seen',
  ]);
  const feed = await ask('GET', `${connect}/events?provider_id=ai-connect-openai`);
  assert.deepEqual(keys(feed.body), ['events', 'total', ...window].toSorted());
  assert.equal(feed.body.events.length, feed.body.total);
  assert.deepEqual(keys(feed.body.events[0]), [
    'app_cmd_line',
    'app_name',
    'connector_id',
    'device_name',
    'device_uid',
    'dst_domain',
    'dst_ip',
    'dst_port',
    'provider_id',
    'provider_name',
    'time',
    'user_name',
  ]);
  const connector = feed.body.events[0].connector_id;
  const narrowed = await ask('GET', `${connect}/summary?connector=${encodeURIComponent(connector)}`);
  assert.equal(narrowed.body.total_connections, summary.body.total_connections);
  assert.equal((await ask('GET', `${connect}/summary?connector=none`)).body.total_connections, 0);
  await refuses(422, [
    ['GET', `${connect}/events?limit=501`, {}, /limit/],
    ['GET', `${connect}/by-app?limit=201`, {}, /limit/],
    ['GET', `${connect}/summary?start=x`, {}, /start/],
  ]);
});

test('rules: overrides are merged, cleared and changed together or not at all', async () => {
  const path = '/api/v1/rules';
  const { categories, rules } = (await ask('GET', path)).body;
  for (const each of categories) {
    assert.deepEqual(keys(each), ['description', 'group', 'id', 'label']);
    assert.match(each.id, /^[A-Z][A-Z0-9_]*$/);
  }
  assert.deepEqual(
    new Set(categories.map(({ group }: { group: string }) => group)),
    new Set(['active', 'upcoming']),
  );
  const providerRules = rules.filter(({ id }: { id: string }) => id.startsWith('ai-connect-'));
  assert.ok(providerRules.length >= 100 && rules.length - providerRules.length >= 160);
  for (const rule of rules) {
    assert.deepEqual(keys(rule.match), [
      'api_domains',
      'cli_patterns',
      'dns_hostname_suffixes',
      'dst_domains',
      'process_names',
    ]);
    assert.deepEqual([rule.enabled, rule.severity_override], [true, null]);
    assert.ok(rule.confidence > 0 && rule.confidence <= 1);
    assert.ok(Number.isInteger(rule.version));
    assert.ok(['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFORMATIONAL'].includes(rule.severity));
  }
  const before = (await ask('GET', `${api}/events`)).body;
  const change = (body: object) => ask('PATCH', `${path}/claude-code`, { body });
  assert.equal((await change({ severity_override: 'CRITICAL' })).body.severity_override, 'CRITICAL');
  const off = await change({ enabled: false });
  assert.deepEqual([off.body.enabled, off.body.severity_override], [false, 'CRITICAL']);
  const without = (await ask('GET', `${api}/events`)).body;
  assert.ok(without.total < before.total);
  assert.ok(!JSON.stringify(without.events).includes('"claude-code"'));
  assert.equal((await change({ severity_override: null })).body.severity_override, null);
  assert.equal((await change({ enabled: true })).body.enabled, true);
  assert.equal((await ask('GET', `${api}/events`)).body.total, before.total);
  const bulk = await ask('PUT', `${path}/bulk`, {
    body: {
      rules: [
        { rule_id: 'ollama', enabled: false },
        { rule_id: 'cursor', severity_override: 'LOW' },
      ],
    },
  });
  assert.deepEqual([bulk.status, bulk.body.updated, bulk.body.rules.length], [200, 2, 2]);
  await refuses(422, [
    [
      'PUT',
      `${path}/bulk`,
      { body: { rules: [{ rule_id: 'ollama', enabled: true }, { rule_id: 'none' }] } },
      /none/,
    ],
    ['PATCH', `${path}/ollama`, { body: { severity_override: 'WORST' } }, /severity_override/],
  ]);
  await refuses(404, [['PATCH', `${path}/none`, { body: { enabled: true } }]]);
  await refuses(400, [
    ['PUT', `${path}/bulk`, { body: {} }, /rules/],
    ['PUT', `${path}/bulk`, { body: { rules: [{ enabled: true }] } }, /rule_id/],
  ]);
  const kept = (await ask('GET', path)).body.rules.find(({ id }: { id: string }) => id === 'ollama');
  assert.equal(kept.enabled, false);
  assert.equal((await ask('PATCH', `${path}/ollama`, { as: member, body: { enabled: true } })).status, 403);
});

test('another tenant: for administrators of the first tenant alone, and only one that exists', async () => {
  const made = await ask('POST', '/auth/tenants', { body: { name: 'branch' } });
  const tenants = made.status === 201 || made.status === 200 ? made.body : undefined;
  assert.ok(tenants, JSON.stringify(made.body));
  const paths = [
    `${api}/config`,
    `${api}/events`,
    `${api}/events/stats`,
    `${api}/saas-config`,
    '/api/v1/ai-connect/summary',
    '/api/v1/ai-connect/by-provider',
    '/api/v1/ai-connect/by-app',
    '/api/v1/ai-connect/events',
    '/api/v1/rules',
  ];
  for (const path of paths) {
    assert.equal((await ask('GET', `${path}?tenant_id=${tenants.id}`)).status, 200, path);
    const unknown = '00000000-0000-7000-8000-000000000000';
    assert.equal((await ask('GET', `${path}?tenant_id=${unknown}`)).status, 404, path);
    const denied = await ask('GET', `${path}?tenant_id=${tenants.id}`, { as: member });
    assert.ok([403, 404].includes(denied.status), path);
  }
  assert.equal((await ask('GET', `${api}/events?tenant_id=${tenants.id}`)).body.total, 0);
  const [mine] = (await ask('GET', `${api}/events`)).body.events;
  assert.equal((await ask('GET', `${api}/events/${mine.id}/tree?tenant_id=${tenants.id}`)).status, 404);
});
