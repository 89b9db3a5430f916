/**
 * `kill -9` at random points of a scan. The target's own log has every conversation once, but for those that were on
 * their way when the process died, and the summary is byte for byte that of a scan that nothing disturbed.
 *
 * Four kills by default, at points that the seed chooses; the full figure with
 * `BULWARK_TEST_SCAN_KILLS=20 node tools/test.ts kill-scan`, `BULWARK_TEST_SCAN_SEED=…` for other points, and with
 * `--postgres` on PostgreSQL.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeTestDatabase } from '#base/db/testing.ts';
import { randomFor } from '#engine/attacks/seeds.ts';
import { readDataSets } from '#engine/model-scan/data-sets.ts';
import { type ScriptedTarget, startScriptedTarget } from '#services/model-scan/scripted-target/server.ts';
import { type KilledService, startService } from './killed-service.ts';

const kills = Number(process.env['BULWARK_TEST_SCAN_KILLS'] ?? 4);
const seed = Number(process.env['BULWARK_TEST_SCAN_SEED'] ?? 15);
const mostCases = 2000;
const concurrency = 8;

const digestOf = (conversation: string) => createHash('sha256').update(conversation).digest('hex');
const isProbe = (conversation: string) => conversation.includes('Answer with the word OK.');

/** How often the target was sent each conversation since a point of its log. */
function countsSince(target: ScriptedTarget, from: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { conversation } of target.log.slice(from)) {
    if (isProbe(conversation)) continue;
    const digest = digestOf(conversation);
    counts.set(digest, (counts.get(digest) ?? 0) + 1);
  }
  return counts;
}

/** Sets with together about as many cases as wanted. */
function chosenSets() {
  const chosen = [];
  let count = 0;
  for (const set of readDataSets().values()) {
    if (count + set.cases.length > mostCases) continue;
    chosen.push(set);
    count += set.cases.length;
  }
  return { sets: chosen, count };
}

test(`nothing is sent twice through ${kills} kills of a scan`, { timeout: 1_200_000 }, async (context) => {
  const { sets, count } = chosenSets();
  const cases = sets.flatMap((set) => set.cases);
  await using database = await makeTestDatabase();
  const secretsDir = await mkdtemp(join(tmpdir(), 'bulwark-kill-scan-'));
  context.after(() => rm(secretsDir, { recursive: true, force: true }));
  const settings = { ...database.settings, secretsDir };
  await using target = await startScriptedTarget({ persona: 'crescendo', cases, latencyMs: 4 });
  const request = (scanName: string) => ({
    scan_name: scanName,
    model: { base_url: target.url, api_key: 'sk-of-the-target-123456', model_name: 'scripted' },
    datasets: sets.map(({ name }) => ({ name })),
    algorithms: ['Crescendo Attack', 'Flip Attack'],
    concurrency,
  });

  let service: KilledService = await startService(settings);
  const whole = await service.post('/v1/scan/start', request('undisturbed'));
  await service.until(whole.body.scan_id, 'Finished');
  const expected = countsSince(target, 0);
  const requests = target.log.length;
  const undisturbed = await service.post('/v1/scan/summary', { scan_id: whole.body.scan_id });

  const begun = target.log.length;
  const random = randomFor(seed, 'kills');
  const points = Array.from({ length: kills }, () => Math.floor(random.next() * requests * 0.97)).toSorted(
    (a, b) => a - b,
  );
  const started = await service.post('/v1/scan/start', request('killed'));
  const scanId: string = started.body.scan_id;
  /** Conversations that were on their way when the process died, and how often. */
  const inFlight = new Map<string, number>();
  for (const point of points) {
    while (target.log.length - begun < point) await new Promise((resolve) => setTimeout(resolve, 1));
    await service.kill();
    const sent = countsSince(target, begun);
    service = await startService(settings);
    const stored = service.stored.get(scanId);
    let lost = 0;
    for (const [digest, times] of sent) {
      const before = inFlight.get(digest) ?? 0;
      const now = times - before - (stored?.get(digest) ?? 0);
      if (now > 0) inFlight.set(digest, before + now);
      lost += Math.max(0, now);
    }
    assert.ok(lost <= concurrency, `${lost} replies were lost at once`);
    const progress = await service.until(scanId, 'Error', 'Finished');
    if (progress.status === 'Finished') continue;
    assert.match(progress.error, /retry continues it/);
    const retried = await service.post('/v1/scan/retry', { scan_id: scanId });
    assert.equal(retried.status, 200, retried.text);
  }
  await service.until(scanId, 'Finished');
  const disturbed = await service.post('/v1/scan/summary', { scan_id: scanId });
  await service.kill();

  assert.equal(disturbed.text, undisturbed.text);
  const sent = countsSince(target, begun);
  for (const [digest, times] of expected) assert.ok((sent.get(digest) ?? 0) >= times, 'a unit was not sent');
  let again = 0;
  for (const [digest, times] of sent) {
    const extra = times - (expected.get(digest) ?? 0);
    assert.ok(extra <= (inFlight.get(digest) ?? 0), 'a unit was sent again whose reply was stored');
    again += extra;
  }
  context.diagnostic(
    `${count} cases, ${requests} requests; killed at ${points.join(', ')}; ${again} on their way were sent again`,
  );
});
