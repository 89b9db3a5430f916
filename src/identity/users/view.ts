import { toIsoTime } from '#base/clock.ts';
import type { User } from './store.ts';

/** Where the user signs in: here, or at the OpenID Connect issuer. */
export const sourceOf = ({ issuer }: Pick<User, 'issuer'>): 'local' | 'oidc' =>
  issuer === null ? 'local' : 'oidc';

export const toWire = (user: User) => ({
  id: user.id,
  username: user.username,
  tenant_id: user.tenantId,
  tenant_name: user.tenantName,
  roles: user.roles,
  enabled: user.disabledAt === null,
  source: sourceOf(user),
  email: user.email,
  created_at: toIsoTime(user.createdAt),
});
