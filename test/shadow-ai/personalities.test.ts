/** Every scenario through every personality while everything goes wrong; the table in the service's README is what comes of it. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import {
  apiHosts,
  clear,
  connect,
  detectionsOf,
  pushedTruth,
  sync,
} from '#services/shadow-ai/fixtures/polling.ts';
import { openTestService } from '#services/shadow-ai/fixtures/service.ts';
import { asPushRow } from '#services/shadow-ai/simulator/neutral.ts';
import { scenarioEvents, scenarioNames } from '#services/shadow-ai/simulator/scenarios.ts';
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
const startMs = service.clock.now() - 4 * 3_600_000;
/** All of them at once. */
const schedule: readonly Fault[] = faultNames;
const scenarios = scenarioNames.filter((name) => name !== 'all' && name !== 'fleet');

interface Shown {
  device_name: string;
  agent_framework: string;
}

/** `3` where all detections are the neutral ones; else how many are, how many are so in part, and of how many. */
function cell(found: readonly object[], neutral: readonly object[]): string {
  const same = neutral.filter((each) =>
    found.some((other) => JSON.stringify(other) === JSON.stringify(each)),
  );
  if (same.length === neutral.length && found.length === neutral.length) return String(neutral.length);
  const nameOf = (each: object) => `${(each as Shown).device_name} ${(each as Shown).agent_framework}`;
  const inPart = new Set(found.map(nameOf).filter((name) => neutral.some((each) => nameOf(each) === name)));
  for (const each of same) inPart.delete(nameOf(each));
  return `${same.length} of ${neutral.length}, ${inPart.size} in part`;
}

async function polled(kind: PersonalityName, events: ReturnType<typeof scenarioEvents>): Promise<object[]> {
  await using simulator = await startSimulator({ as: kind, events, faults: schedule });
  await connect(service, simulator, { overlap_seconds: 86_400 });
  let status = await sync(service);
  simulator.arriveLate();
  for (let polls = 0; polls < 25 && (polls < 1 || status.last_error !== null); polls += 1)
    status = await sync(service);
  assert.equal(status.last_error, null);
  return await detectionsOf(service, as);
}

const rows: string[] = [];
for (const scenario of scenarios)
  test(`${scenario}: each personality gives what its kind can see`, async () => {
    const events = scenarioEvents(scenario, startMs);
    await clear(service);
    const { detections: neutral } = await pushedTruth(service, events.map(asPushRow));
    const cells: string[] = [];
    for (const kind of personalities) {
      await clear(service);
      const { detections: seen } = await pushedTruth(service, seenBy(kind, events, apiHosts));
      const found = await polled(kind, events);
      assert.deepEqual(found, seen, kind);
      cells.push(cell(found, neutral));
    }
    rows.push(`| ${[scenario, String(neutral.length), ...cells].join(' | ')} |`);
  });

test('the table of the README is true', async () => {
  const readme = await readFile(join(import.meta.dirname, '../../src/services/shadow-ai/README.md'), 'utf8');
  const table = readme
    .split('\n')
    .filter((line) => scenarios.some((name) => line.startsWith(`| ${name} `)))
    .map((line) => line.replaceAll(/ +/g, ' '));
  assert.deepEqual(table, rows);
});
