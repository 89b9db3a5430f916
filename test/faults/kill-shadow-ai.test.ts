/**
 * `kill -9` of shadow AI while it polls a source and takes pushed events: no detection is lost, and none is there twice.
 *
 * Runs on the embedded database, and with two processes on PostgreSQL where `BULWARK_TEST_DATABASE=postgres` says so.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { makeTestDatabase } from '#base/db/testing.ts';
import { apiHosts } from '#services/shadow-ai/fixtures/polling.ts';
import { openTestService } from '#services/shadow-ai/fixtures/service.ts';
import { asPushRow, type NeutralEvent } from '#services/shadow-ai/simulator/neutral.ts';
import { scenarioEvents } from '#services/shadow-ai/simulator/scenarios.ts';
import { seenBy } from '#services/shadow-ai/simulator/seen-by.ts';
import { startSimulator } from '#services/shadow-ai/simulator/simulator.ts';
import { serve, type Served } from './serve.ts';

// oxlint-disable-next-line node/no-process-env -- the test runner says which database
const processes = process.env['BULWARK_TEST_DATABASE'] === 'postgres' ? 2 : 1;
const env = { BULWARK_ALLOW_PRIVATE_NETWORK: 'true' };
const api = '/api/v1/shadow-ai';
const dayMs = 86_400_000;
const kills = 2;

const nowMs = Date.now();
const startMs = nowMs - 5 * dayMs;
const polled = scenarioEvents('fleet', nowMs).filter(({ atMs }) => atMs >= startMs);
/** The same devices once more, under other names, come from a collector. */
const pushed = polled.map((event) =>
  asPushRow({
    ...event,
    device: { ...event.device, uid: `pushed-${event.device.uid}`, name: `p-${event.device.name}` },
  }),
);

interface Told {
  readonly detections: readonly string[];
  readonly connections: unknown;
}

/** Everything that is told, without what differs from one run to the next. */
// oxlint-disable-next-line typescript/no-explicit-any -- whatever came.
async function told(get: (path: string) => Promise<any>): Promise<Told> {
  const since = new Date(startMs - dayMs).toISOString();
  const { events, total } = await get(`${api}/events?limit=1000&start_date=${since}`);
  assert.ok(total <= 1000, 'the list has all');
  const { providers } = await get(`/api/v1/ai-connect/by-provider?start=${since}`);
  const detections = events.map((each: object) => JSON.stringify({ ...each, id: 0, created_at: '' })).sort();
  return { detections, connections: providers };
}

async function truth(events: readonly NeutralEvent[]): Promise<Told> {
  await using service = await openTestService();
  const as = service.tokens.admin;
  for (const body of [seenBy('edr-c', events, apiHosts), pushed]) {
    const answer = await service.call('POST', `${api}/telemetry`, { as, body });
    assert.equal(answer.body.rejected_total, 0);
  }
  return await told(async (path) => (await service.call('GET', path, { as })).body);
}

async function kill(served: Served): Promise<void> {
  const gone = once(served.child, 'exit');
  served.child.kill('SIGKILL');
  await gone;
}

/** Sends all, as a collector does: what got no answer is sent again. */
async function pushAll(current: () => Served): Promise<void> {
  for (let i = 0; i < pushed.length; i += 500)
    for (;;) {
      const sent = await current()
        .send(`${api}/telemetry`, pushed.slice(i, i + 500))
        .catch(() => undefined);
      if (sent?.ok === true) break;
      await sleep(200);
    }
}

test('no detection is lost or doubled by kill -9', { timeout: 900_000 }, async (t) => {
  const expected = await truth(polled);
  assert.ok(expected.detections.length > 100);
  await using database = await makeTestDatabase();
  await using simulator = await startSimulator({ as: 'edr-c', events: polled });
  const start = () => serve('shadow-ai', database.settings, env);
  const running: Served[] = [];
  for (let i = 0; i < processes; i += 1) running.push(await start());
  try {
    const [first] = running as [Served];
    const config = {
      ...simulator.config,
      settings: { ...simulator.config.settings, history_days: 6, poll_interval_seconds: 10 },
    };
    const put = await fetch(`${first.base}${api}/config`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${first.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(config),
    });
    assert.equal(put.status, 200, await put.text());
    const pushing = pushAll(() => running[0]!);
    for (let round = 0; round < kills; round += 1) {
      await first.call(`${api}/connector/sync`, {}).catch(() => undefined);
      await sleep(3000);
      const victim = running.length - 1 - (round % running.length);
      await kill(running[victim]!);
      running[victim] = await start();
    }
    await pushing;
    // The lease of a process that died ends after a minute.
    const get = (path: string) => running[0]!.call(path);
    const deadline = Date.now() + 300_000;
    let found = await told(get);
    // Connections of streams that are still read come after the last detection.
    while (Date.now() < deadline && !isDeepStrictEqual(found, expected)) {
      await sleep(2000);
      found = await told(get);
    }
    for (;;) {
      const { streams, last_error: error } = await get(`${api}/connector/status`);
      const isDone = streams.every((each: { watermark: string | null }) => each.watermark !== null);
      if ((isDone && error === null) || Date.now() > deadline) break;
      await sleep(2000);
    }
    found = await told(get);
    t.diagnostic(`${found.detections.length} detections, ${processes} process(es), ${kills} kills`);
    assert.deepEqual(found, expected);
  } finally {
    for (const served of running) await kill(served);
  }
});
