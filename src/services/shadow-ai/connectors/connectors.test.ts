import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, test } from 'node:test';
import { startHuntingSimulator } from '../fixtures/hunting-simulator.ts';
import { openTestService } from '../fixtures/service.ts';

const [service, source] = await Promise.all([openTestService({ withJobs: true }), startHuntingSimulator()]);
after(async () => {
  await service[Symbol.asyncDispose]();
  await source[Symbol.asyncDispose]();
});
const { call, tokens, clock, db } = service;
const as = tokens.admin;
const config = '/api/v1/shadow-ai/config';
const credentials = { tenant_id: 'contoso', client_id: 'app', client_secret: 'simulator-secret' };
const settings = { authority_url: source.url, api_url: source.url, poll_interval_seconds: 86_400 };
const put = (body: object, who = as) => call('PUT', config, { as: who, body });
const status = async () => (await call('GET', '/api/v1/shadow-ai/connector/status', { as })).body;

/** Polls now, and waits for the end of it. */
async function sync(): Promise<Record<string, unknown>> {
  const { body, status: code } = await call('POST', '/api/v1/shadow-ai/connector/sync', { as });
  assert.equal(code, 202, JSON.stringify(body));
  const open =
    'select 1 from shadow_ai.connectors where enabled and (due_at <= $1 or leased_until is not null)';
  while ((await db.query(open, [new Date(clock.now())])).length > 0) await sleep(20);
  return status();
}

const at = (secondsAgo: number) => new Date(clock.now() - secondsAgo * 1000).toISOString();
const createdAt = at(601);
const process = {
  DeviceId: 'd1',
  DeviceName: 'pc-1.example.com',
  OSPlatform: 'Windows11',
  InitiatingProcessId: 10,
  InitiatingProcessCreationTime: createdAt,
  InitiatingProcessFileName: 'claude.exe',
  InitiatingProcessFolderPath: 'C:\\Users\\ana\\.local\\bin\\claude.exe',
  InitiatingProcessCommandLine: 'claude.exe',
  InitiatingProcessAccountName: 'ana',
};

test('a kind that cannot be polled is refused, and so is what is wrong', async () => {
  assert.equal((await call('GET', config, { as })).body, null);
  const other = await put({
    edr_framework: 'edr-c',
    credentials: { base_url: 'https://x.example', api_token: 't' },
  });
  assert.equal(other.status, 422);
  assert.match(other.body.detail, /cannot be polled by this version/);
  assert.equal(
    (await put({ edr_framework: 'edr-a', credentials: { tenant_id: 'a', client_id: 'b' } })).status,
    400,
  );
  assert.equal((await put({ edr_framework: 'edr-x', credentials: {} })).status, 422);
  assert.equal(
    (await put({ edr_framework: 'edr-a', credentials, settings: { poll_interval_seconds: 1 } })).status,
    422,
  );
  assert.equal((await put({ edr_framework: 'edr-a', credentials }, tokens.member)).status, 403);
  assert.equal((await call('POST', '/api/v1/shadow-ai/connector/sync', { as })).status, 409);
});

test('a poll takes in what the source has, once', async () => {
  source.tables['DeviceProcessEvents'] = [
    {
      ...process,
      Timestamp: at(600),
      ReportId: 1,
      ActionType: 'ProcessCreated',
      ProcessId: 11,
      ProcessCreationTime: at(600),
      FileName: 'cmd.exe',
      FolderPath: 'C:\\Windows\\System32\\cmd.exe',
      ProcessCommandLine: 'cmd /c dir',
      AccountName: 'ana',
    },
  ];
  source.tables['DeviceNetworkEvents'] = [
    {
      ...process,
      Timestamp: at(590),
      ReportId: 2,
      ActionType: 'ConnectionSuccess',
      RemoteUrl: 'https://api.anthropic.com/v1',
      RemoteIP: '203.0.113.4',
      RemotePort: 443,
    },
  ];
  source.tables['DeviceFileEvents'] = [
    {
      ...process,
      Timestamp: at(580),
      ReportId: 3,
      ActionType: 'FileModified',
      FolderPath: 'C:\\src',
      FileName: 'app.ts',
    },
  ];
  source.tables['DeviceEvents'] = [
    {
      ...process,
      Timestamp: at(595),
      ReportId: 4,
      ActionType: 'DnsQueryResponse',
      AdditionalFields: '{"DnsQueryString":"api.anthropic.com"}',
    },
  ];
  const { body } = await put({ edr_framework: 'edr-a', credentials, settings });
  assert.deepEqual(
    [body.edr_framework, body.has_secret, body.credential_fields],
    ['edr-a', true, { tenant_id: 'contoso', client_id: 'app' }],
  );
  const after1 = await sync();
  assert.equal(after1['last_error'], null);
  assert.equal(after1['events_ingested'], 4);
  assert.ok(after1['watermark'] !== null && after1['last_success_at'] !== null);
  await sync();
  const { body: found } = await call('GET', '/api/v1/shadow-ai/events', { as });
  assert.equal(found.total, 1);
  const [detection] = found.events;
  assert.deepEqual(
    [
      detection.agent_framework,
      detection.device_name,
      detection.account_name,
      detection.process_count,
      detection.network_count,
      detection.file_count,
    ],
    ['claude-code', 'pc-1.example.com', 'ana', 1, 1, 1],
  );
  const { body: feed } = await call('GET', '/api/v1/ai-connect/events', { as });
  assert.match(feed.events[0].connector_id, /^edr-a:[0-9a-f-]{36}$/);
  assert.equal(feed.total, 1);
});

test('failures are told without secrets, and what was taken in stays', async () => {
  source.failures.push({ status: 429, retryAfter: '120' });
  assert.match(String((await sync())['last_error']), /too many requests/);
  const kept = await put({
    edr_framework: 'edr-a',
    credentials: { tenant_id: 'contoso', client_id: 'app2' },
  });
  assert.deepEqual([kept.body.has_secret, kept.body.settings], [true, settings]);
  assert.equal((await sync())['last_error'], null);
  await put({ edr_framework: 'edr-a', credentials: { ...credentials, client_secret: 'not-the-secret' } });
  const failed = await sync();
  assert.match(String(failed['last_error']), /check the credentials/);
  const everything = JSON.stringify([
    failed,
    (await call('GET', config, { as })).body,
    await db.query('select * from shadow_ai.connectors'),
  ]);
  assert.ok(!everything.includes('not-the-secret') && !everything.includes('simulator-secret'));
});

test('credentials that cannot be decrypted are named, and entered again', async () => {
  await put({ edr_framework: 'edr-a', credentials });
  // As if they were encrypted with a key that is lost.
  await db.query(String.raw`update shadow_ai.connectors set secrets = '\x01ff'::bytea`);
  const shown = await call('GET', config, { as });
  assert.equal(shown.status, 200, JSON.stringify(shown.body));
  assert.match(String((await sync())['last_error']), /cannot be decrypted .* enter them again/);
  const without = await put({
    edr_framework: 'edr-a',
    credentials: { tenant_id: 'contoso', client_id: 'b' },
  });
  assert.deepEqual(
    [without.status, without.body.detail],
    [400, "'credentials.client_secret' is missing; edr-a needs it."],
  );
  assert.equal((await put({ edr_framework: 'edr-a', credentials })).status, 200);
  assert.equal((await sync())['last_error'], null);
});
