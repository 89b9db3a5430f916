import type { Clock } from '#base/clock.ts';
import type { Queries } from '#base/db/database.ts';
import { conflict, forbidden } from '#base/errors.ts';
import type { RequestFacts } from '#base/http/mount.ts';
import { newUuid } from '#base/ids.ts';
import { administersAll, getReachableTenant, requirePermission } from '../access.ts';
import type { Audit } from '../audit/audit.ts';
import { systemTenant } from '../bootstrap.ts';
import type { Caller } from '../caller.ts';
import { countTenants, insertTenant, listTenants, updateTenant, type Tenant } from './store.ts';

export interface Tenants {
  list(
    caller: Caller,
    page: { limit: number; offset: number },
  ): Promise<{ tenants: Tenant[]; total: number }>;
  /** Throws 403 but for administrators of `system`, 409 where the name is taken. */
  create(
    request: { name: string; selfRegistration: boolean },
    caller: Caller,
    facts: RequestFacts,
  ): Promise<Tenant>;
  /** Throws 404 for a tenant out of reach, 409 for `system`, which is never open. */
  setSelfRegistration(
    id: string,
    open: boolean | undefined,
    caller: Caller,
    facts: RequestFacts,
  ): Promise<Tenant>;
}

const stillClosed = () =>
  conflict(`The tenant ${systemTenant} cannot be opened for self-registration; add its users one by one.`);

export const createTenants = ({
  db,
  clock,
  audit,
}: {
  db: Queries;
  clock: Clock;
  audit: Audit;
}): Tenants => ({
  async list(caller, page) {
    requirePermission(caller, 'users:manage');
    const only = administersAll(caller) ? undefined : caller.tenantId;
    return { tenants: await listTenants(db, only, page), total: await countTenants(db, only) };
  },
  async create({ name, selfRegistration }, caller, request) {
    if (!administersAll(caller))
      throw forbidden(`Only an administrator of the tenant ${systemTenant} can create tenants.`);
    const tenant = {
      id: newUuid(clock.now()),
      name,
      selfRegistration,
      createdAt: new Date(clock.now()),
    };
    if (!(await insertTenant(db, tenant))) throw conflict(`A tenant '${name}' exists already.`);
    await audit({ event: 'tenant_created', caller, request, details: { new_tenant_id: tenant.id, name } });
    return tenant;
  },
  async setSelfRegistration(id, open, caller, request) {
    requirePermission(caller, 'users:manage');
    const tenant = await getReachableTenant(db, caller, id);
    if (open === undefined || open === tenant.selfRegistration) return tenant;
    if (tenant.name === systemTenant) throw stillClosed();
    await updateTenant(db, tenant.id, open);
    const details = { self_registration: open };
    await audit({ event: 'tenant_updated', caller, tenantId: tenant.id, request, details });
    return { ...tenant, selfRegistration: open };
  },
});
