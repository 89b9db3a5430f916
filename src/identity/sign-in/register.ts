import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { isUniqueViolation } from '#base/db/errors.ts';
import { conflict, forbidden, notFound } from '#base/errors.ts';
import type { RequestFacts } from '#base/http/mount.ts';
import { newUuid } from '#base/ids.ts';
import { administersAll } from '../access.ts';
import type { Audit } from '../audit/audit.ts';
import { changesBetween } from '../audit/changes.ts';
import { systemTenant } from '../bootstrap.ts';
import type { Caller, Role } from '../caller.ts';
import { unauthorized } from '../challenges.ts';
import { hashPassword } from '../passwords/passwords.ts';
import { findTenantByName, type Tenant } from '../tenants/store.ts';
import { createThrottle, type ThrottleRule } from '../throttle/throttle.ts';
import { findUserByName, insertUser } from '../users/store.ts';

export interface Registration {
  username: string;
  password: string;
  tenantName: string;
  roles: readonly Role[] | undefined;
  email: string | undefined;
}

/** Of one address: enough for a class room, too few to fill a database. */
const selfRegistrationRule: ThrottleRule = {
  kind: 'register',
  limit: 100,
  detail: 'Too many registrations from this address. Wait for the seconds in Retry-After.',
};

export type Register = (
  registration: Registration,
  caller: Caller | undefined,
  request: RequestFacts,
) => Promise<{ id: string; username: string; tenantName: string }>;

/** Whether the caller administers the tenant: its own, or any as an administrator of `system`. */
const administers = (caller: Caller | undefined, tenantName: string): boolean =>
  caller !== undefined &&
  caller.permissions.includes('users:manage') &&
  (caller.tenantName === tenantName || administersAll(caller));

/** Refuses without revealing to outsiders whether a tenant exists. */
function refusal(caller: Caller | undefined, tenantName: string) {
  if (caller === undefined)
    return unauthorized(
      'missing_auth',
      `The tenant '${tenantName}' is not open for registration: ask one of its administrators to add you.`,
    );
  return caller.permissions.includes('users:manage')
    ? notFound(`The tenant '${tenantName}'`)
    : forbidden('You need the permission users:manage in this tenant to register a user.');
}

export interface RegisterParts {
  db: Database;
  clock: Clock;
  audit: Audit;
}

/** Creates users: for everyone where the tenant allows it, else only for an administrator. */
export function createRegister({ db, clock, audit }: RegisterParts): Register {
  const throttle = createThrottle({ db, clock }, selfRegistrationRule);
  return async ({ username, password, tenantName, roles, email }, caller, request) => {
    const tenant = await allowedTenant();
    if (!administers(caller, tenantName)) await throttle.take({ on: [], address: request.ip });
    if (roles !== undefined && !administers(caller, tenantName))
      throw forbidden("Only an administrator of the tenant may give 'roles'; leave the field out.");
    const taken = () => conflict(`The username '${username}' is taken in the tenant '${tenantName}'.`);
    // MCP servers trust it, so users cannot set it themselves.
    if (email !== undefined && !administers(caller, tenantName))
      throw forbidden("Only an administrator of the tenant may give 'email'; leave the field out.");
    if ((await findUserByName(db, tenantName, username)) !== undefined) throw taken();
    const user = {
      id: newUuid(clock.now()),
      tenantId: tenant.id,
      username,
      roles: roles ?? (['member'] as const),
      passwordHash: await hashPassword(password),
      email,
      createdAt: new Date(clock.now()),
    };
    try {
      await db.transaction(async (tx) => {
        await insertUser(tx, user);
        const changes = changesBetween(undefined, { username, roles: user.roles, email });
        const details = { id: user.id, name: username, changes };
        // Who registers is who did it.
        const userId = caller?.userId ?? user.id;
        await audit({ event: 'register', caller, tenantId: tenant.id, userId, request, details }, tx);
      });
    } catch (error) {
      throw isUniqueViolation(error) ? taken() : error;
    }
    return { id: user.id, username, tenantName };

    async function allowedTenant(): Promise<Tenant> {
      const found = await findTenantByName(db, tenantName);
      if (administers(caller, tenantName)) {
        if (found === undefined) throw notFound(`The tenant '${tenantName}'`);
        return found;
      }
      if (found === undefined || !found.selfRegistration || tenantName === systemTenant)
        throw refusal(caller, tenantName);
      return found;
    }
  };
}
