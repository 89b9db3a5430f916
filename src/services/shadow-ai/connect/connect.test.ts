import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { deviceRows, type Proc } from '../fixtures/rows.ts';
import { openTestService } from '../fixtures/service.ts';

const service = await openTestService();
after(() => service[Symbol.asyncDispose]());
const { call, tokens, clock } = service;
const startMs = clock.now() - 3_600_000;
const chrome: Proc = { uid: 'c', image: 'C:\\Chrome\\chrome.exe', cmd: 'chrome.exe --flag', user: 'ana' };
const script: Proc = { uid: 'p', image: '/usr/bin/python3', user: 'ben' };
const [one, two] = [deviceRows('one', startMs, 'Windows'), deviceRows('two', startMs)];
await call('POST', '/api/v1/shadow-ai/telemetry', {
  as: tokens.admin,
  body: [
    one.connect(1, chrome, 'chatgpt.com'),
    one.connect(2, chrome, 'claude.ai'),
    two.connect(3, script, 'api.openai.com'),
    two.lookUp(4, script, 'api.openai.com'),
    two.connect(5, script, 'example.com'),
    two.connect(6, script, 'eu-west1-aiplatform.googleapis.com'),
    two.connect(7, script, 'bedrock-runtime.eu-central-1.amazonaws.com'),
    two.connect(8, script, 'notopenai.com'),
  ],
});
const get = async (path: string, as = tokens.member) =>
  (await call('GET', `/api/v1/ai-connect/${path}`, { as })).body;

test('connections are counted by provider and program; look-ups are none', async () => {
  const { window_start, window_end, ...summary } = await get('summary');
  assert.ok(Date.parse(window_end) - Date.parse(window_start) === 86_400_000);
  assert.deepEqual(summary, {
    total_connections: 5,
    distinct_users: 2,
    distinct_devices: 2,
    distinct_providers: 4,
  });
  const { providers } = await get('by-provider');
  assert.deepEqual(providers[0], {
    provider_id: 'ai-connect-openai',
    provider_name: 'OpenAI',
    connection_count: 2,
    distinct_users: 2,
    distinct_devices: 2,
    last_seen: new Date(startMs + 3000).toISOString(),
  });
  const { apps } = await get('by-app?limit=1');
  assert.deepEqual(
    apps.map((app: Record<string, unknown>) => [
      app['app_name'],
      app['connection_count'],
      app['distinct_providers'],
    ]),
    [['python3', 3, 3]],
  );
});

test('the feed is newest first, filtered, and of the own tenant', async () => {
  const feed = await get('events?limit=2&provider_id=ai-connect-openai');
  assert.equal(feed.total, 2);
  assert.deepEqual(
    feed.events.map((each: { dst_domain: string }) => each.dst_domain),
    ['api.openai.com', 'chatgpt.com'],
  );
  assert.equal(feed.events[1].app_cmd_line, 'chrome.exe --flag');
  assert.equal((await get('events?connector=edr-a:x')).total, 0);
  assert.equal((await get('events', tokens.stranger)).total, 0);
  const { status } = await call('GET', '/api/v1/ai-connect/events?limit=501', { as: tokens.member });
  assert.equal(status, 422);
});

test('a program that is named by its version alone is told by its folder; a window in the future is refused', async () => {
  const versioned: Proc = { uid: 'v', image: '/home/eva/.local/share/claude/versions/2.1.3', user: 'eva' };
  const windows: Proc = { uid: 'w', image: 'C:\\Tools\\Goose\\v1.4.0\\1.4.0.exe', user: 'eva' };
  await call('POST', '/api/v1/shadow-ai/telemetry', {
    as: tokens.stranger,
    body: [two.connect(9, versioned, 'api.anthropic.com'), one.connect(10, windows, 'api.openai.com')],
  });
  const { apps } = await get('by-app', tokens.stranger);
  assert.deepEqual(apps.map((app: { app_name: string }) => app.app_name).toSorted(), ['Goose', 'claude']);
  assert.equal((await get('summary?start=2999-01-01')).detail, "'start' lies in the future.");
});
