import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { deviceRows, type Proc } from '../fixtures/rows.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService({ env: { BULWARK_SHADOW_AI_PROMPT_EXTRACTION: 'true' } });
after(() => service[Symbol.asyncDispose]());
const { call, tokens, clock } = service;

const startMs = clock.now() - 10 * 3_600_000;
const path = '/api/v1/shadow-ai';
const push = async (rows: object[], as = tokens.admin) =>
  call('POST', `${path}/telemetry`, { as, body: rows });
const detectionsOn = async (device: string, as = tokens.admin) => {
  const { body } = await call('GET', `${path}/events?limit=1000`, { as });
  return body.events.filter((each: { device_name: string }) => each.device_name === device);
};

const shell: Proc = { uid: 'sh', image: '/usr/bin/bash', user: 'ana' };
const claude: Proc = {
  uid: 'claude',
  image: '/home/ana/.local/share/claude/versions/2.1.3',
  cmd: 'claude --dangerously-skip-permissions -p "mend the build, key sk-ant-api03-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-AAAAAAAA"',
  parent: shell,
  user: 'ana',
};
const tool: Proc = {
  uid: 'tool',
  image: '/usr/bin/bash',
  cmd: 'bash -c "tar cz src"',
  parent: claude,
  user: 'ana',
};
const tar: Proc = { uid: 'tar', image: '/usr/bin/tar', cmd: 'tar cz src', parent: tool, user: 'ana' };
const mcp: Proc = {
  uid: 'mcp',
  image: '/usr/bin/node',
  cmd: 'node /usr/bin/npx -y @playwright/mcp@latest',
  parent: claude,
  user: 'ana',
};

/** Two sessions of one agent, with all that it starts, beside programs that are none. */
function story(device: string) {
  const d = deviceRows(device, startMs);
  const psql: Proc = { uid: 'goose', image: '/usr/bin/goose', cmd: 'goose up', parent: tool };
  return [
    d.start(0, shell),
    d.start(1, claude),
    d.lookUp(2, claude, 'api.anthropic.com.'),
    d.connect(3, claude, 'API.anthropic.com'),
    d.start(10, tool),
    d.start(11, tar),
    d.connect(20, tar, 'files.example.com'),
    d.start(30, mcp),
    d.file(40, claude, '/home/ana/.ssh/id_rsa', 'Read'),
    d.file(41, tool, '/home/ana/.bashrc'),
    d.start(50, psql),
    d.connect(60 * 60, claude, 'api.anthropic.com'),
    d.connect(61 * 60, mcp, 'example.org'),
    d.start(100, { uid: 'vim', image: '/usr/bin/vim', cmd: 'vim claude-code.md', parent: shell }),
  ];
}

test('a session has what the agent and all below it did', async () => {
  const { status, body } = await push(story('laptop-1'));
  assert.equal(status, 200);
  assert.deepEqual(body, { accepted: 14, rejected: [], rejected_total: 0 });
  const [second, first, ...rest] = await detectionsOn('laptop-1');
  assert.deepEqual(rest, []);
  assert.equal(first.agent_framework, 'claude-code');
  assert.equal(first.account_name, 'ana');
  assert.equal(first.started_at, new Date(startMs + 1000).toISOString());
  assert.equal(first.ended_at, new Date(startMs + 50_000).toISOString());
  assert.deepEqual(
    [first.process_count, first.network_count, first.file_count, first.total_events],
    [5, 2, 2, 9],
  );
  assert.equal(first.detection_mode, 'composite');
  for (const tag of [
    'autonomy.unsafe_bypass',
    'credential.read',
    'exfil.encode_then_egress',
    'mcp.server_started',
    'persistence.shell_profile',
    'network.ai_provider',
  ])
    assert.ok(first.activity_tags.includes(tag), tag);
  assert.match(first.prompt, /^mend the build, key \[/);
  assert.ok(!JSON.stringify(first).includes('sk-ant-api03'));
  assert.deepEqual([second.process_count, second.network_count, second.prompt], [0, 2, null]);
});

test('the tree tells the events in order, look-ups too', async () => {
  const [, first] = await detectionsOn('laptop-1');
  const { body } = await call('GET', `${path}/events/${first.id}/tree`, { as: tokens.admin });
  assert.equal(body.events.length, 10);
  assert.deepEqual(
    body.events.slice(0, 4).map(({ dimension, detail }: Record<string, string>) => `${dimension}: ${detail}`),
    [
      'Process: Started claude',
      'DNS: Looked up api.anthropic.com',
      'Network: Connected to api.anthropic.com:443',
      'Process: Started bash',
    ],
  );
  assert.equal(body.events[3].process_command_line, 'bash -c "tar cz src"');
  assert.match(body.events[3].initiating_process, /^claude /);
  assert.equal(
    body.events.find((each: { dimension: string }) => each.dimension === 'File').file_name,
    'id_rsa',
  );
});

test('batches, their order and what comes twice make no difference', async () => {
  const plain = (detection: Record<string, unknown>) => ({
    ...detection,
    id: 0,
    device_name: '',
    created_at: '',
  });
  const expected = (await detectionsOn('laptop-1')).map(plain);
  // A generator of its own, so that a failure can be repeated.
  let seed = 7;
  const below = (n: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % n;
  };
  for (let round = 0; round < 12; round += 1) {
    const device = `shuffled-${round}`;
    const rows: object[] = story(device);
    for (let i = 0; i < 6; i += 1) rows.push(rows[below(rows.length)]!);
    for (let i = rows.length - 1; i > 0; i -= 1) {
      const j = below(i + 1);
      [rows[i], rows[j]] = [rows[j]!, rows[i]!];
    }
    while (rows.length > 0) {
      const { body } = await push(rows.splice(0, 1 + below(6)));
      assert.equal(body.rejected_total, 0);
    }
    assert.deepEqual((await detectionsOn(device)).map(plain), expected, `round ${round}`);
  }
});

test('a weak name needs a second signal, and a program of its own that asks a provider is found', async () => {
  const d = deviceRows('laptop-2', startMs, 'Windows');
  const goose: Proc = { uid: 'g1', image: 'C:\\tools\\goose.exe', cmd: 'goose.exe' };
  const script: Proc = { uid: 'py', image: 'C:\\Python\\python.exe', cmd: 'python report.py', user: 'ben' };
  const chrome: Proc = { uid: 'ch', image: 'C:\\Program Files\\Google\\Chrome\\chrome.exe' };
  await push([
    d.start(0, goose),
    d.connect(1, script, 'api.openai.com'),
    d.connect(2, chrome, 'api.openai.com'),
    d.connect(3, chrome, 'chatgpt.com'),
  ]);
  const found = await detectionsOn('laptop-2');
  assert.deepEqual(
    found.map((each: Record<string, string>) => [
      each['agent_framework'],
      each['detection_mode'],
      each['account_name'],
    ]),
    [['ai-connect-openai', 'network', 'ben']],
  );
  await push([d.connect(60, goose, 'api.anthropic.com')]);
  assert.deepEqual(
    (await detectionsOn('laptop-2')).map((each: Record<string, string>) => each['agent_framework']).sort(),
    ['ai-connect-openai', 'goose'],
  );
});

test('each bad row is named, and the others are taken', async () => {
  const d = deviceRows('laptop-3', startMs);
  const good = d.start(0, claude);
  const lines = [
    JSON.stringify(good),
    '{"broken',
    '[]',
    JSON.stringify({ ...good, time: 'soon' }),
    '',
    JSON.stringify({ ...good, device: {} }),
    JSON.stringify({ ...good, class_uid: 9 }),
  ].join('\n');
  for (const [raw, headers] of [
    [Buffer.from(lines), {}],
    [gzipSync(lines), { 'content-encoding': 'gzip' }],
  ] as const) {
    const { status, body } = await call('POST', `${path}/telemetry`, {
      as: tokens.admin,
      raw,
      headers: { 'content-type': 'application/x-ndjson', ...headers },
    });
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.accepted, 1);
    assert.deepEqual(
      body.rejected.map(({ row }: { row: number }) => row),
      [2, 3, 4, 5, 6],
    );
    assert.match(body.rejected[2].reason, /'time'/);
  }
  assert.equal((await detectionsOn('laptop-3')).length, 1);
  const array = gzipSync(JSON.stringify([good]));
  const packed = await call('POST', `${path}/telemetry`, {
    as: tokens.admin,
    raw: array,
    headers: { 'content-encoding': 'gzip' },
  });
  assert.equal(packed.body.accepted, 1, JSON.stringify(packed.body));
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, 32));
  assert.equal(
    (
      await call('POST', `${path}/telemetry`, {
        as: tokens.admin,
        raw: bomb,
        headers: { 'content-encoding': 'gzip' },
      })
    ).status,
    413,
  );
  const status = async (sent: object) =>
    (await call('POST', `${path}/telemetry`, { as: tokens.admin, ...sent })).status;
  assert.equal(await status({ body: { not: 'a list' } }), 400);
  assert.equal(await status({ raw: '[{', headers: {} }), 400);
  assert.equal(
    await status({
      raw: Buffer.from('no gzip'),
      headers: { 'content-encoding': 'gzip', 'content-type': 'application/x-ndjson' },
    }),
    400,
  );
  assert.equal(await status({ raw: 'x', headers: { 'content-encoding': 'br' } }), 415);
  assert.equal((await call('POST', `${path}/telemetry`, { body: [] })).status, 401);
});

test('filters, statistics, placeholders and other tenants', async () => {
  const all = await call('GET', `${path}/events?device_os=Windows&device_os=Plan9&detection_mode=network`, {
    as: tokens.member,
  });
  assert.equal(all.body.total, 1);
  assert.ok(all.body.scanned_at);
  const listed = await call('GET', `${path}/events?device_os[]=Windows&device_os[]=Plan9`, {
    as: tokens.member,
  });
  const named = await call('GET', `${path}/events?device_os=Windows`, { as: tokens.member });
  const every = await call('GET', `${path}/events`, { as: tokens.member });
  assert.equal(listed.body.total, named.body.total);
  assert.ok(every.body.total > named.body.total);
  const bracketed = await call('GET', `${path}/events/stats?device_os[]=Windows`, { as: tokens.member });
  assert.equal(bracketed.body.total_detections, named.body.total);
  const ofRule = await call('GET', `${path}/events?agent_framework=goose`, { as: tokens.member });
  assert.deepEqual([ofRule.body.total, ofRule.body.events[0].agent_framework], [1, 'goose']);
  const stats = await call('GET', `${path}/events/stats?device_os=Windows`, { as: tokens.member });
  assert.deepEqual(stats.body, {
    total_detections: 2,
    top_application: { name: 'ai-connect-openai', count: 1 },
    active_devices_monitored: 1,
  });
  const none = await call('GET', `${path}/events/stats?start_date=2020-01-01&end_date=2020-01-02`, {
    as: tokens.member,
  });
  assert.equal(none.body.top_application, null);
  const { id } = all.body.events[0];
  const guard = await call('GET', `${path}/events/${id}/guard-result`, { as: tokens.member });
  assert.deepEqual(guard.body, {
    evaluated: false,
    allowed: null,
    violations: [],
    violations_count: 0,
    explanation: null,
  });
  const evaluated = await call('POST', `${path}/evaluate-all`, { as: tokens.member });
  assert.deepEqual(
    [evaluated.status, evaluated.body],
    [200, { message: 'Not yet implemented', evaluated: 0, total: 0 }],
  );
  assert.equal((await call('GET', `${path}/events`, { as: tokens.stranger })).body.total, 0);
  const refused = async (url: string, as = tokens.member) =>
    (await call('GET', `${path}/${url}`, { as })).status;
  assert.equal(await refused(`events/${id}/tree`, tokens.stranger), 404);
  assert.equal(await refused('events/abc/tree'), 422);
  assert.equal(await refused('events?limit=1001'), 422);
  assert.equal(await refused('events?start_date=soon'), 422);
  assert.equal(await refused('events?start_date=2026-02-01&end_date=2026-01-01'), 422);
  const [tenant] = await service.db.query<{ id: string }>(
    "select id from identity.tenants where name = 'other'",
  );
  assert.equal(await refused(`events?tenant_id=${tenant!.id}`), 403);
  assert.equal(await refused(`events?tenant_id=${tenant!.id}`, tokens.admin), 200);
  assert.equal((await call('GET', '/health')).body.status, 'ok');
});

test('devices are active in a window when they sent something in it, not before and not after', async () => {
  const dayMs = 86_400_000;
  const midnight = Math.floor(startMs / dayMs) * dayMs;
  const hour = (day: number, hours: number) => midnight + day * dayMs + hours * 3_600_000;
  const send = async (device: string, times: readonly number[]) =>
    push(
      times.map((atMs) => deviceRows(device, atMs, 'Haiku').start(0, { uid: `${atMs}`, image: '/bin/ls' })),
      tokens.admin,
    );
  await send(
    'always',
    [-5, -4, -3, -2].map((day) => hour(day, 12)),
  );
  await send('once', [hour(-4, 12)]);
  await send('later', [hour(-2, 12)]);
  const active = async (from: number, to: number) => {
    const window = `start_date=${new Date(from).toISOString()}&end_date=${new Date(to).toISOString()}`;
    const { body } = await call('GET', `${path}/events/stats?device_os=Haiku&${window}`, {
      as: tokens.member,
    });
    return body.active_devices_monitored;
  };
  assert.equal(await active(hour(-6, 0), hour(-1, 0)), 3);
  assert.equal(await active(hour(-5, 0), hour(-4, 0)), 1, 'who comes later is not active yet');
  assert.equal(await active(hour(-4, 0), hour(-3, 0)), 2);
  assert.equal(await active(hour(-3, 0), hour(-2, 13)), 2, 'who was silent by then is not active any more');
  assert.equal(await active(hour(-4, 13), hour(-3, 11)), 0, 'nobody sent anything between these hours');
  assert.equal(await active(hour(-9, 0), hour(-7, 0)), 0);
  // What comes late counts for the day that it is of.
  await send('later', [hour(-8, 3)]);
  assert.equal(await active(hour(-9, 0), hour(-7, 0)), 1);
});
