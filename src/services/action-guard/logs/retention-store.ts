import type { Database, Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';

interface Session {
  [column: string]: unknown;
  tenantId: string;
  userId: string;
  sessionId: string;
  gatewayId: string;
  entries: number;
}

/** Deletes the oldest entries before a time and subtracts their counts, in one transaction; returns how many. */
export const deleteLogsBefore = (db: Database, before: Date, limit: number): Promise<number> =>
  db.transaction(async (tx) => {
    const sessions = await deleteEntries(tx, before, limit);
    if (sessions.length > 0) await correctSessions(tx, sessions);
    return sessions.reduce((sum, { entries }) => sum + entries, 0);
  });

/** Sessions that lost entries. */
const deleteEntries = (tx: Queries, before: Date, limit: number): Promise<Session[]> =>
  tx.query<Session>(
    `with gone as (
        delete from action_guard.logs where log_id in (
          select log_id from action_guard.logs where at < $1 order by at limit $2)
        returning *
      ), bucketed as materialized (
        select g.*, level, date_trunc(unit, at, 'UTC') as bucket
        from gone g, (values (1::smallint, 'minute'), (2::smallint, 'hour'), (3::smallint, 'day')) as l (level, unit)
      ), counted as (
        update action_guard.log_counts c set evaluations = c.evaluations - b.evaluations,
          allowed = c.allowed - b.allowed, held = c.held - b.held, latency_ms_sum = c.latency_ms_sum - b.latency_ms_sum
        from (select tenant_id, level, bucket, user_id, gateway_id, count(*) as evaluations,
            count(*) filter (where allowed) as allowed, count(*) filter (where held) as held,
            sum(latency_ms) as latency_ms_sum
            from bucketed group by 1, 2, 3, 4, 5) as b
        where (c.tenant_id, c.level, c.bucket, c.user_id, c.gateway_id)
          = (b.tenant_id, b.level, b.bucket, b.user_id, b.gateway_id)
      ), categorised as (
        update action_guard.log_category_counts c set count = c.count - b.count
        from (select tenant_id, level, bucket, user_id, gateway_id, k.kind, k.category, count(*) as count
            from bucketed, lateral (
              select 'threat' as kind, threat_category as category
              union all select 'violation', unnest(violation_categories)) as k
            where not allowed group by 1, 2, 3, 4, 5, 6, 7) as b
        where (c.tenant_id, c.level, c.bucket, c.user_id, c.gateway_id, c.kind, c.category)
          = (b.tenant_id, b.level, b.bucket, b.user_id, b.gateway_id, b.kind, b.category)
      )
      select tenant_id as "tenantId", user_id as "userId", session_id as "sessionId", gateway_id as "gatewayId",
        count(*) as entries from gone group by 1, 2, 3, 4`,
    [before, limit],
  );

/** Recalculates sessions and counts, in a separate statement that sees the entries deleted. */
async function correctSessions(tx: Queries, sessions: readonly Session[]): Promise<void> {
  await tx.query(
    `with touched as materialized (
        select t.*, (select min(l.at) from action_guard.logs l where l.tenant_id = t."tenantId"
            and l.session_id = t."sessionId" and l.user_id = t."userId" and l.gateway_id = t."gatewayId") as first_left
        from json_to_recordset($1::json)
          as t ("tenantId" uuid, "userId" uuid, "sessionId" text, "gatewayId" text)
      ), ended as (
        delete from action_guard.log_sessions s using touched t where t.first_left is null and
          (s.tenant_id, s.user_id, s.session_id, s.gateway_id) = (t."tenantId", t."userId", t."sessionId", t."gatewayId")
      )
      update action_guard.log_sessions s set first_at = t.first_left from touched t where t.first_left is not null and
        (s.tenant_id, s.user_id, s.session_id, s.gateway_id) = (t."tenantId", t."userId", t."sessionId", t."gatewayId")`,
    [json(sessions)],
  );
}

/** Deletes counts that are zero. */
export async function deleteEmptyCounts(db: Queries): Promise<void> {
  await db.query('delete from action_guard.log_counts where evaluations = 0');
  await db.query('delete from action_guard.log_category_counts where count = 0');
}
