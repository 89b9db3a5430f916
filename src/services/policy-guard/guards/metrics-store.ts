import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';

/** Counts of one guard: the totals so far, or what came on top since the last flush. */
export interface GuardCounts {
  requests: number;
  flagged: number;
  observed: number;
  allowed: number;
  cacheHits: number;
  latencyMsSum: number;
  latencyBuckets: number[];
  lastCalledAt: Date;
}

/** Adds counts to the totals, in one statement; guards that are gone are passed over. */
export async function addCounts(db: Queries, counts: ReadonlyMap<string, GuardCounts>): Promise<void> {
  const rows = [...counts]
    // Always in the same order, so that two processes cannot wait for each other.
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([guardUuid, each]) => ({ guardUuid, ...each }));
  await db.query(
    `insert into policy_guard.guard_metrics as known (guard_uuid, requests_total, flagged_total, observed_total,
        allowed_total, cache_hits_total, latency_ms_sum, latency_buckets, last_called_at)
      select more."guardUuid", more.requests, more.flagged, more.observed, more.allowed, more."cacheHits",
        more."latencyMsSum", more."latencyBuckets", more."lastCalledAt"
      from jsonb_to_recordset($1::jsonb) as more ("guardUuid" text, requests bigint, flagged bigint, observed bigint,
        allowed bigint, "cacheHits" bigint, "latencyMsSum" double precision, "latencyBuckets" bigint[],
        "lastCalledAt" timestamptz)
      join policy_guard.guards g on g.guard_uuid = more."guardUuid"
      on conflict (guard_uuid) do update set
        requests_total = known.requests_total + excluded.requests_total,
        flagged_total = known.flagged_total + excluded.flagged_total,
        observed_total = known.observed_total + excluded.observed_total,
        allowed_total = known.allowed_total + excluded.allowed_total,
        cache_hits_total = known.cache_hits_total + excluded.cache_hits_total,
        latency_ms_sum = known.latency_ms_sum + excluded.latency_ms_sum,
        latency_buckets = array(
          select coalesce(was, 0) + coalesce(more, 0)
          from unnest(known.latency_buckets, excluded.latency_buckets) with ordinality as pair (was, more, place)
          order by place),
        last_called_at = greatest(known.last_called_at, excluded.last_called_at)`,
    [json(rows)],
  );
}

export async function findCounts(
  db: Queries,
  guardUuids: readonly string[],
): Promise<Map<string, GuardCounts>> {
  const rows = await db.query<GuardCounts & { guardUuid: string } & Record<string, unknown>>(
    `select guard_uuid as "guardUuid", requests_total as requests, flagged_total as flagged,
        observed_total as observed, allowed_total as allowed, cache_hits_total as "cacheHits",
        latency_ms_sum as "latencyMsSum", latency_buckets as "latencyBuckets", last_called_at as "lastCalledAt"
      from policy_guard.guard_metrics where guard_uuid = any($1)`,
    [guardUuids],
  );
  return new Map(rows.map(({ guardUuid, ...counts }) => [guardUuid, counts]));
}
