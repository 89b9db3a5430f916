import type { Queries } from '#base/db/database.ts';

export interface AllowedTool {
  readonly ruleId: string;
  readonly owner: string;
  readonly reason: string;
  readonly endsAt: Date | null;
  readonly allowedBy: string;
  readonly createdAt: Date;
}

const columns = `a.rule_id as "ruleId", a.owner, a.reason, a.ends_at as "endsAt", a.allowed_by as "allowedBy",
  a.created_at as "createdAt"`;

export const listAllowed = (
  db: Queries,
  tenantId: string,
): Promise<(AllowedTool & Record<string, unknown>)[]> =>
  db.query(`select ${columns} from shadow_ai.allowed_tools a where a.tenant_id = $1 order by a.rule_id`, [
    tenantId,
  ]);

export async function writeAllowed(db: Queries, tenantId: string, tool: AllowedTool): Promise<void> {
  const { ruleId, owner, reason, endsAt, allowedBy, createdAt } = tool;
  await db.query(
    `insert into shadow_ai.allowed_tools (tenant_id, rule_id, owner, reason, ends_at, allowed_by, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (tenant_id, rule_id) do update set owner = excluded.owner, reason = excluded.reason,
       ends_at = excluded.ends_at, allowed_by = excluded.allowed_by, created_at = excluded.created_at`,
    [tenantId, ruleId, owner, reason, endsAt, allowedBy, createdAt],
  );
}

/** Whether there was one. */
export async function deleteAllowed(db: Queries, tenantId: string, ruleId: string): Promise<boolean> {
  const gone = await db.query(
    'delete from shadow_ai.allowed_tools where tenant_id = $1 and rule_id = $2 returning 1',
    [tenantId, ruleId],
  );
  return gone.length > 0;
}

export interface FoundTool {
  readonly ruleId: string;
  readonly detections: number;
  readonly devices: number;
  readonly people: number;
  readonly firstSeen: Date;
  readonly lastSeen: Date;
}

interface Window {
  readonly tenantId: string;
  readonly from: Date;
  readonly to: Date;
  /** Rules that the tenant has disabled. */
  readonly disabled: readonly string[];
}

const within = `d.tenant_id = $1 and d.started_at >= $2 and d.started_at <= $3 and not (d.rule_id = any($4::text[]))`;

/** Most devices first. */
export const listFound = (
  db: Queries,
  { tenantId, from, to, disabled }: Window,
): Promise<(FoundTool & Record<string, unknown>)[]> =>
  db.query(
    `with seen as materialized (
       select d.rule_id, d.device_uid, d.account_name, count(*) as detections, min(d.started_at) as first_seen,
         max(d.ended_at) as last_seen
       from shadow_ai.detections d where ${within} group by 1, 2, 3)
     select rule_id as "ruleId", sum(detections)::bigint as detections, count(distinct device_uid) as devices,
       count(distinct account_name) as people, min(first_seen) as "firstSeen", max(last_seen) as "lastSeen"
     from seen group by rule_id order by devices desc, detections desc, rule_id`,
    [tenantId, from, to, disabled],
  );

/** Detections of each rule and day, days in UTC. */
export async function countDays(
  db: Queries,
  { tenantId, from, to, disabled }: Window,
): Promise<{ ruleId: string; day: string; count: number }[]> {
  const rows = await db.query<{ ruleId: string; day: Date; count: number }>(
    `select d.rule_id as "ruleId", date_trunc('day', d.started_at, 'UTC') as day, count(*) as count
     from shadow_ai.detections d where ${within} group by 1, 2`,
    [tenantId, from, to, disabled],
  );
  return rows.map((row) => ({ ...row, day: row.day.toISOString().slice(0, 10) }));
}
