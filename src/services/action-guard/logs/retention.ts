/** Deletes old log entries, and what was counted from them. */
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import type { Jobs } from '#base/jobs/jobs.ts';
import { deleteEmptyCounts, deleteLogsBefore } from './retention-store.ts';

const jobName = 'action-guard-log-retention';
const dayMs = 86_400_000;
const batch = 2000;

/** Deletes what is older than so many days, now and every hour; 0 days: never. */
export async function scheduleRetention(deps: {
  db: Database;
  jobs: Jobs;
  clock: Clock;
  days: number;
}): Promise<void> {
  const { db, jobs, clock, days } = deps;
  if (days === 0) return;
  await jobs.define(jobName, { timeoutSeconds: 3600 }, async ({ signal }) => {
    const before = new Date(clock.now() - days * dayMs);
    while (!signal.aborted && (await deleteLogsBefore(db, before, batch)) === batch);
    await deleteEmptyCounts(db);
  });
  await jobs.schedule(jobName, { everySeconds: 3600 });
}
