/**
 * Runs the job `count` until it is killed: `node test/faults/worker.ts <settings as JSON>`.
 *
 * Each run prints that it began, waits a moment, and records in the database that it is done.
 */
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseSettings, openDatabase } from '#base/db/open.ts';
import { createJobs } from '#base/jobs/jobs.ts';

const [settings = '{}'] = process.argv.slice(2);
await using db = await openDatabase(JSON.parse(settings) as DatabaseSettings);
await db.script('create schema if not exists faults; create table if not exists faults.done (n int)');
await using jobs = createJobs(db, { pollSeconds: 1, deadAfterSeconds: 10 });
await jobs.define<{ n: number }>('count', { concurrency: 3, retryDelaySeconds: 1 }, async ({ data }) => {
  writeSync(1, `began ${data.n}\n`);
  await sleep(50);
  await db.query('insert into faults.done values ($1)', [data.n]);
});
await jobs.start();
writeSync(1, 'ready\n');
await sleep(600_000);
