/** Authorization: permissions, and access to other tenants. */
import type { Queries } from '#base/db/database.ts';
import { forbidden, notFound } from '#base/errors.ts';
import { systemTenant } from './bootstrap.ts';
import type { Caller, Permission } from './caller.ts';
import { findTenant, type Tenant } from './tenants/store.ts';

/** Throws 403 where the caller lacks the permission. */
export function requirePermission(caller: Caller, permission: Permission): void {
  if (!caller.permissions.includes(permission))
    throw forbidden(`You need the permission ${permission} for this; an administrator can grant it.`);
}

/** Whether the caller administers the platform: only they may access other tenants. */
export const administersAll = (caller: Caller): boolean =>
  caller.tenantName === systemTenant && caller.permissions.includes('tenant:override');

/** Throws 404 for a tenant that is unknown or not accessible to the caller. */
export async function getReachableTenant(db: Queries, caller: Caller, id: string): Promise<Tenant> {
  const reachable = administersAll(caller) || id === caller.tenantId;
  const tenant = reachable ? await findTenant(db, id) : undefined;
  if (tenant === undefined) throw notFound('The tenant');
  return tenant;
}

/** See `Identity.tenantFor`. */
export async function tenantFor(db: Queries, caller: Caller, id: string | undefined): Promise<string> {
  if (id === undefined || id === '') return caller.tenantId;
  if (!caller.permissions.includes('tenant:override'))
    throw forbidden("You need the permission tenant:override to give 'tenant_id'; leave it out.");
  return (await getReachableTenant(db, caller, id)).id;
}
