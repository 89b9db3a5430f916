import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import { conflict, notFound } from '#base/errors.ts';
import type { RequestFacts } from '#base/http/mount.ts';
import { requirePermission, tenantFor } from '../access.ts';
import type { Audit } from '../audit/audit.ts';
import { systemTenant } from '../bootstrap.ts';
import type { Caller, Role } from '../caller.ts';
import type { Changes } from '../changes.ts';
import { hashPassword } from '../passwords/passwords.ts';
import { lockTenant } from '../tenants/store.ts';
import {
  countUsers,
  deleteUser,
  findOldestAdmin,
  findUser,
  listUsers,
  lockUser,
  signOutEverywhere,
  updateUser,
  type User,
} from './store.ts';

export interface UserChange {
  enabled: boolean | undefined;
  roles: readonly Role[] | undefined;
  password: string | undefined;
  /** Null: none. */
  email: string | null | undefined;
}

/** Who is meant: a user of the caller's tenant, or of the one that an administrator of `system` names. */
export interface UserReference {
  id: string;
  tenantId: string | undefined;
}

/** Everything here needs `users:manage`; a user of another tenant is not found. */
export interface Users {
  list(
    caller: Caller,
    query: { tenantId: string | undefined; limit: number; offset: number },
  ): Promise<{ users: User[]; total: number }>;
  /** Throws 409 where `system` would be left without an administrator, or the issuer decides. */
  update(caller: Caller, which: UserReference, change: UserChange, request: RequestFacts): Promise<User>;
  delete(caller: Caller, which: UserReference, request: RequestFacts): Promise<User>;
}

export interface UsersParts {
  db: Database;
  clock: Clock;
  changes: Changes;
  audit: Audit;
}

export function createUsers({ db, clock, changes, audit }: UsersParts): Users {
  /** Runs with the user, while a lock prevents other changes of the tenant's administrators. */
  const withUser = async (
    caller: Caller,
    which: UserReference,
    run: (tx: Queries, user: User) => Promise<void>,
  ): Promise<User> => {
    requirePermission(caller, 'users:manage');
    const tenantId = await tenantFor(db, caller, which.tenantId);
    const user = await db.transaction(async (tx) => {
      await lockTenant(tx, tenantId);
      await lockUser(tx, which.id);
      const found = await findUser(tx, which.id);
      if (found === undefined || found.tenantId !== tenantId) throw notFound('The user');
      await run(tx, found);
      if ((await findOldestAdmin(tx, systemTenant)) === undefined)
        throw conflict(
          `The tenant ${systemTenant} needs an enabled administrator; create another one first.`,
        );
      return (await findUser(tx, which.id)) ?? found;
    });
    await changes.announce({ kind: 'user', id: user.id });
    return user;
  };

  return {
    async list(caller, { tenantId, ...page }) {
      requirePermission(caller, 'users:manage');
      const tenant = await tenantFor(db, caller, tenantId);
      return { users: await listUsers(db, tenant, page), total: await countUsers(db, tenant) };
    },
    async update(caller, which, { enabled, roles, password, email }, request) {
      requirePermission(caller, 'users:manage');
      const passwordHash = password === undefined ? undefined : await hashPassword(password);
      const user = await withUser(caller, which, async (tx, found) => {
        if (found.issuer !== null && (roles !== undefined || password !== undefined || email !== undefined))
          throw conflict(
            "This user's roles, password and e-mail address are managed by the issuer; only 'enabled' can be changed here.",
          );
        await updateUser(tx, {
          id: found.id,
          roles: roles === undefined ? found.roles : [...new Set(roles)],
          passwordHash: passwordHash ?? found.passwordHash,
          email: email === undefined ? found.email : email,
          disabledAt: disabledAt(found),
        });
        if (enabled === false || passwordHash !== undefined)
          await signOutEverywhere(tx, found.id, new Date(clock.now()));
      });
      const changed = Object.entries({ enabled, roles, password, email })
        .filter(([, value]) => value !== undefined)
        .map(([name]) => name);
      const details = { changed_user_id: user.id, changed, roles: user.roles };
      await audit({ event: 'user_updated', caller, tenantId: user.tenantId, request, details });
      return user;

      function disabledAt(found: User): Date | null {
        if (enabled === undefined) return found.disabledAt;
        return enabled ? null : (found.disabledAt ?? new Date(clock.now()));
      }
    },
    async delete(caller, which, request) {
      const user = await withUser(caller, which, (tx, { id }) => deleteUser(tx, id, new Date(clock.now())));
      const details = { deleted_user_id: user.id, username: user.username };
      await audit({ event: 'user_deleted', caller, tenantId: user.tenantId, request, details });
      return user;
    },
  };
}
