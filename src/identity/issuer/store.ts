import type { Queries } from '#base/db/database.ts';
import type { Role } from '../caller.ts';
import { nameKey } from '../users/names.ts';

export type IssuerUser = {
  id: string;
  tenantId: string;
  username: string;
  roles: Role[];
  email: string | null;
  claimsAt: Date;
  disabledAt: Date | null;
  deletedAt: Date | null;
};

export interface NewIssuerUser {
  id: string;
  tenantId: string;
  username: string;
  roles: readonly Role[];
  issuer: string;
  subject: string;
  email: string | null;
  claimsAt: Date;
  createdAt: Date;
}

/** Deleted and disabled ones too. */
export async function findIssuerUser(
  db: Queries,
  issuer: string,
  subject: string,
): Promise<IssuerUser | undefined> {
  const [row] = await db.query<IssuerUser>(
    `select id, tenant_id as "tenantId", username, roles, email, claims_at as "claimsAt", disabled_at as "disabledAt",
       deleted_at as "deletedAt"
     from identity.users where issuer = $1 and subject = $2`,
    [issuer, subject],
  );
  return row;
}

/** Whether it was made: not where the name is taken, nor where another process was first. */
export async function insertIssuerUser(db: Queries, user: NewIssuerUser): Promise<boolean> {
  const rows = await db.query(
    `insert into identity.users
       (id, tenant_id, username, username_key, roles, issuer, subject, claims_at, created_at, email)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing returning id`,
    [
      user.id,
      user.tenantId,
      user.username,
      nameKey(user.username),
      user.roles,
      user.issuer,
      user.subject,
      user.claimsAt,
      user.createdAt,
      user.email,
    ],
  );
  return rows.length === 1;
}

/** Whether it was changed: not by a token that is older than the newest seen, nor where the name is taken in the tenant. */
export async function updateFromClaims(
  db: Queries,
  id: string,
  { tenantId, roles, email, claimsAt }: Pick<NewIssuerUser, 'tenantId' | 'roles' | 'email' | 'claimsAt'>,
): Promise<boolean> {
  const rows = await db.query(
    `update identity.users set tenant_id = $2, roles = $3, claims_at = $4, email = $5
     where id = $1 and claims_at <= $4 returning id`,
    [id, tenantId, roles, claimsAt, email],
  );
  return rows.length === 1;
}
