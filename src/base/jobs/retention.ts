import type { Clock } from '../clock.ts';
import type { Jobs } from './jobs.ts';

const dayMs = 86_400_000;

/** How entries of a log go when they are old. */
export interface Retention {
  /** Of the background job. */
  readonly jobName: string;
  /** 0: never. */
  readonly days: number;
  readonly jobs: Jobs;
  readonly clock: Clock;
  /** Deletes up to so many of the oldest entries from before the moment; answers how many. Stops where that was all. */
  readonly deleteBefore: (moment: Date, limit: number) => Promise<number>;
  /** What follows, once all have gone. */
  readonly afterwards?: () => Promise<void>;
}

/** Entries of one statement: all others wait for it on the embedded database. */
const batch = 2000;

/** Deletes what is older than so many days, now and every hour. */
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
