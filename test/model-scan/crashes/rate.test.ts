/**
 * The limit of requests per minute, audited by the target's own clock: in no window of 60 seconds has it seen more, also
 * not when the process that sent them was killed and another went on.
 *
 * 75 seconds by default; ten minutes with `BULWARK_TEST_SCAN_SECONDS=600 node --test test/model-scan/crashes/rate.test.ts`.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeTestDatabase } from '#base/db/testing.ts';
import { readDataSets } from '#engine/model-scan/data-sets.ts';
import { startScriptedTarget } from '#services/model-scan/scripted-target/server.ts';
import { startService } from './killed-service.ts';

const seconds = Number(process.env['BULWARK_TEST_SCAN_SECONDS'] ?? 75);
const queriesPerMinute = 90;
const windowMs = 60_000;

/** The most requests that begin within any window. */
function mostWithin(times: readonly number[]): number {
  let most = 0;
  let first = 0;
  for (const [last, at] of times.entries()) {
    while (at - (times[first] ?? at) >= windowMs) first++;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

test(`over ${seconds} seconds no minute has more requests than allowed`, { timeout: 900_000 }, async (t) => {
  await using database = await makeTestDatabase();
  const secretsDir = await mkdtemp(join(tmpdir(), 'bulwark-rate-'));
  t.after(() => rm(secretsDir, { recursive: true, force: true }));
  const settings = { ...database.settings, secretsDir };
  const cases = [...readDataSets().values()].flatMap((set) => set.cases);
  await using target = await startScriptedTarget({ persona: 'careful', cases, latencyMs: 20 });
  const endsAt = Date.now() + seconds * 1000;
  const model = { base_url: target.url, api_key: 'sk-of-the-target-123456', model_name: 'scripted' };
  let service = await startService(settings);
  const started = await service.post('/v1/scan/start', {
    scan_name: 'paced',
    model,
    datasets: [...readDataSets().keys()].map((name) => ({ name })),
    qpm: queriesPerMinute,
    concurrency: 16,
  });
  const scanId: string = started.body.scan_id;
  // In the middle of the first burst: what was begun before the crash still counts.
  while (target.log.length < queriesPerMinute / 2) await sleep(5);
  await service.kill();
  service = await startService(settings);
  await service.until(scanId, 'Error');
  await service.post('/v1/scan/retry', { scan_id: scanId });
  await sleep(Math.max(0, endsAt - Date.now()));
  await service.kill();
  const times = target.log.map(({ at }) => at);
  const most = mostWithin(times);
  t.diagnostic(
    `${times.length} requests in ${seconds} s; at most ${most} in any minute, ${queriesPerMinute} allowed`,
  );
  assert.ok(most <= queriesPerMinute, `${most} in a minute`);
  // Pacing that sends nothing would pass too.
  assert.ok(times.length >= queriesPerMinute * Math.floor(seconds / 60) * 0.9, `${times.length} requests`);
});
