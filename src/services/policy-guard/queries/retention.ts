import type { Clock } from '#base/clock.ts';
import type { Queries as Database } from '#base/db/database.ts';
import type { Jobs } from '#base/jobs/jobs.ts';
import { firstIdAt } from './query.ts';
import { deleteQueriesBefore } from './store.ts';

const jobName = 'policy-guard-query-retention';
const dayMs = 86_400_000;
const batch = 2000;

/** Deletes entries of the query log that are older than so many days, now and every hour; 0 days: never. */
export async function scheduleRetention(deps: {
  db: Database;
  jobs: Jobs;
  clock: Clock;
  days: number;
}): Promise<void> {
  const { db, jobs, clock, days } = deps;
  if (days === 0) return;
  await jobs.define(jobName, { timeoutSeconds: 3600 }, async ({ signal }) => {
    const before = firstIdAt(clock.now() - days * dayMs);
    while (!signal.aborted && (await deleteQueriesBefore(db, before, batch)) === batch);
  });
  await jobs.schedule(jobName, { everySeconds: 3600 });
}
