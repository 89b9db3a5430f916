import type { Queries } from '#base/db/database.ts';
import type { Suppression } from '#findings/finding.ts';

/** Whose scans a suppression holds for: all of the tenant, or those of who made it. */
export type SuppressionScope = 'tenant' | 'own';

export interface StoredSuppression {
  id: string;
  tenantId: string;
  scope: SuppressionScope;
  fingerprint: string;
  ruleId: string | null;
  title: string | null;
  reason: string;
  byUser: string;
  byName: string;
  createdAt: Date;
  until: Date | null;
}

const columns = `suppression_id as id, tenant_id as "tenantId", scope, fingerprint, rule_id as "ruleId", title, reason,
  by_user as "byUser", by_name as "byName", created_at as "createdAt", until`;

/** Those that the reader may know: the tenant's and the reader's own, and for an administrator all. */
const known = `tenant_id = $1 and (scope = 'tenant' or by_user = $2 or $3::boolean)`;

/** Who wants to read suppressions. */
export interface Reader {
  readonly tenantId: string;
  readonly userId: string;
  readonly isAdmin: boolean;
}

const readerParams = ({ tenantId, userId, isAdmin }: Reader): [string, string, boolean] => [
  tenantId,
  userId,
  isAdmin,
];

export async function listSuppressions(
  db: Queries,
  reader: Reader,
  page: { limit: number; offset: number },
): Promise<{ suppressions: StoredSuppression[]; total: number }> {
  const suppressions = await db.query<StoredSuppression & Record<string, unknown>>(
    `select ${columns} from mcp_scan.suppressions where ${known}
      order by created_at desc, suppression_id limit $4 offset $5`,
    [...readerParams(reader), page.limit, page.offset],
  );
  const [counted] = await db.query<{ total: number }>(
    `select count(*) as total from mcp_scan.suppressions where ${known}`,
    readerParams(reader),
  );
  return { suppressions, total: counted?.total ?? 0 };
}

/**
 * Those about these fingerprints that hold for scans of an owner, by fingerprint. Of several for one finding the one
 * that has not run out, and the tenant's, is told.
 */
export async function findSuppressions(
  db: Queries,
  { tenantId, ownerId }: { readonly tenantId: string; readonly ownerId: string },
  fingerprints: readonly string[],
  now: Date,
): Promise<Map<string, Suppression>> {
  if (fingerprints.length === 0) return new Map();
  const rows = await db.query<StoredSuppression & Record<string, unknown>>(
    `select ${columns} from mcp_scan.suppressions
      where tenant_id = $1 and (scope = 'tenant' or by_user = $2) and fingerprint = any($3::text[])
      order by coalesce(until > $4, true), scope = 'tenant'`,
    [tenantId, ownerId, fingerprints, now],
  );
  return new Map(
    rows.map(({ fingerprint, reason, byName, createdAt, until }) => [
      fingerprint,
      { reason, by: byName, at: createdAt, ...(until !== null && { until }) },
    ]),
  );
}

const conflictOf: Record<SuppressionScope, string> = {
  tenant: `(tenant_id, fingerprint) where scope = 'tenant'`,
  own: `(tenant_id, fingerprint, by_user) where scope = 'own'`,
};

/** Undefined where one that has not run out holds for the same scans already. */
export async function insertSuppression(
  db: Queries,
  each: StoredSuppression,
): Promise<StoredSuppression | undefined> {
  const [row] = await db.query<StoredSuppression & Record<string, unknown>>(
    `insert into mcp_scan.suppressions
        (suppression_id, tenant_id, scope, fingerprint, rule_id, title, reason, by_user, by_name, created_at, until)
      select $1::uuid, $2::uuid, $3::text, $4::text, $5::text, $6::text, $7::text, $8::uuid, $9::text, $10::timestamptz,
          $11::timestamptz
        where not exists (select from mcp_scan.suppressions u where u.tenant_id = $2 and u.fingerprint = $4
          and u.scope = 'tenant' and coalesce(u.until > $10, true))
      on conflict ${conflictOf[each.scope]} do update set suppression_id = excluded.suppression_id, reason = excluded.reason,
        by_user = excluded.by_user, by_name = excluded.by_name, created_at = excluded.created_at, until = excluded.until
        where suppressions.until <= excluded.created_at
      returning ${columns}`,
    [
      each.id,
      each.tenantId,
      each.scope,
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

/** One that the reader may know. */
export async function findSuppression(
  db: Queries,
  reader: Reader,
  id: string,
): Promise<StoredSuppression | undefined> {
  const [row] = await db.query<StoredSuppression & Record<string, unknown>>(
    `select ${columns} from mcp_scan.suppressions where ${known} and suppression_id = $4`,
    [...readerParams(reader), id],
  );
  return row;
}

/** False where it is gone already. */
export async function deleteSuppression(db: Queries, id: string): Promise<boolean> {
  const sql = 'delete from mcp_scan.suppressions where suppression_id = $1 returning 1 as gone';
  return (await db.query(sql, [id])).length > 0;
}
