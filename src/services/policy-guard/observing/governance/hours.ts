/** What guards judged hour by hour, for those who watch them. */
import type { Clock } from '#base/clock.ts';
import type { Queries } from '#base/db/database.ts';
import type { Caller } from '#identity/caller.ts';
import { latencyBucketCount, latencyQuantile } from '../../guards/latency-histogram.ts';
import { listLatencies, sumByHour, type BucketCount, type HourCounts } from './hours-store.ts';
import type { Counts } from './store.ts';
import { scopeOf } from './summary.ts';
import { hourMs, hourOf } from './usage.ts';

export interface HoursDeps {
  readonly db: Queries;
  readonly clock: Clock;
  /** Writes what this process has counted. */
  readonly flush: () => Promise<void>;
}

/** A period with the latency of its verdicts; null if it has none. */
export interface Judged extends Counts {
  readonly latencyMsAvg: number | null;
  readonly latencyMsP95: number | null;
}

export interface Hours {
  readonly start: string;
  readonly end: string;
  readonly totals: Judged;
  /** Every one, those without a verdict too. */
  readonly hours: readonly (Judged & { readonly hour: string })[];
}

function judged(counts: readonly HourCounts[], latencies: readonly BucketCount[]): Judged {
  const sum = (of: (hour: HourCounts) => number) => counts.reduce((all, hour) => all + of(hour), 0);
  const buckets = Array.from({ length: latencyBucketCount }, () => 0);
  for (const { bucket, count } of latencies) buckets[bucket] = (buckets[bucket] ?? 0) + count;
  const requests = sum((hour) => hour.requests);
  return {
    requests,
    flagged: sum((hour) => hour.flagged),
    observed: sum((hour) => hour.observed),
    allowed: sum((hour) => hour.allowed),
    latencyMsAvg: requests === 0 ? null : sum((hour) => hour.latencyMsSum) / requests,
    latencyMsP95: latencyQuantile(buckets, 0.95),
  };
}

/** So many hours up to now; the last one is still going on. */
export async function countHours(
  { db, clock, flush }: HoursDeps,
  caller: Caller,
  { hours: wanted, guardUuid }: { hours: number; guardUuid: string | undefined },
): Promise<Hours> {
  await flush();
  const nowMs = clock.now();
  const start = hourOf(nowMs - (wanted - 1) * hourMs);
  const filter = { scope: scopeOf(caller), guardUuid, from: start };
  const [counts, latencies] = await Promise.all([sumByHour(db, filter), listLatencies(db, filter)]);
  return {
    start,
    end: new Date(nowMs).toISOString(),
    totals: judged(counts, latencies),
    hours: Array.from({ length: wanted }, (_, i) => {
      const atMs = Date.parse(start) + i * hourMs;
      const inIt = ({ hour }: { hour: Date }) => hour.getTime() === atMs;
      return { hour: new Date(atMs).toISOString(), ...judged(counts.filter(inIt), latencies.filter(inIt)) };
    }),
  };
}
