/** Deletes old entries of the audit log. */
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import type { Jobs } from '#base/jobs/jobs.ts';
import { deleteCallsBefore } from './store.ts';

const jobName = 'agent-gateway-call-retention';
const dayMs = 86_400_000;

/** Now and every hour; 0 days: never. */
export async function scheduleCallRetention(deps: {
  db: Database;
  jobs: Jobs;
  clock: Clock;
  days: number;
}): Promise<void> {
  const { db, jobs, clock, days } = deps;
  if (days === 0) return;
  await jobs.define(jobName, { timeoutSeconds: 3600 }, () =>
    deleteCallsBefore(db, new Date(clock.now() - days * dayMs)),
  );
  await jobs.schedule(jobName, { everySeconds: 3600 });
}
