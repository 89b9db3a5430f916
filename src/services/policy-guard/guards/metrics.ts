import type { Logger } from '#base/log/log.ts';
import type { Outcome } from './guard.ts';
import { latencyBucket, latencyBucketCount } from './latency-histogram.ts';
import type { GuardCounts, MetricsStore } from './metrics-store.ts';

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
  readonly #store: MetricsStore;
  readonly #log: Logger;
  readonly #timer: NodeJS.Timeout;
  #pending = new Map<string, GuardCounts>();
  #flushing: Promise<void> = Promise.resolve();

  constructor(store: MetricsStore, log: Logger) {
    this.#store = store;
    this.#log = log;
    this.#timer = setInterval(() => {
      this.flush().catch((error: unknown) =>
        this.#log.warn({ err: error }, 'guard metrics wait for the database'),
      );
    }, flushEveryMs).unref();
  }

  count(guardUuid: string, { outcome, fromCache, latencyMs }: Evaluated): void {
    let counts = this.#pending.get(guardUuid);
    if (counts === undefined) this.#pending.set(guardUuid, (counts = none()));
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

  /** Writes what was counted so far; after a failure it is kept for the next time. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing.catch(() => undefined).then(() => this.#write());
    return this.#flushing;
  }

  /** The totals of the guards, with all that this process has counted. */
  async totals(guardUuids: readonly string[]): Promise<Map<string, GuardCounts>> {
    await this.flush();
    return this.#store.findCounts(guardUuids);
  }

  async #write(): Promise<void> {
    if (this.#pending.size === 0) return;
    const batch = this.#pending;
    this.#pending = new Map();
    try {
      await this.#store.addCounts(batch);
    } catch (error) {
      for (const [guardUuid, counts] of batch) {
        const since = this.#pending.get(guardUuid);
        if (since === undefined) this.#pending.set(guardUuid, counts);
        else add(since, counts);
      }
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    // What the database does not take now is lost; the rest of the service has to be closed all the same.
    await this.flush().catch((err: unknown) => this.#log.error({ err }, 'guard metrics were lost'));
  }
}
