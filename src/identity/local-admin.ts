import type { Queries } from '#base/db/database.ts';
import type { LiveCache } from '#base/db/live-cache.ts';
import { systemTenant } from './bootstrap.ts';
import { permissionsOf, type Caller } from './caller.ts';
import { findOldestAdmin, type User } from './users/store.ts';

/**
 * The first administrator of `system`, used by local commands and as the caller if authentication is
 * off, so that resources created then still belong to them once it is on.
 */
export function createLocalAdmin(db: Queries, liveUsers: LiveCache<User>): () => Promise<Caller> {
  let adminId: string | undefined;
  return async () => {
    const known = adminId === undefined ? undefined : await liveUsers.get(adminId);
    const admin = known?.roles.includes('admin') ? known : await findOldestAdmin(db, systemTenant);
    if (admin === undefined) throw new Error(`The tenant ${systemTenant} has no administrator.`);
    adminId = admin.id;
    const { username, tenantId, tenantName, roles } = admin;
    const permissions = permissionsOf(roles);
    return { userId: admin.id, username, tenantId, tenantName, roles, permissions, via: 'anonymous' };
  };
}
