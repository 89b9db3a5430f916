import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import { conflict, notFound } from '#base/errors.ts';
import { requirePermission, tenantFor } from '../access.ts';
import type { Asking, Audit } from '../audit/audit.ts';
import { resourceEvent } from '../audit/resource-event.ts';
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

export interface UsersParts {
  db: Database;
  clock: Clock;
  changes: Changes;
  audit: Audit;
}

/** Everything here needs `users:manage`; a user of another tenant is not found. */
export class Users {
  readonly #parts: UsersParts;

  constructor(parts: UsersParts) {
    this.#parts = parts;
  }

  async list(
    caller: Caller,
    { tenantId, ...page }: { tenantId: string | undefined; limit: number; offset: number },
  ): Promise<{ users: User[]; total: number }> {
    requirePermission(caller, 'users:manage');
    const { db } = this.#parts;
    const tenant = await tenantFor(db, caller, tenantId);
    return { users: await listUsers(db, tenant, page), total: await countUsers(db, tenant) };
  }

  /** Throws 409 where `system` would be left without an administrator, or the issuer decides. */
  async update(asking: Asking, which: UserReference, change: UserChange): Promise<User> {
    requirePermission(asking.caller, 'users:manage');
    const { password } = change;
    const passwordHash = password === undefined ? undefined : await hashPassword(password);
    return this.#withUser(asking.caller, which, async (tx, found) => {
      const after = await this.#apply(tx, found, change, passwordHash);
      await this.#record('user_updated', asking, { before: found, after }, tx);
      return after;
    });
  }

  delete(asking: Asking, which: UserReference): Promise<User> {
    return this.#withUser(asking.caller, which, async (tx, found) => {
      await deleteUser(tx, found.id, this.#now());
      await this.#record('user_deleted', asking, { before: found }, tx);
      return found;
    });
  }

  /** The entry is of the user's tenant, whoever changed them. */
  #record(
    event: `user_${'updated' | 'deleted'}`,
    asking: Asking,
    { before, after }: { readonly before: User; readonly after?: User },
    tx: Queries,
  ): Promise<void> {
    const { id, username: name, tenantId } = before;
    const isRenewed = after !== undefined && after.passwordHash !== before.passwordHash;
    const changed = resourceEvent(event, asking, {
      id,
      name,
      before: auditedFields(before),
      after: after && auditedFields(after),
      // Of a password only that there is another.
      more: isRenewed ? { password: 'renewed' } : {},
    });
    return this.#parts.audit({ ...changed, tenantId }, tx);
  }

  async #apply(
    tx: Queries,
    found: User,
    { enabled, roles, password, email }: UserChange,
    passwordHash: string | undefined,
  ): Promise<User> {
    if (found.issuer !== null && (roles !== undefined || password !== undefined || email !== undefined))
      throw conflict(
        "This user's roles, password and e-mail address are managed by the issuer; only 'enabled' can be changed here.",
      );
    const after = {
      ...found,
      roles: roles === undefined ? found.roles : [...new Set(roles)],
      passwordHash: passwordHash ?? found.passwordHash,
      email: email === undefined ? found.email : email,
      disabledAt: this.#disabledAt(found, enabled),
    };
    await updateUser(tx, after);
    if (enabled === false || passwordHash !== undefined) await signOutEverywhere(tx, found.id, this.#now());
    return after;
  }

  #disabledAt(found: User, enabled: boolean | undefined): Date | null {
    if (enabled === undefined) return found.disabledAt;
    return enabled ? null : (found.disabledAt ?? this.#now());
  }

  /** Runs with the user, while a lock prevents other changes of the tenant's administrators. */
  async #withUser(
    caller: Caller,
    which: UserReference,
    run: (tx: Queries, user: User) => Promise<User>,
  ): Promise<User> {
    const { db, changes } = this.#parts;
    requirePermission(caller, 'users:manage');
    const tenantId = await tenantFor(db, caller, which.tenantId);
    const user = await db.transaction(async (tx) => {
      await lockTenant(tx, tenantId);
      await lockUser(tx, which.id);
      const found = await findUser(tx, which.id);
      if (found === undefined || found.tenantId !== tenantId) throw notFound('The user');
      const after = await run(tx, found);
      if ((await findOldestAdmin(tx, systemTenant)) === undefined)
        throw conflict(
          `The tenant ${systemTenant} needs an enabled administrator; create another one first.`,
        );
      return (await findUser(tx, which.id)) ?? after;
    });
    await changes.announce({ kind: 'user', id: user.id });
    return user;
  }

  #now(): Date {
    return new Date(this.#parts.clock.now());
  }
}

const auditedFields = ({ username, roles, email, disabledAt }: User) => ({
  username,
  roles,
  email,
  enabled: disabledAt === null,
});
