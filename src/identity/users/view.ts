import { toIsoTime } from '#base/clock.ts';
import type { User } from './store.ts';

export const toWire = (user: User) => ({
  id: user.id,
  username: user.username,
  tenant_id: user.tenantId,
  tenant_name: user.tenantName,
  roles: user.roles,
  enabled: user.disabledAt === null,
  source: user.issuer === null ? ('local' as const) : ('oidc' as const),
  email: user.email,
  created_at: toIsoTime(user.createdAt),
});
