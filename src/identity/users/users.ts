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
  async update(
    caller: Caller,
    which: UserReference,
    change: UserChange,
    request: RequestFacts,
  ): Promise<User> {
    requirePermission(caller, 'users:manage');
    const { password } = change;
    const passwordHash = password === undefined ? undefined : await hashPassword(password);
    const user = await this.#withUser(caller, which, (tx, found) =>
      this.#apply(tx, found, change, passwordHash),
    );
    const { enabled, roles, email } = change;
    const changed = Object.entries({ enabled, roles, password, email })
      .filter(([, value]) => value !== undefined)
      .map(([name]) => name);
    const details = { changed_user_id: user.id, changed, roles: user.roles };
    await this.#parts.audit({ event: 'user_updated', caller, tenantId: user.tenantId, request, details });
    return user;
  }

  async delete(caller: Caller, which: UserReference, request: RequestFacts): Promise<User> {
    const user = await this.#withUser(caller, which, (tx, { id }) => deleteUser(tx, id, this.#now()));
    const details = { deleted_user_id: user.id, username: user.username };
    await this.#parts.audit({ event: 'user_deleted', caller, tenantId: user.tenantId, request, details });
    return user;
  }

  async #apply(
    tx: Queries,
    found: User,
    { enabled, roles, password, email }: UserChange,
    passwordHash: string | undefined,
  ): Promise<void> {
    if (found.issuer !== null && (roles !== undefined || password !== undefined || email !== undefined))
      throw conflict(
        "This user's roles, password and e-mail address are managed by the issuer; only 'enabled' can be changed here.",
      );
    await updateUser(tx, {
      id: found.id,
      roles: roles === undefined ? found.roles : [...new Set(roles)],
      passwordHash: passwordHash ?? found.passwordHash,
      email: email === undefined ? found.email : email,
      disabledAt: this.#disabledAt(found, enabled),
    });
    if (enabled === false || passwordHash !== undefined) await signOutEverywhere(tx, found.id, this.#now());
  }

  #disabledAt(found: User, enabled: boolean | undefined): Date | null {
    if (enabled === undefined) return found.disabledAt;
    return enabled ? null : (found.disabledAt ?? this.#now());
  }

  /** Runs with the user, while a lock prevents other changes of the tenant's administrators. */
  async #withUser(
    caller: Caller,
    which: UserReference,
    run: (tx: Queries, user: User) => Promise<void>,
  ): Promise<User> {
    const { db, changes } = this.#parts;
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
  }

  #now(): Date {
    return new Date(this.#parts.clock.now());
  }
}
