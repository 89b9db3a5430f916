import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../db/database.ts';
import { openTestDatabase } from '../db/testing.ts';
import { createJobs, type Jobs } from './jobs.ts';

let db: Database;
before(async () => {
  db = await openTestDatabase();
});
after(async () => db[Symbol.asyncDispose]());

const until = async (reached: () => boolean, withinMs = 60_000) => {
  const begun = Date.now();
  while (!reached() && Date.now() - begun < withinMs) await sleep(10);
  assert.ok(reached(), `within ${withinMs} ms`);
};

const states = (jobs: string) =>
  db.query('select state::text, count(*) as n from jobs.job where name = $1 group by state order by state', [
    jobs,
  ]);

test('without a defined job no queue tables are created', async () => {
  await using own = await openTestDatabase();
  await using jobs = createJobs(own);
  await jobs.start();
  assert.deepEqual(await own.query(`select to_regnamespace('jobs')::text as there`), [{ there: null }]);
});

test('a job runs soon, with its data, and once', async () => {
  const ran: { text: string }[] = [];
  // Nobody waits for the next poll here: only what runs at once runs at all.
  await using jobs = createJobs(db, { pollSeconds: 600 });
  await jobs.define<{ text: string }>('echo', {}, async ({ data }) => {
    ran.push(data);
  });
  assert.equal(typeof (await jobs.send('echo', { text: 'before the start' })), 'string');
  await jobs.start();
  await until(() => ran.length === 1);
  await jobs.send('echo', { text: 'nul \0 and \ud800' });
  await until(() => ran.length === 2);
  assert.deepEqual(ran, [{ text: 'before the start' }, { text: 'nul \uFFFD and \uFFFD' }]);
});

test('an undefined name is refused, and so is a second definition of a name', async () => {
  await using jobs = createJobs(db);
  await assert.rejects(jobs.send('nobody', {}), /not defined/);
  await jobs.define('once', {}, async () => {});
  await assert.rejects(
    jobs.define('once', {}, async () => {}),
    /defined already/,
  );
});

test('the number of concurrent jobs is limited by name', async () => {
  let now = 0;
  let most = 0;
  let done = 0;
  await using jobs = createJobs(db);
  await jobs.define('narrow', { concurrency: 2 }, async () => {
    most = Math.max(most, ++now);
    await sleep(30);
    now--;
    done++;
  });
  await jobs.start();
  await Promise.all(Array.from({ length: 8 }, () => jobs.send('narrow', {})));
  await until(() => done === 8);
  assert.equal(most, 2);
});

test('a failed job is retried up to its limit', async () => {
  let runs = 0;
  const warnings: string[] = [];
  await using jobs = createJobs(db, { pollSeconds: 1, onWarning: (message) => warnings.push(message) });
  await jobs.define('fragile', { retries: 1, retryDelaySeconds: 1 }, async () => {
    runs++;
    throw new Error('broken \0 run');
  });
  await jobs.start();
  await jobs.send('fragile', {});
  await until(() => runs === 2);
  while ((await states('fragile'))[0]?.['state'] !== 'failed') await sleep(20);
  assert.deepEqual(await states('fragile'), [{ state: 'failed', n: 1 }]);
});

test('of several sends within one time slot only the first creates a job', async () => {
  await using jobs = createJobs(db);
  await jobs.define('hourly', {}, async () => {});
  const sent = await Promise.all([1, 2, 3].map(() => jobs.send('hourly', {}, { everySeconds: 3600 })));
  assert.equal(sent.filter((id) => id !== null).length, 1);
});

test('a scheduled job repeats, and two processes run it once per interval', async () => {
  const ran: string[] = [];
  const process = async (name: string): Promise<Jobs> => {
    const jobs = createJobs(db);
    await jobs.define('tick', {}, async () => {
      ran.push(name);
    });
    await jobs.schedule('tick', { everySeconds: 1 });
    await jobs.start();
    return jobs;
  };
  await using _one = await process('one');
  await using _two = await process('two');
  await until(() => ran.length >= 3);
  const runs = ran.length;
  const intervals = await db.query<{ on: string }>(
    `select singleton_on::text as on from jobs.job where name = 'tick'`,
  );
  assert.equal(new Set(intervals.map(({ on }) => on)).size, intervals.length, 'one job per interval');
  assert.ok(runs <= intervals.length, 'each job ran once');
});

test('a cron schedule is stored in the database, and an invalid one is refused', async () => {
  await using jobs = createJobs(db);
  await jobs.define('nightly', {}, async () => {});
  await jobs.schedule('nightly', { cron: '0 3 * * *' }, { full: true });
  await jobs.start();
  assert.deepEqual(await db.query(`select cron, timezone, data from jobs.schedule where name = 'nightly'`), [
    { cron: '0 3 * * *', timezone: 'UTC', data: { full: true } },
  ]);
  await assert.rejects(jobs.schedule('nightly', { cron: 'at three' }), Error);
});

test('a job sent in a transaction exists only if the transaction commits', async () => {
  const ran: number[] = [];
  await using jobs = createJobs(db);
  await jobs.define<{ n: number }>('joined', {}, async ({ data }) => {
    ran.push(data.n);
  });
  await jobs.start();
  await assert.rejects(
    db.transaction(async (tx) => {
      await jobs.send('joined', { n: 1 }, { tx });
      throw new Error('rolled back');
    }),
    /rolled back/,
  );
  await db.transaction(async (tx) => jobs.send('joined', { n: 2 }, { tx }));
  await until(() => ran.length === 1);
  assert.deepEqual(ran, [2]);
});

test('stopping waits for running jobs', async () => {
  let ended = false;
  await using jobs = createJobs(db, { graceMs: 5_000 });
  let began = false;
  await jobs.define('patient', {}, async () => {
    began = true;
    await sleep(300);
    ended = true;
  });
  await jobs.start();
  await jobs.send('patient', {});
  await until(() => began);
  await jobs[Symbol.asyncDispose]();
  assert.ok(ended);
  assert.deepEqual(await states('patient'), [{ state: 'completed', n: 1 }]);
  await assert.rejects(jobs.send('patient', {}), /shutting down/);
});

test('a job that exceeds the grace period is aborted, and runs again after the next start', async () => {
  const runs: string[] = [];
  const endless = async ({ signal }: { signal: AbortSignal }) => {
    runs.push('began');
    await sleep(60_000, undefined, { signal }).catch(() => runs.push('told'));
  };
  await using jobs = createJobs(db, { graceMs: 1_000, pollSeconds: 1 });
  await jobs.define('endless', { retryDelaySeconds: 1 }, endless);
  await jobs.start();
  await jobs.send('endless', {});
  await until(() => runs.length === 1);
  await jobs[Symbol.asyncDispose]();
  assert.deepEqual(runs, ['began', 'told']);
  assert.deepEqual(await states('endless'), [{ state: 'retry', n: 1 }]);

  let again = false;
  await using later = createJobs(db, { pollSeconds: 1 });
  await later.define('endless', {}, async () => {
    again = true;
  });
  await later.start();
  await until(() => again);
});
