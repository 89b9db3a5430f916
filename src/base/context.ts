import type { Artifacts } from './artifacts/artifacts.ts';
import type { Cache } from './cache/cache.ts';
import type { Clock } from './clock.ts';
import type { PlatformConfig } from './config/platform.ts';
import type { Database } from './db/database.ts';
import type { ChangeNotices } from './events/change-notices.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Runs } from './jobs/runs/runs.ts';
import type { RateLimits } from './limits/rate-limits.ts';
import type { Logger } from './log/log.ts';
import type { ProcessMetrics } from './metrics/process-metrics.ts';
import type { Tracing } from './tracing/tracing.ts';

/** Shared dependencies that the process passes to each of its services. */
export interface PlatformContext {
  readonly version: string;
  readonly config: PlatformConfig;
  readonly db: Database;
  readonly jobs: Jobs;
  readonly runs: Runs;
  readonly cache: Cache;
  /** Absent in contexts of tests, where each service counts in its memory. */
  readonly rateLimits?: RateLimits | undefined;
  /** Absent in contexts of tests that nobody listens to. */
  readonly changes?: Pick<ChangeNotices, 'note'> | undefined;
  readonly log: Logger;
  /** Registered by the first service whose metrics are enabled. */
  readonly processMetrics?: ProcessMetrics | undefined;
  readonly clock: Clock;
  /** Absent in tests that store no files. */
  readonly artifacts?: Artifacts | undefined;
  /** Absent if tracing is off. */
  readonly tracing?: Tracing | undefined;
  /** Fail on responses with undeclared fields instead of dropping those fields; for tests. */
  readonly strictAnswers: boolean;
}
