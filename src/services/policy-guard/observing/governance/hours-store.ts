import type { Queries } from '#base/db/database.ts';
import type { Counts, UsageFilter } from './store.ts';

/** Which guards, and from which hour on. */
export interface HoursFilter extends Pick<UsageFilter, 'scope' | 'guardUuid'> {
  /** Its first moment. */
  readonly from: string;
}

export interface HourCounts extends Counts {
  /** Its first moment. */
  readonly hour: Date;
  readonly latencyMsSum: number;
}

/** Verdicts of all the guards in one hour that fell into one bucket of the latency histogram. */
export interface BucketCount {
  readonly hour: Date;
  readonly bucket: number;
  readonly count: number;
}

const where = ({ scope }: HoursFilter) =>
  `h.${scope.column} = $1 and ($2::text is null or h.guard_uuid = $2) and h.hour >= $3::timestamptz`;
const paramsOf = ({ scope, guardUuid, from }: HoursFilter) => [scope.value, guardUuid ?? null, from];

/** Hours without a verdict are left out. */
export const sumByHour = (db: Queries, filter: HoursFilter): Promise<HourCounts[]> =>
  db.query<HourCounts & Record<string, unknown>>(
    `select h.hour, sum(h.requests)::bigint as requests, sum(h.flagged)::bigint as flagged,
        sum(h.observed)::bigint as observed, sum(h.allowed)::bigint as allowed,
        sum(h.latency_ms_sum) as "latencyMsSum"
      from policy_guard.guard_hours h where ${where(filter)} group by 1 order by 1`,
    paramsOf(filter),
  );

export const listLatencies = (db: Queries, filter: HoursFilter): Promise<BucketCount[]> =>
  db.query<BucketCount & Record<string, unknown>>(
    `select l.hour, l.bucket, sum(l.count)::bigint as count
      from policy_guard.guard_hours h join policy_guard.guard_hour_latencies l using (guard_uuid, hour)
      where ${where(filter)} group by 1, 2`,
    paramsOf(filter),
  );

/** Deletes at most `limit` hours from before the moment; returns how many. */
export async function deleteHoursBefore(db: Queries, moment: Date, limit: number): Promise<number> {
  const rows = await db.query(
    `delete from policy_guard.guard_hours where (guard_uuid, hour) in (
        select guard_uuid, hour from policy_guard.guard_hours where hour < $1 limit $2) returning 1 as done`,
    [moment, limit],
  );
  return rows.length;
}
