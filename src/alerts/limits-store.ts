import type { Queries } from '#base/db/database.ts';

/** Makes others who create something in the tenant wait, so that limits hold. */
export const lockTenant = (tx: Queries, tenantId: string) =>
  tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`alerts ${tenantId}`]);

/** Of channels only those of the tenant: targets of rules have a limit of their own. */
export async function countOf(tx: Queries, table: 'rules' | 'channels', tenantId: string): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*) as count from alerts.${table} where tenant_id = $1
      ${table === 'channels' ? 'and rule_id is null' : ''}`,
    [tenantId],
  );
  return row?.count ?? 0;
}
