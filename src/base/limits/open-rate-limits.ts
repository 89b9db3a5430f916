import type { Clock } from '../clock.ts';
import type { PlatformConfig } from '../config/platform.ts';
import type { Database } from '../db/database.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Logger } from '../log/log.ts';
import { postgresBuckets, scheduleBucketCleaning } from './postgres-buckets.ts';
import { createRateLimits, type RateLimits } from './rate-limits.ts';
import { redisBuckets } from './redis-buckets.ts';

interface Surroundings {
  readonly config: Pick<PlatformConfig, 'redis'>;
  readonly db: Database;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Shared through Redis where there is one, else through PostgreSQL; over the embedded database there is one process. */
export async function openRateLimits({ config, db, jobs, clock, log }: Surroundings): Promise<RateLimits> {
  const { url, timeoutMs } = config.redis;
  if (url !== undefined) return createRateLimits({ clock, log, shared: redisBuckets({ url, timeoutMs }) });
  if (db.kind === 'pglite') return createRateLimits({ clock, log });
  await scheduleBucketCleaning(db, jobs);
  return createRateLimits({ clock, log, shared: postgresBuckets(db) });
}
