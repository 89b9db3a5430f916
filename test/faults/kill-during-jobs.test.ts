/** `kill -9` while jobs run: every submitted job is completed after the restart, on both databases. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type DatabaseSettings, openDatabase } from '#base/db/open.ts';
import { makeTestDatabase } from '#base/db/testing.ts';
import { createJobs } from '#base/jobs/jobs.ts';

const worker = fileURLToPath(new URL('./worker.ts', import.meta.url));
const count = 30;
const jobSettings = { pollSeconds: 1, deadAfterSeconds: 10 };
const jobOptions = { concurrency: 3, retryDelaySeconds: 1 };
/** The queue of a server waits for a missing heartbeat before it gives a job to another process. */
const longestRecoveryMs = 40_000;

/** Runs the worker and kills it when this many jobs have begun; returns those that were running. */
async function workUntilKilled(settings: DatabaseSettings, killAfter: number): Promise<void> {
  const child = spawn(process.execPath, [worker, JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(child, 'exit');
  let begun = 0;
  for await (const line of createInterface({ input: child.stdout }))
    if (line.startsWith('began ') && ++begun === killAfter) child.kill('SIGKILL');
  await exit;
  assert.equal(child.signalCode, 'SIGKILL');
}

test('jobs survive kill -9', { timeout: 120_000 }, async (t) => {
  await using database = await makeTestDatabase();
  {
    await using db = await openDatabase(database.settings);
    await using jobs = createJobs(db, jobSettings);
    await jobs.define('count', jobOptions, async () => {});
    for (let n = 1; n <= count; n++) await jobs.send('count', { n });
  }
  await workUntilKilled(database.settings, 5);
  await workUntilKilled(database.settings, 5);

  await using db = await openDatabase(database.settings);
  await using jobs = createJobs(db, jobSettings);
  await jobs.define<{ n: number }>('count', jobOptions, async ({ data }) => {
    await db.query('insert into faults.done values ($1)', [data.n]);
  });
  const begun = performance.now();
  await jobs.start();
  const missing = async () => {
    const [row] = await db.query<{ n: number }>(
      'select count(*) as n from generate_series(1, $1) n where n not in (select n from faults.done)',
      [count],
    );
    return row?.n ?? count;
  };
  while ((await missing()) > 0 && performance.now() - begun < longestRecoveryMs) await sleep(100);
  assert.equal(await missing(), 0, 'every job has run');
  t.diagnostic(`all ${count} jobs done ${Math.round(performance.now() - begun)} ms after the restart`);
});
