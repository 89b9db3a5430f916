import type { Queries } from '#base/db/database.ts';
import { CountWriter } from '#base/db/count-writer.ts';
import type { Logger } from '#base/log/log.ts';
import type { Outcome } from './guard.ts';
import { latencyBucket, latencyBucketCount } from './latency-histogram.ts';
import { addCounts, findCounts, type GuardCounts } from './metrics-store.ts';

export interface Evaluated {
  outcome: Outcome;
  fromCache: boolean;
  latencyMs: number;
}

const flushEveryMs = 1000;

function add(to: GuardCounts, more: GuardCounts): void {
  to.requests += more.requests;
  to.flagged += more.flagged;
  to.observed += more.observed;
  to.allowed += more.allowed;
  to.cacheHits += more.cacheHits;
  to.latencyMsSum += more.latencyMsSum;
  to.latencyBuckets = to.latencyBuckets.map((count, i) => count + (more.latencyBuckets[i] ?? 0));
  if (more.lastCalledAt > to.lastCalledAt) to.lastCalledAt = more.lastCalledAt;
}

const none = (): GuardCounts => ({
  requests: 0,
  flagged: 0,
  observed: 0,
  allowed: 0,
  cacheHits: 0,
  latencyMsSum: 0,
  latencyBuckets: Array.from({ length: latencyBucketCount }, () => 0),
  lastCalledAt: new Date(0),
});

/** Counts evaluations in memory and adds them to the database once a second, so that no verdict waits for a write. */
export class GuardMetrics implements AsyncDisposable {
  readonly #db: Queries;
  readonly #counts: CountWriter<GuardCounts>;

  constructor(db: Queries, log: Logger) {
    this.#db = db;
    this.#counts = new CountWriter({
      write: (counts) => addCounts(db, counts),
      merge: add,
      everyMs: flushEveryMs,
      what: 'guard metrics',
      log,
    });
  }

  count(guardUuid: string, { outcome, fromCache, latencyMs }: Evaluated): void {
    const counts = this.#counts.of(guardUuid, none);
    counts.requests += 1;
    counts.flagged += Number(outcome === 'flagged');
    counts.observed += Number(outcome === 'observed');
    counts.allowed += Number(outcome === 'allowed');
    counts.cacheHits += Number(fromCache);
    counts.latencyMsSum += latencyMs;
    const bucket = latencyBucket(latencyMs);
    counts.latencyBuckets[bucket] = (counts.latencyBuckets[bucket] ?? 0) + 1;
    counts.lastCalledAt = new Date();
  }

  /** The totals of the guards, with all that this process has counted. */
  async totals(guardUuids: readonly string[]): Promise<Map<string, GuardCounts>> {
    await this.#counts.flush();
    return findCounts(this.#db, guardUuids);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#counts[Symbol.asyncDispose]();
  }
}
