import type { Queries } from '#base/db/database.ts';
import type { Suppression } from '#findings/finding.ts';

export interface StoredSuppression {
  id: string;
  tenantId: string;
  fingerprint: string;
  ruleId: string | null;
  title: string | null;
  reason: string;
  byUser: string;
  byName: string;
  createdAt: Date;
  until: Date | null;
}

const columns = `suppression_id as id, tenant_id as "tenantId", fingerprint, rule_id as "ruleId", title, reason,
  by_user as "byUser", by_name as "byName", created_at as "createdAt", until`;

export async function listSuppressions(
  db: Queries,
  tenantId: string,
  page: { limit: number; offset: number },
): Promise<{ suppressions: StoredSuppression[]; total: number }> {
  const suppressions = await db.query<StoredSuppression & Record<string, unknown>>(
    `select ${columns} from mcp_scan.suppressions where tenant_id = $1 order by created_at desc, suppression_id limit $2 offset $3`,
    [tenantId, page.limit, page.offset],
  );
  const [counted] = await db.query<{ total: number }>(
    `select count(*) as total from mcp_scan.suppressions where tenant_id = $1`,
    [tenantId],
  );
  return { suppressions, total: counted?.total ?? 0 };
}

/** Those of a tenant that are about these fingerprints, by fingerprint. */
export async function findSuppressions(
  db: Queries,
  tenantId: string,
  fingerprints: readonly string[],
): Promise<Map<string, Suppression>> {
  if (fingerprints.length === 0) return new Map();
  const rows = await db.query<StoredSuppression & Record<string, unknown>>(
    `select ${columns} from mcp_scan.suppressions where tenant_id = $1 and fingerprint = any($2::text[])`,
    [tenantId, fingerprints],
  );
  return new Map(
    rows.map(({ fingerprint, reason, byName, createdAt, until }) => [
      fingerprint,
      { reason, by: byName, at: createdAt, ...(until !== null && { until }) },
    ]),
  );
}

/** Undefined where the tenant has one for this fingerprint already that has not run out. */
export async function insertSuppression(
  db: Queries,
  each: StoredSuppression,
): Promise<StoredSuppression | undefined> {
  const [row] = await db.query<StoredSuppression & Record<string, unknown>>(
    `insert into mcp_scan.suppressions (suppression_id, tenant_id, fingerprint, rule_id, title, reason, by_user, by_name, created_at, until)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict (tenant_id, fingerprint) do update set suppression_id = excluded.suppression_id, reason = excluded.reason,
        by_user = excluded.by_user, by_name = excluded.by_name, created_at = excluded.created_at, until = excluded.until
        where mcp_scan.suppressions.until <= excluded.created_at
      returning ${columns}`,
    [
      each.id,
      each.tenantId,
      each.fingerprint,
      each.ruleId,
      each.title,
      each.reason,
      each.byUser,
      each.byName,
      each.createdAt,
      each.until,
    ],
  );
  return row;
}

export async function findSuppression(
  db: Queries,
  tenantId: string,
  id: string,
): Promise<StoredSuppression | undefined> {
  const [row] = await db.query<StoredSuppression & Record<string, unknown>>(
    `select ${columns} from mcp_scan.suppressions where tenant_id = $1 and suppression_id = $2`,
    [tenantId, id],
  );
  return row;
}

export async function deleteSuppression(db: Queries, id: string): Promise<void> {
  await db.query(`delete from mcp_scan.suppressions where suppression_id = $1`, [id]);
}
