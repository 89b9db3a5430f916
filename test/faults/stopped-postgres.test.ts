/**
 * A real PostgreSQL whose processes are stopped (SIGSTOP) and continued: requests that need it are refused in time,
 * cached verdicts continue for as long as the deployment allows, and a run in progress ends exactly once.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasOwnPostgres, type OwnPostgres, startOwnPostgres } from '../fixtures/own-postgres.ts';
import { ended, endsOf, observe, owner, startWorker, unitsOf, upTo } from './run-kinds.ts';
import { serve } from './serve.ts';

const staleSeconds = 10;
const refusedWithinMs = 5000;

/** Fails with the last response if the expected one never comes. */
async function until<T>(ask: () => Promise<T>, isSo: (answer: T) => boolean): Promise<void> {
  let answer: T | undefined;
  for (let i = 0; i < 300; i++) {
    answer = await ask();
    if (isSo(answer)) return;
    await sleep(100);
  }
  assert.fail(`never: ${JSON.stringify(answer)}`);
}

const skip = hasOwnPostgres ? false : 'needs the programs of PostgreSQL';

describe('a stopped PostgreSQL', { skip, timeout: 300_000 }, () => {
  let postgres: OwnPostgres;
  before(async () => {
    postgres = await startOwnPostgres();
  });
  after(() => postgres[Symbol.asyncDispose]());

  test('requests get 503 in time, cached verdicts continue for the configured time, and everything recovers', async (t) => {
    const { child, call, send } = await serve(
      'policy-guard',
      { dataDir: '', url: postgres.url },
      {
        BULWARK_PORT_POLICY_GUARD: '0',
        BULWARK_GRPC_ENABLED: 'false',
        BULWARK_DATABASE_STALE_SECONDS: String(staleSeconds),
      },
    );
    t.after(() => child.kill('SIGKILL'));
    const guard = await call('/api/guards', { name: 'G' });
    const { key } = (await call('/api/api-keys', { name: 'warm' })) as { key: string };
    const judge = async () => {
      const body = { guard_uuid: guard.guard_uuid, text: `a text of ${Math.random()}` };
      const begunMs = performance.now();
      const { status } = await send('/api/topic_guard', body, { authorization: `Bearer ${key}` });
      return { status, begunMs, endedMs: performance.now() };
    };
    assert.equal((await judge()).status, 200);

    postgres.freeze();
    const frozenMs = performance.now();
    const begunMs = performance.now();
    const refused = await send('/api/guards');
    assert.equal(refused.status, 503, await refused.text());
    assert.ok(performance.now() - begunMs < refusedWithinMs, 'a documented limit');
    let verdict = await judge();
    while (verdict.endedMs - frozenMs < staleSeconds * 1000) {
      assert.equal(verdict.status, 200);
      await sleep(100);
      verdict = await judge();
    }
    await until(judge, ({ status }) => status === 503);
    const late = await judge();
    assert.ok(late.endedMs - late.begunMs < refusedWithinMs, 'a documented limit');
    assert.equal((await send('/livez')).status, 200);
    assert.equal((await send('/readyz')).status, 503);

    postgres.thaw();
    await until(
      async () => (await send('/readyz')).status,
      (status) => status === 200,
    );
    assert.equal((await judge()).status, 200);
    assert.equal((await send('/api/guards')).status, 200);
  });

  test('a run in progress ends once, with each of its units once, whichever process continues it', async () => {
    const settings = { dataDir: '', url: postgres.url };
    const leaseMs = 2000;
    await using observed = await observe(settings);
    const id = await observed.kind.start(owner, { units: 20, unitMs: 50 });
    await using first = startWorker(settings, leaseMs);
    await first.noted('unit', 5);
    await using second = startWorker(settings, leaseMs);
    await second.noted('ready');
    postgres.freeze();
    // Longer than the lease, so that the other process may take over the run.
    await sleep(2 * leaseMs);
    postgres.thaw();
    // A watcher may also see the database fail.
    await until(
      () => ended(observed, id).then((run) => run?.status, String),
      (status) => status === 'completed',
    );
    assert.deepEqual(await unitsOf(observed, id), upTo(20));
    assert.equal(await endsOf(observed, id), 1);
  });
});
