import { z } from 'zod';
import { isoTime, queryInteger } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { newName } from './auth.ts';

const Tenant = z
  .object({
    id: z.uuid(),
    name: z.string(),
    self_registration: z.boolean().meta({ description: 'Whether anyone may register as a member.' }),
    created_at: isoTime(),
  })
  .meta({ id: 'Tenant' });

const tag = 'Tenants';

export const tenantOperations = {
  listTenants: defineOperation({
    method: 'GET',
    path: '/auth/tenants',
    tag,
    summary: 'List the tenants that the caller administers',
    description: 'All of them for an administrator of `system`, else the caller’s own.',
    access: 'jwt',
    query: z.object({
      limit: queryInteger({ min: 1, max: 1000, preset: 100 }),
      offset: queryInteger({ min: 0, max: 1_000_000, preset: 0 }),
    }),
    response: z.object({ tenants: z.array(Tenant), total: z.int() }).meta({ id: 'TenantList' }),
    errors: [403],
  }),
  createTenant: defineOperation({
    method: 'POST',
    path: '/auth/tenants',
    tag,
    summary: 'Create a tenant',
    description: 'For administrators of `system`. Add its first administrator with `POST /auth/register`.',
    access: 'jwt',
    body: z
      .object({ name: newName(), self_registration: z.boolean().default(false) })
      .meta({ id: 'TenantRequest' }),
    status: 201,
    response: Tenant,
    errors: [403, 409],
  }),
  updateTenant: defineOperation({
    method: 'PATCH',
    path: '/auth/tenants/{tenant_id}',
    tag,
    summary: 'Open or close a tenant for self-registration',
    description: 'For its administrators. `system` cannot be opened.',
    access: 'jwt',
    params: z.object({ tenant_id: z.string() }),
    body: z.object({ self_registration: z.boolean().optional() }).meta({ id: 'TenantChange' }),
    response: Tenant,
    errors: [403, 404, 409],
  }),
} as const;
