import type { Queries } from '#base/db/database.ts';
import { isUuid } from '#base/ids.ts';
import type { Role } from '../caller.ts';
import { nameKey } from './names.ts';

export type User = {
  id: string;
  tenantId: string;
  tenantName: string;
  username: string;
  roles: Role[];
  /** Null for a user of the OpenID Connect issuer. */
  passwordHash: string | null;
  issuer: string | null;
  email: string | null;
  disabledAt: Date | null;
  /** Sign-ins and grants of before are over. */
  signedOutAt: Date | null;
  createdAt: Date;
};

export interface NewUser {
  id: string;
  tenantId: string;
  username: string;
  roles: readonly Role[];
  passwordHash: string | undefined;
  email?: string | undefined;
  createdAt: Date;
}

const select = `select u.id, u.tenant_id as "tenantId", t.name as "tenantName", u.username, u.roles,
    u.password_hash as "passwordHash", u.issuer, u.email, u.disabled_at as "disabledAt",
    u.signed_out_at as "signedOutAt", u.created_at as "createdAt"
  from identity.users u join identity.tenants t on t.id = u.tenant_id`;

/** Not one that was deleted. */
export async function findUser(db: Queries, id: string): Promise<User | undefined> {
  if (!isUuid(id)) return undefined;
  const [row] = await db.query<User>(`${select} where u.id = $1 and u.deleted_at is null`, [id]);
  return row;
}

/** Prevents other changes of the user until the end of the transaction: of the password, and by the issuer. */
export async function lockUser(tx: Queries, id: string): Promise<void> {
  if (isUuid(id)) await tx.query('select id from identity.users where id = $1 for update', [id]);
}

export async function findUserByName(
  db: Queries,
  tenantName: string,
  username: string,
): Promise<User | undefined> {
  const [row] = await db.query<User>(
    `${select} where t.name = $1 and u.username_key = $2 and u.deleted_at is null`,
    [tenantName, nameKey(username)],
  );
  return row;
}

/** The first administrator of a tenant who is neither deleted nor disabled. */
export async function findOldestAdmin(
  db: Queries,
  tenantName: string,
  { ownPassword = false } = {},
): Promise<User | undefined> {
  const [row] = await db.query<User>(
    `${select} where t.name = $1 and 'admin' = any(u.roles) and u.deleted_at is null and u.disabled_at is null
       ${ownPassword ? 'and u.issuer is null' : ''}
     order by u.created_at, u.id limit 1`,
    [tenantName],
  );
  return row;
}

/** Throws the database's unique violation where the tenant has a user of that name. */
export async function insertUser(db: Queries, user: NewUser): Promise<void> {
  await db.query(
    `insert into identity.users (id, tenant_id, username, username_key, password_hash, roles, email, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      user.id,
      user.tenantId,
      user.username,
      nameKey(user.username),
      user.passwordHash,
      user.roles,
      user.email ?? null,
      user.createdAt,
    ],
  );
}

/** Oldest first. */
export const listUsers = (
  db: Queries,
  tenantId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<User[]> =>
  db.query<User>(
    `${select} where u.tenant_id = $1 and u.deleted_at is null order by u.created_at, u.id limit $2 offset $3`,
    [tenantId, limit, offset],
  );

/** Deleted users too: their rows stay. */
export const listUserNames = (
  db: Queries,
  ids: readonly string[],
): Promise<{ id: string; name: string; tenantId: string }[]> =>
  db.query<{ id: string; name: string; tenantId: string }>(
    'select id, username as name, tenant_id as "tenantId" from identity.users where id = any($1::uuid[])',
    [ids],
  );

export async function countUsers(db: Queries, tenantId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*) as count from identity.users where tenant_id = $1 and deleted_at is null',
    [tenantId],
  );
  return row?.count ?? 0;
}

export async function updateUser(
  db: Queries,
  {
    id,
    roles,
    passwordHash,
    email,
    disabledAt,
  }: Pick<User, 'id' | 'roles' | 'passwordHash' | 'email' | 'disabledAt'>,
): Promise<void> {
  await db.query(
    'update identity.users set roles = $2, password_hash = $3, disabled_at = $4, email = $5 where id = $1',
    [id, roles, passwordHash, disabledAt, email],
  );
}

export async function setPasswordHash(db: Queries, id: string, passwordHash: string): Promise<void> {
  await db.query('update identity.users set password_hash = $2 where id = $1', [id, passwordHash]);
}

/** The row stays, so that a user of the issuer does not come back; their name is free again. */
export async function deleteUser(tx: Queries, id: string, at: Date): Promise<void> {
  await tx.query('update identity.users set deleted_at = $2, password_hash = null where id = $1', [id, at]);
  await tx.query('delete from identity.api_keys where user_id = $1', [id]);
  // What was shared goes too: nobody else could change it.
  await tx.query('delete from identity.saved_views where owner_id = $1', [id]);
  await signOutEverywhere(tx, id, at);
}

/** Ends the user's sign-ins, and what they let others do until now. Announce the change once it is committed. */
export async function signOutEverywhere(db: Queries, id: string, at: Date): Promise<void> {
  await db.query('delete from identity.sessions where user_id = $1', [id]);
  await db.query('update identity.users set signed_out_at = $2 where id = $1', [id, at]);
}
