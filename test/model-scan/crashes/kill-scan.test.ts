/**
 * `kill -9` at random points of a scan. The target's own log has every conversation once, but for those that were on
 * their way when the process died, and the summary is byte for byte that of a scan that nothing disturbed.
 *
 * Four kills by default, at points that the seed chooses; the full figure with
 * `BULWARK_TEST_SCAN_KILLS=20 node --test test/model-scan/crashes/kill-scan.test.ts`, `BULWARK_TEST_SCAN_SEED=…` for other points, and with
 * `--postgres` on PostgreSQL.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeTestDatabase } from '#base/db/testing.ts';
import { randomFor } from '#engine/attacks/seeds.ts';
import { readDataSets } from '#engine/model-scan/data-sets.ts';
import { type ScriptedTarget, startScriptedTarget } from '#services/model-scan/scripted-target/server.ts';
import { type KilledService, startService } from './killed-service.ts';

const kills = Number(process.env['BULWARK_TEST_SCAN_KILLS'] ?? 4);
const seed = Number(process.env['BULWARK_TEST_SCAN_SEED'] ?? 15);
const mostCases = 2000;
const concurrency = 8;
/** On their way: at the target, or answered and not stored yet. */
const mostOnTheirWay = concurrency + 2;

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

/** What the target was sent, beside what was stored after each kill. */
class Audit {
  readonly #target: ScriptedTarget;
  readonly #begun: number;
  /** Conversations that were on their way when the process died, and how often. */
  readonly #inFlight = new Map<string, number>();

  constructor(target: ScriptedTarget) {
    this.#target = target;
    this.#begun = target.log.length;
  }

  async untilSent(count: number): Promise<void> {
    while (this.#target.log.length - this.#begun < count) await sleep(1);
  }

  sent(): Map<string, number> {
    return countsSince(this.#target, this.#begun);
  }

  /** Names what was sent and is not stored; answers how many. */
  lostAt(sent: ReadonlyMap<string, number>, stored: ReadonlyMap<string, number> | undefined): number {
    let lost = 0;
    for (const [digest, times] of sent) {
      const before = this.#inFlight.get(digest) ?? 0;
      const now = Math.max(0, times - before - (stored?.get(digest) ?? 0));
      this.#inFlight.set(digest, before + now);
      lost += now;
    }
    return lost;
  }

  /** @returns how many conversations were sent again, each of which was on its way at a kill */
  sentAgain(expected: ReadonlyMap<string, number>): number {
    const sent = this.sent();
    for (const [digest, times] of expected)
      assert.ok((sent.get(digest) ?? 0) >= times, 'a unit was not sent');
    let again = 0;
    for (const [digest, times] of sent) {
      const extra = times - (expected.get(digest) ?? 0);
      const allowed = this.#inFlight.get(digest) ?? 0;
      assert.ok(extra <= allowed, 'a unit was sent again whose reply was stored');
      again += extra;
    }
    return again;
  }
}

/** Points at which a scan of so many requests is killed. */
function killPoints(requests: number): number[] {
  const random = randomFor(seed, 'kills');
  const points = Array.from({ length: kills }, () => Math.floor(random.next() * requests * 0.97));
  return points.toSorted((a, b) => a - b);
}

test(`nothing is sent twice through ${kills} kills of a scan`, { timeout: 1_200_000 }, async (context) => {
  const { sets, count } = chosenSets();
  const cases = sets.flatMap((set) => set.cases);
  await using database = await makeTestDatabase();
  const secretsDir = await mkdtemp(join(tmpdir(), 'bulwark-kill-scan-'));
  context.after(() => rm(secretsDir, { recursive: true, force: true }));
  const settings = { ...database.settings, secretsDir };
  await using target = await startScriptedTarget({ persona: 'crescendo', cases, latencyMs: 4 });
  let service: KilledService = await startService(settings);
  const start = async (scanName: string): Promise<string> => {
    const { body } = await service.post('/v1/scan/start', {
      scan_name: scanName,
      model: { base_url: target.url, api_key: 'sk-of-the-target-123456', model_name: 'scripted' },
      datasets: sets.map(({ name }) => ({ name })),
      algorithms: ['Crescendo Attack', 'Flip Attack'],
      concurrency,
    });
    return body.scan_id;
  };
  const summaryOf = async (scanId: string) => {
    await service.until(scanId, 'Finished');
    return (await service.post('/v1/scan/summary', { scan_id: scanId })).text;
  };

  const undisturbed = await summaryOf(await start('undisturbed'));
  const expected = countsSince(target, 0);
  const requests = target.log.length;
  const points = killPoints(requests);
  const audit = new Audit(target);
  const scanId = await start('killed');
  for (const point of points) {
    await audit.untilSent(point);
    await service.kill();
    const sent = audit.sent();
    service = await startService(settings);
    const lost = audit.lostAt(sent, service.stored.get(scanId));
    assert.ok(lost <= mostOnTheirWay, `${lost} replies were lost at once`);
    const progress = await service.until(scanId, 'Error', 'Finished');
    if (progress.status === 'Finished') continue;
    assert.match(progress.error, /retry continues it/);
    const retried = await service.post('/v1/scan/retry', { scan_id: scanId });
    assert.equal(retried.status, 200, retried.text);
  }
  const disturbed = await summaryOf(scanId);
  await service.kill();
  assert.equal(disturbed, undisturbed);
  const again = audit.sentAgain(expected);
  context.diagnostic(
    `${count} cases, ${requests} requests; killed at ${points.join(', ')}; ${again} on their way were sent again`,
  );
});
