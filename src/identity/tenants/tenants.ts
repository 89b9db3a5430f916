import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { conflict, forbidden } from '#base/errors.ts';
import { newUuid } from '#base/ids.ts';
import { administersAll, getReachableTenant, requirePermission } from '../access.ts';
import type { Asking, Audit } from '../audit/audit.ts';
import { resourceEvent } from '../audit/resource-event.ts';
import { systemTenant } from '../bootstrap.ts';
import type { Caller } from '../caller.ts';
import { countTenants, insertTenant, listTenants, lockTenant, updateTenant, type Tenant } from './store.ts';

export interface Tenants {
  list(
    caller: Caller,
    page: { limit: number; offset: number },
  ): Promise<{ tenants: Tenant[]; total: number }>;
  /** Throws 403 but for administrators of `system`, 409 where the name is taken. */
  create(asking: Asking, wanted: { name: string; selfRegistration: boolean }): Promise<Tenant>;
  /** Throws 404 for a tenant out of reach, 409 for `system`, which is never open. */
  setSelfRegistration(asking: Asking, id: string, open: boolean | undefined): Promise<Tenant>;
}

const stillClosed = () =>
  conflict(`The tenant ${systemTenant} cannot be opened for self-registration; add its users one by one.`);

export const createTenants = ({
  db,
  clock,
  audit,
}: {
  db: Database;
  clock: Clock;
  audit: Audit;
}): Tenants => ({
  async list(caller, page) {
    requirePermission(caller, 'users:manage');
    const only = administersAll(caller) ? undefined : caller.tenantId;
    return { tenants: await listTenants(db, only, page), total: await countTenants(db, only) };
  },
  async create(asking, { name, selfRegistration }) {
    if (!administersAll(asking.caller))
      throw forbidden(`Only an administrator of the tenant ${systemTenant} can create tenants.`);
    const tenant = {
      id: newUuid(clock.now()),
      name,
      selfRegistration,
      createdAt: new Date(clock.now()),
    };
    await db.transaction(async (tx) => {
      if (!(await insertTenant(tx, tenant))) throw conflict(`A tenant '${name}' exists already.`);
      const made = { id: tenant.id, name, after: { name, selfRegistration } };
      await audit(resourceEvent('tenant_created', asking, made), tx);
    });
    return tenant;
  },
  async setSelfRegistration(asking, id, open) {
    const { caller } = asking;
    requirePermission(caller, 'users:manage');
    return db.transaction(async (tx) => {
      await lockTenant(tx, id);
      const tenant = await getReachableTenant(tx, caller, id);
      if (open === undefined || open === tenant.selfRegistration) return tenant;
      if (tenant.name === systemTenant) throw stillClosed();
      await updateTenant(tx, tenant.id, open);
      const changed = {
        id: tenant.id,
        name: tenant.name,
        before: { selfRegistration: tenant.selfRegistration },
        after: { selfRegistration: open },
      };
      // Of the tenant that was opened, whoever did it.
      await audit({ ...resourceEvent('tenant_updated', asking, changed), tenantId: tenant.id }, tx);
      return { ...tenant, selfRegistration: open };
    });
  },
});
