import { hash } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { isUniqueViolation } from '#base/db/errors.ts';
import { forbidden } from '#base/errors.ts';
import { newUuid } from '#base/ids.ts';
import type { Audit } from '../audit/audit.ts';
import { changesBetween } from '../audit/changes.ts';
import type { Changes } from '../changes.ts';
import { unauthorized } from '../challenges.ts';
import { findTenantByName, type Tenant } from '../tenants/store.ts';
import type { IssuerClaims } from './claims.ts';
import { findIssuerUser, insertIssuerUser, updateFromClaims, type IssuerUser } from './store.ts';

export interface IssuerUsersParts {
  db: Database;
  clock: Clock;
  changes: Changes;
  audit: Audit;
}

/**
 * The user of an issuer's token, created on first sight. The tenant must exist.
 * Users are matched by issuer and subject only: a name at the issuer does not match a local user of that name.
 */
export type IssuerUsers = (claims: IssuerClaims) => Promise<{ userId: string; tenantId: string }>;

/** Candidate usernames; the first free one is used. */
const usernames = ({ username, issuer, subject }: IssuerClaims) => {
  const long = `${username.slice(0, 150)}@${new URL(issuer).host.slice(0, 90)}`;
  return [username, long, `${long}#${hash('sha256', subject, 'hex').slice(0, 12)}`];
};

const sameRoles = (a: readonly string[], b: readonly string[]) => a.toSorted().join() === b.toSorted().join();

export function createIssuerUsers({ db, clock, changes, audit }: IssuerUsersParts): IssuerUsers {
  const make = async (claims: IssuerClaims, tenant: Tenant): Promise<IssuerUser> => {
    const { issuer, subject, roles, email = null } = claims;
    const own = { roles, issuer, subject, email };
    for (const username of usernames(claims)) {
      const id = newUuid(clock.now());
      const times = { claimsAt: claims.issuedAt, createdAt: new Date(clock.now()) };
      await db.transaction(async (tx) => {
        if (!(await insertIssuerUser(tx, { id, tenantId: tenant.id, username, ...own, ...times }))) return;
        const changes = changesBetween(undefined, { username, roles, email });
        const details = { id, name: username, issuer, changes };
        await audit({ event: 'issuer_user_created', tenantId: tenant.id, userId: id, details }, tx);
      });
      const user = await findIssuerUser(db, issuer, subject);
      if (user !== undefined) return user;
    }
    throw new Error('No username is free for a user of the issuer.');
  };

  /** Applies the newest token's claims, also for the user's API keys. */
  const follow = async (user: IssuerUser, claims: IssuerClaims, tenant: Tenant): Promise<void> => {
    const { roles, issuedAt: claimsAt, tenantName, email = user.email } = claims;
    const changed = user.tenantId !== tenant.id || !sameRoles(user.roles, roles) || user.email !== email;
    if (!changed && claimsAt.getTime() === user.claimsAt.getTime()) return;
    try {
      const isTold = await db.transaction(async (tx) => {
        const after = { tenantId: tenant.id, roles, email };
        const isNewer = await updateFromClaims(tx, user.id, { ...after, claimsAt });
        if (!isNewer || !changed) return false;
        const { id, username: name } = user;
        const before = { tenantId: user.tenantId, roles: user.roles, email: user.email };
        const details = { id, name, issuer: claims.issuer, changes: changesBetween(before, after) };
        await audit({ event: 'issuer_user_changed', tenantId: tenant.id, userId: id, details }, tx);
        return true;
      });
      if (!isTold) return;
    } catch (error) {
      throw isUniqueViolation(error) ? takenInTenant(tenantName) : error;
    }
    await changes.announce({ kind: 'user', id: user.id });
  };

  return async (claims) => {
    const tenant = await findTenantByName(db, claims.tenantName);
    if (tenant === undefined)
      throw forbidden(
        `The tenant '${claims.tenantName}' of the token does not exist here. An administrator of the tenant system must create it.`,
      );
    const found = await findIssuerUser(db, claims.issuer, claims.subject);
    const user = found ?? (await make(claims, tenant));
    if (user.deletedAt !== null || user.disabledAt !== null)
      throw unauthorized('invalid_token', 'The user of this credential was deleted or disabled.');
    await follow(user, claims, tenant);
    return { userId: user.id, tenantId: tenant.id };
  };
}

const takenInTenant = (tenantName: string) =>
  forbidden(`The tenant '${tenantName}' has another user of this name; its administrator has to rename one.`);
