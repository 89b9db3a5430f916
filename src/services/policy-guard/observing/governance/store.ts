import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { GuardHour, HourLatency, PolicyDay } from './usage.ts';

export interface Counts {
  readonly requests: number;
  readonly flagged: number;
  readonly observed: number;
  readonly allowed: number;
}

export interface FoundCounts {
  readonly groupUuid: string;
  /** Empty for the group itself. */
  readonly policy: string;
  readonly requests: number;
  readonly flagged: number;
  readonly observed: number;
}

/** A guard as the summary needs it. */
export interface GuardFacts {
  readonly guardUuid: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly mode: 'enforce' | 'observe';
  readonly groupUuids: readonly string[];
}

/** Whose guards, and which days. */
export interface UsageFilter {
  readonly scope: { readonly column: 'tenant_id' | 'owner_id'; readonly value: string };
  readonly guardUuid: string | undefined;
  /** Both inclusive. */
  readonly start: string;
  readonly end: string;
}

/** What was counted and is not written yet. */
export interface Usage {
  readonly guards: readonly GuardHour[];
  readonly policies: readonly PolicyDay[];
  readonly latencies: readonly HourLatency[];
}

const most = 1000;

const where = ({ scope }: UsageFilter) =>
  `d.${scope.column} = $1 and ($2::text is null or d.guard_uuid = $2) and d.day between $3::date and $4::date`;
const paramsOf = ({ scope, guardUuid, start, end }: UsageFilter) => [
  scope.value,
  guardUuid ?? null,
  start,
  end,
];
const sums = `sum(d.requests)::bigint as requests, sum(d.flagged)::bigint as flagged,
  sum(d.observed)::bigint as observed, sum(d.allowed)::bigint as allowed`;

/** Always in the same order, so that two processes cannot wait for each other. */
const sorted = <T>(rows: readonly T[], key: (row: T) => string): T[] =>
  rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));

/** Adds counts to those of the same guard, day and hour; rows of the same may come more than once. */
export async function addUsage(tx: Queries, { guards, policies, latencies }: Usage): Promise<void> {
  const hours = json(sorted(guards, ({ guardUuid, hour }) => guardUuid + hour));
  await tx.query(
    `insert into policy_guard.guard_days as known (day, guard_uuid, tenant_id, owner_id, requests, flagged, observed,
        allowed, cache_hits)
      select (hour at time zone 'UTC')::date, "guardUuid", min("tenantId"), min("ownerId"), sum(requests),
        sum(flagged), sum(observed), sum(allowed), sum("cacheHits")
      from json_to_recordset($1::json) as r (hour timestamptz, "guardUuid" text, "tenantId" text, "ownerId" text,
        requests bigint, flagged bigint, observed bigint, allowed bigint, "cacheHits" bigint)
      group by 1, 2 order by 2, 1
      on conflict (guard_uuid, day) do update set requests = known.requests + excluded.requests,
        flagged = known.flagged + excluded.flagged, observed = known.observed + excluded.observed,
        allowed = known.allowed + excluded.allowed, cache_hits = known.cache_hits + excluded.cache_hits`,
    [hours],
  );
  await tx.query(
    `insert into policy_guard.guard_hours as known (hour, guard_uuid, tenant_id, owner_id, requests, flagged, observed,
        allowed, latency_ms_sum)
      select hour, "guardUuid", min("tenantId"), min("ownerId"), sum(requests), sum(flagged), sum(observed),
        sum(allowed), sum("latencyMsSum")
      from json_to_recordset($1::json) as r (hour timestamptz, "guardUuid" text, "tenantId" text, "ownerId" text,
        requests bigint, flagged bigint, observed bigint, allowed bigint, "latencyMsSum" double precision)
      group by 1, 2 order by 2, 1
      on conflict (guard_uuid, hour) do update set requests = known.requests + excluded.requests,
        flagged = known.flagged + excluded.flagged, observed = known.observed + excluded.observed,
        allowed = known.allowed + excluded.allowed,
        latency_ms_sum = known.latency_ms_sum + excluded.latency_ms_sum`,
    [hours],
  );
  await tx.query(
    `insert into policy_guard.guard_hour_latencies as known (hour, guard_uuid, bucket, count)
      select hour, "guardUuid", bucket, sum(count)
      from json_to_recordset($1::json) as r (hour timestamptz, "guardUuid" text, bucket smallint, count bigint)
      group by 1, 2, 3 order by 2, 1, 3
      on conflict (guard_uuid, hour, bucket) do update set count = known.count + excluded.count`,
    [json(latencies)],
  );
  await tx.query(
    `insert into policy_guard.policy_days as known (day, guard_uuid, group_uuid, policy, requests, flagged, observed)
      select day, "guardUuid", "groupUuid", policy, sum(requests), sum(flagged), sum(observed)
      from json_to_recordset($1::json) as r (day date, "guardUuid" text, "groupUuid" text, policy text,
        requests bigint, flagged bigint, observed bigint)
      group by 1, 2, 3, 4 order by 2, 1, 3, 4
      on conflict (guard_uuid, day, group_uuid, policy) do update set
        requests = known.requests + excluded.requests, flagged = known.flagged + excluded.flagged,
        observed = known.observed + excluded.observed`,
    [json(policies)],
  );
}

export const sumByGuard = (db: Queries, filter: UsageFilter) =>
  db.query<Counts & { guardUuid: string } & Record<string, unknown>>(
    `select d.guard_uuid as "guardUuid", ${sums} from policy_guard.guard_days d where ${where(filter)}
      group by 1 order by 2 desc, 1 limit ${most}`,
    paramsOf(filter),
  );

export const sumByDay = (db: Queries, filter: UsageFilter) =>
  db.query<Counts & { day: string } & Record<string, unknown>>(
    `select d.day, ${sums} from policy_guard.guard_days d where ${where(filter)} group by 1 order by 1`,
    paramsOf(filter),
  );

/** Groups first, then policies, each by what they found. */
export const sumByPolicy = (db: Queries, filter: UsageFilter) =>
  db.query<FoundCounts & Record<string, unknown>>(
    `select p.group_uuid as "groupUuid", p.policy, sum(p.requests)::bigint as requests,
        sum(p.flagged)::bigint as flagged, sum(p.observed)::bigint as observed
      from policy_guard.guard_days d join policy_guard.policy_days p using (guard_uuid, day)
      where ${where(filter)} group by 1, 2
      order by p.policy <> '', sum(p.flagged) + sum(p.observed) desc, 3 desc, 1, 2 limit ${2 * most}`,
    paramsOf(filter),
  );

export const listGuardFacts = (db: Queries, { scope }: UsageFilter) =>
  db.query<GuardFacts & Record<string, unknown>>(
    `select guard_uuid as "guardUuid", name, enabled, mode, policy_group_uuids as "groupUuids"
      from policy_guard.guards where ${scope.column} = $1`,
    [scope.value],
  );
