import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  apiHosts,
  clear,
  connect,
  connectionsOf,
  detectionsOf,
  pushedTruth,
  sync,
} from '../fixtures/polling.ts';
import { openTestService } from '../fixtures/service.ts';
import { scenarioEvents } from '../simulator/scenarios.ts';
import { seenBy } from '../simulator/seen-by.ts';
import { personalities, startSimulator } from '../simulator/simulator.ts';
import { requireSafeAddresses } from './credentials.ts';

const service = await openTestService({ withJobs: true });
after(() => service[Symbol.asyncDispose]());
const { call, tokens, clock, db } = service;
const as = tokens.admin;
const config = '/api/v1/shadow-ai/config';
const put = (body: object, who = as) => call('PUT', config, { as: who, body });
const events = scenarioEvents('all', clock.now() - 4 * 3_600_000);

test('what is wrong is refused, and named', async () => {
  assert.equal((await call('GET', config, { as })).body, null);
  const refused = async (body: object, who = as) => {
    const { status, body: answer } = await put(body, who);
    return [status, answer.detail];
  };
  const credentials = { base_url: 'https://edr.example.com', api_token: 't' };
  const edrC = (settings: object, other: object = {}) => ({
    edr_framework: 'edr-c',
    credentials: { ...credentials, ...other },
    settings,
  });
  assert.equal(
    (await refused({ edr_framework: 'edr-a', credentials: { tenant_id: 'a', client_id: 'b' } }))[0],
    400,
  );
  assert.equal((await refused({ edr_framework: 'edr-x', credentials: {} }))[0], 422);
  for (const [body, named] of [
    [edrC({ poll_interval_seconds: 1 }), /poll_interval_seconds/],
    [edrC({ history_days: 31 }), /history_days/],
    [edrC({ api: 'other' }), /settings\.api/],
    [edrC({ repository: 'a/b' }), /repository/],
    [edrC({}, { base_url: 'http://edr.example.com' }), /https:/],
    [edrC({}, { base_url: 'edr.example.com' }), /base_url/],
    [edrC({}, { api_token: 'a\u0000b' }), /credentials\.api_token' must not contain NUL/],
    [edrC({ repository: ['\ud800'] }), /settings' must not contain NUL/],
    [edrC({}, { base_url: 'https://user:pw@edr.example.com' }), /base_url/],
    [edrC({ api_url: 'http://203.0.113.9' }), /settings\.api_url/],
  ] as const) {
    const [status, detail] = await refused(body);
    assert.equal(status, 422);
    assert.match(detail, named);
  }
  assert.equal((await refused(edrC({}), tokens.member))[0], 403);
  const post = async (path: string, who: string) =>
    (await call('POST', `/api/v1/shadow-ai/connector/${path}`, { as: who })).status;
  assert.deepEqual([await post('sync', as), await post('test', as)], [409, 409]);
  assert.deepEqual([await post('sync', tokens.member), await post('test', tokens.member)], [403, 403]);
  const { body } = await call('GET', '/api/v1/shadow-ai/connector/status', { as });
  assert.deepEqual([body.streams, body.coverage, body.watermark], [[], [], null]);
});

test('plain http is for this machine in development, and for networks that the operator allows', () => {
  const attempt = (url: string, environment: string, allowPrivateNetwork: string[]) => () =>
    requireSafeAddresses(
      { fields: { base_url: url }, secrets: {} },
      {},
      { environment, allowPrivateNetwork },
    );
  assert.doesNotThrow(attempt('http://127.0.0.1:1', 'development', []));
  assert.doesNotThrow(attempt('http://10.1.2.3', 'production', ['10.0.0.0/8']));
  assert.throws(attempt('http://127.0.0.1:1', 'production', []), /https:/);
  assert.throws(attempt('http://10.1.2.3', 'development', ['false']), /https:/);
});

for (const kind of personalities)
  test(`${kind}: a poll finds what a collector would have pushed, once`, async () => {
    await clear(service);
    await using simulator = await startSimulator({ as: kind, events });
    await connect(service, simulator);
    const tried = await call('POST', '/api/v1/shadow-ai/connector/test', { as });
    assert.equal(tried.body.ok, true, JSON.stringify(tried.body));
    const status = await sync(service);
    assert.equal(status.last_error, null);
    assert.ok(status.watermark !== null && status.last_success_at !== null);
    assert.equal(status.coverage.length, 5);
    const truth = await pushedTruth(service, seenBy(kind, events, apiHosts));
    assert.ok(truth.detections.length > 5);
    assert.deepEqual(await detectionsOf(service, as), truth.detections);
    assert.deepEqual(await connectionsOf(service, as), truth.connections);
    await sync(service);
    assert.deepEqual(await detectionsOf(service, as), truth.detections);
    const { body: feed } = await call('GET', '/api/v1/ai-connect/events', { as });
    assert.match(feed.events[0].connector_id, new RegExp(`^${kind}:[0-9a-f-]{36}$`));
  });

test('failures are told without secrets, and what was taken in stays', async () => {
  await clear(service);
  await using simulator = await startSimulator({ as: 'edr-b-ngsiem', events });
  await connect(service, simulator);
  await sync(service);
  const before = await detectionsOf(service, as);
  const { credentials } = simulator.config;
  const kept = await put({
    edr_framework: 'edr-b-ngsiem',
    credentials: { client_id: 'other', base_url: simulator.url },
  });
  assert.deepEqual([kept.body.has_secret, kept.body.settings.poll_interval_seconds], [true, 86_400]);
  assert.equal((await sync(service)).last_error, null);
  await put({
    edr_framework: 'edr-b-ngsiem',
    credentials: { ...credentials, client_secret: 'not-the-secret' },
  });
  const failed = await sync(service);
  assert.match(String(failed.last_error), /answered 401: check the credentials/);
  const tried = await call('POST', '/api/v1/shadow-ai/connector/test', { as });
  assert.deepEqual([tried.body.ok, tried.body.streams], [false, []]);
  assert.deepEqual(await detectionsOf(service, as), before);
  const everything = JSON.stringify([
    failed,
    tried.body,
    (await call('GET', config, { as })).body,
    await db.query('select * from shadow_ai.connectors'),
  ]);
  assert.ok(!everything.includes('not-the-secret') && !everything.includes('simulator-secret'));
});

test('credentials that cannot be decrypted are named, and entered again', async () => {
  await clear(service);
  await using simulator = await startSimulator({ as: 'edr-a', events });
  await connect(service, simulator);
  // As if they were encrypted with a key that is lost.
  await db.query(String.raw`update shadow_ai.connectors set secrets = '\x01ff'::bytea`);
  const shown = await call('GET', config, { as });
  assert.equal(shown.status, 200, JSON.stringify(shown.body));
  assert.match(String((await sync(service)).last_error), /cannot be decrypted .* enter them again/);
  const tried = await call('POST', '/api/v1/shadow-ai/connector/test', { as });
  assert.match(tried.body.error, /cannot be decrypted/);
  const without = await put({
    edr_framework: 'edr-a',
    credentials: { tenant_id: 'simulated', client_id: 'b' },
  });
  assert.deepEqual(
    [without.status, without.body.detail],
    [400, "'credentials.client_secret' is missing; edr-a needs it."],
  );
  await connect(service, simulator);
  assert.equal((await sync(service)).last_error, null);
});
