import type { Queries } from '#base/db/database.ts';
import { isUuid } from '#base/ids.ts';

export type Tenant = { id: string; name: string; selfRegistration: boolean; createdAt: Date };

const columns = 'id, name, self_registration as "selfRegistration", created_at as "createdAt"';

export async function findTenant(db: Queries, id: string): Promise<Tenant | undefined> {
  if (!isUuid(id)) return undefined;
  const [row] = await db.query<Tenant>(`select ${columns} from identity.tenants where id = $1`, [id]);
  return row;
}

export async function findTenantByName(db: Queries, name: string): Promise<Tenant | undefined> {
  const [row] = await db.query<Tenant>(`select ${columns} from identity.tenants where name = $1`, [name]);
  return row;
}

/** Whether it was made; another process may have been first, and is then waited for. */
export async function insertTenant(db: Queries, tenant: Tenant): Promise<boolean> {
  const rows = await db.query(
    `insert into identity.tenants (id, name, self_registration, created_at) values ($1, $2, $3, $4)
     on conflict (name) do nothing returning id`,
    [tenant.id, tenant.name, tenant.selfRegistration, tenant.createdAt],
  );
  return rows.length === 1;
}

/** Oldest first; all of them, or the one of that id. */
export const listTenants = (
  db: Queries,
  id: string | undefined,
  { limit, offset }: { limit: number; offset: number },
): Promise<Tenant[]> =>
  db.query<Tenant>(
    `select ${columns} from identity.tenants where $1::uuid is null or id = $1
     order by created_at, id limit $2 offset $3`,
    [id, limit, offset],
  );

export async function countTenants(db: Queries, id: string | undefined): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*) as count from identity.tenants where $1::uuid is null or id = $1',
    [id],
  );
  return row?.count ?? 0;
}

export async function updateTenant(db: Queries, id: string, selfRegistration: boolean): Promise<void> {
  await db.query('update identity.tenants set self_registration = $2 where id = $1', [id, selfRegistration]);
}

/** Locks the tenant, and its set of administrators, until the end of the transaction. */
export async function lockTenant(tx: Queries, id: string): Promise<void> {
  if (isUuid(id)) await tx.query('select id from identity.tenants where id = $1 for update', [id]);
}
