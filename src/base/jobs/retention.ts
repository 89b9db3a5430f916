import type { Clock } from '../clock.ts';
import type { Jobs } from './jobs.ts';

const dayMs = 86_400_000;

/** Deletion of old log entries. */
export interface Retention {
  /** Name of the background job. */
  readonly jobName: string;
  /** Age limit; 0: keep forever. */
  readonly days: number;
  readonly jobs: Jobs;
  readonly clock: Clock;
  /** Deletes up to `limit` of the oldest entries before the moment; returns how many. */
  readonly deleteBefore: (moment: Date, limit: number) => Promise<number>;
  /** Called after all are deleted. */
  readonly afterwards?: () => Promise<void>;
}

/** Entries per statement: on the embedded database all other statements wait for it. */
const batch = 2000;

/** Deletes entries older than the limit, now and every hour. */
export async function scheduleRetention(retention: Retention): Promise<void> {
  const { jobName, days, jobs, clock, deleteBefore, afterwards } = retention;
  if (days === 0) return;
  await jobs.define(jobName, { timeoutSeconds: 3600 }, async ({ signal }) => {
    const moment = new Date(clock.now() - days * dayMs);
    while (!signal.aborted && (await deleteBefore(moment, batch)) === batch);
    if (!signal.aborted) await afterwards?.();
  });
  await jobs.schedule(jobName, { everySeconds: 3600 });
}
