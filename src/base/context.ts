import type { Artifacts } from './artifacts/artifacts.ts';
import type { Cache } from './cache/cache.ts';
import type { Clock } from './clock.ts';
import type { PlatformConfig } from './config/platform.ts';
import type { Database } from './db/database.ts';
import type { Jobs } from './jobs/jobs.ts';
import type { Runs } from './jobs/runs/runs.ts';
import type { Logger } from './log/log.ts';
import type { ProcessMetrics } from './metrics/process-metrics.ts';
import type { Tracing } from './tracing/tracing.ts';

/** What the process gives to each of its services. */
export interface PlatformContext {
  readonly version: string;
  readonly config: PlatformConfig;
  readonly db: Database;
  readonly jobs: Jobs;
  readonly runs: Runs;
  readonly cache: Cache;
  readonly log: Logger;
  /** Carried by the first service whose metrics are on. */
  readonly processMetrics?: ProcessMetrics | undefined;
  readonly clock: Clock;
  /** Absent in contexts of tests that keep no files. */
  readonly artifacts?: Artifacts | undefined;
  /** Absent where nothing is traced. */
  readonly tracing?: Tracing | undefined;
  /** Refuse answers with undeclared fields instead of dropping these; for tests. */
  readonly strictAnswers: boolean;
}
