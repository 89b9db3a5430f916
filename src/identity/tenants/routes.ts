import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '../caller.ts';
import type { tenantOperations } from '../contract/tenants.ts';
import type { Tenants } from './tenants.ts';
import { toWire } from './view.ts';

export const tenantHandlers = (tenants: Tenants): Handlers<typeof tenantOperations, Caller> => ({
  listTenants: async ({ caller, query }) => {
    const found = await tenants.list(caller, query);
    return { tenants: found.tenants.map(toWire), total: found.total };
  },
  createTenant: async ({ caller, body, request }) =>
    toWire(
      await tenants.create(
        { caller, request },
        { name: body.name, selfRegistration: body.self_registration },
      ),
    ),
  updateTenant: async ({ caller, params, body, request }) =>
    toWire(await tenants.setSelfRegistration({ caller, request }, params.tenant_id, body.self_registration)),
});
