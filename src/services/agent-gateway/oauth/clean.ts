/** Deletes expired records, and clients that nobody uses. */
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import type { Jobs } from '#base/jobs/jobs.ts';
import { deleteUnusedClients } from './client-store.ts';
import { deleteExpired } from './store.ts';

const jobName = 'agent-gateway-oauth-clean';
const dayMs = 86_400_000;

/** Runs now and every hour. A client without a consent is deleted after a day. */
export async function scheduleClean(deps: {
  db: Database;
  jobs: Jobs;
  clock: Clock;
  unusedClientDays: number;
}): Promise<void> {
  const { db, jobs, clock, unusedClientDays } = deps;
  await jobs.define(jobName, { timeoutSeconds: 3600 }, async () => {
    const nowMs = clock.now();
    await deleteExpired(db, new Date(nowMs));
    await deleteUnusedClients(db, {
      neverUsedSince: new Date(nowMs - dayMs),
      unusedSince: new Date(nowMs - unusedClientDays * dayMs),
    });
  });
  await jobs.schedule(jobName, { everySeconds: 3600 });
}
