/** Every personality of the simulator, with everything that can go wrong with it: the detections are the neutral ones. */
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
} from '#services/shadow-ai/fixtures/polling.ts';
import { openTestService } from '#services/shadow-ai/fixtures/service.ts';
import { scenarioEvents } from '#services/shadow-ai/simulator/scenarios.ts';
import { seenBy } from '#services/shadow-ai/simulator/seen-by.ts';
import {
  personalities,
  type PersonalityName,
  startSimulator,
} from '#services/shadow-ai/simulator/simulator.ts';
import { type Fault, faultNames } from '#services/shadow-ai/simulator/world.ts';

const service = await openTestService({ withJobs: true });
after(() => service[Symbol.asyncDispose]());
const as = service.tokens.admin;
const events = scenarioEvents('all', service.clock.now() - 4 * 3_600_000);

/** A schedule of everything at once, beside each fault by itself. */
const schedules: (readonly Fault[])[] = [...faultNames.map((fault) => [fault] as const), faultNames];

async function check(kind: PersonalityName, faults: readonly Fault[], isOld = false): Promise<void> {
  await clear(service);
  const truth = await pushedTruth(service, seenBy(kind, events, apiHosts));
  await using simulator = await startSimulator({ as: kind, events, faults, isOld });
  await connect(service, simulator, { overlap_seconds: 86_400 });
  let status = await sync(service);
  simulator.arriveLate();
  // A source that breaks off is read a part at a time; each part that was committed stays.
  for (let polls = 0; polls < 25 && (polls < 1 || status.last_error !== null); polls += 1)
    status = await sync(service);
  assert.equal(status.last_error, null);
  assert.deepEqual(await detectionsOf(service, as), truth.detections);
  assert.deepEqual(await connectionsOf(service, as), truth.connections);
  if (faults.includes('clock-skew')) assert.ok(Math.abs(status.clock_skew_seconds! + 600) < 30);
}

for (const kind of personalities)
  for (const faults of schedules) test(`${kind}: ${faults.join(', ')}`, () => check(kind, faults));

test('edr-c without long-running queries is queried through Deep Visibility', async () => {
  await check('edr-c', [], true);
  await check('edr-c', ['job-expiry', 'doubled', 'drift'], true);
});

test('an empty result of a source that had rows before is reported as an error and changes nothing', async () => {
  await clear(service);
  await using simulator = await startSimulator({ as: 'edr-a', events });
  await connect(service, simulator, { overlap_seconds: 86_400 });
  assert.equal((await sync(service)).last_error, null);
  const { watermark } = await sync(service);
  const before = await detectionsOf(service, as);
  await using empty = await startSimulator({ as: 'edr-a', events: [] });
  const { settings } = empty.config;
  await service.db.query('update shadow_ai.connectors set settings = $1::json', [
    JSON.stringify({ ...settings, overlap_seconds: 86_400, poll_interval_seconds: 86_400 }),
  ]);
  const status = await sync(service);
  assert.match(String(status.last_error), /answered nothing for a window in which it had rows/);
  assert.equal(status.watermark, watermark);
  assert.deepEqual(await detectionsOf(service, as), before);
});
