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

type Row = {
  guard_uuid: string;
  requests_total: number;
  flagged_total: number;
  observed_total: number;
  allowed_total: number;
  cache_hits_total: number;
  latency_ms_sum: number;
  latency_buckets: number[];
  last_called_at: Date;
};

export interface MetricsStore {
  /** Adds counts to the totals, in one statement; guards that are gone are passed over. */
  addCounts(counts: ReadonlyMap<string, GuardCounts>): Promise<void>;
  findCounts(guardUuids: readonly string[]): Promise<Map<string, GuardCounts>>;
}

export const createMetricsStore = (db: Queries): MetricsStore => ({
  async addCounts(counts) {
    const rows = [...counts]
      // Always in the same order, so that two processes cannot wait for each other.
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([guardUuid, each]) => ({
        guard_uuid: guardUuid,
        requests_total: each.requests,
        flagged_total: each.flagged,
        observed_total: each.observed,
        allowed_total: each.allowed,
        cache_hits_total: each.cacheHits,
        latency_ms_sum: each.latencyMsSum,
        latency_buckets: each.latencyBuckets,
        last_called_at: each.lastCalledAt,
      }));
    await db.query(
      `insert into policy_guard.guard_metrics as known (guard_uuid, requests_total, flagged_total, observed_total,
         allowed_total, cache_hits_total, latency_ms_sum, latency_buckets, last_called_at)
       select more.guard_uuid, more.requests_total, more.flagged_total, more.observed_total, more.allowed_total,
         more.cache_hits_total, more.latency_ms_sum, more.latency_buckets, more.last_called_at
       from jsonb_to_recordset($1::jsonb) as more (guard_uuid text, requests_total bigint, flagged_total bigint,
         observed_total bigint, allowed_total bigint, cache_hits_total bigint, latency_ms_sum double precision, latency_buckets bigint[], last_called_at timestamptz)
       join policy_guard.guards using (guard_uuid)
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
  },
  async findCounts(guardUuids) {
    const rows = await db.query<Row>('select * from policy_guard.guard_metrics where guard_uuid = any($1)', [
      guardUuids,
    ]);
    return new Map(
      rows.map((row) => [
        row.guard_uuid,
        {
          requests: row.requests_total,
          flagged: row.flagged_total,
          observed: row.observed_total,
          allowed: row.allowed_total,
          cacheHits: row.cache_hits_total,
          latencyMsSum: row.latency_ms_sum,
          latencyBuckets: row.latency_buckets,
          lastCalledAt: row.last_called_at,
        },
      ]),
    );
  },
});
