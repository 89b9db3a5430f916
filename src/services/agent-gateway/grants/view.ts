import { toIsoTime } from '#base/clock.ts';
import type { NameOf } from '#identity/users/user-names.ts';
import { statusOf, type Grant } from './grant.ts';

const time = (at: Date | null | undefined) => (at ? toIsoTime(at) : null);

/** @param error why consent cannot be requested */
export const viewAuthorization = (grant: Grant | undefined, error: string | null, nameOf: NameOf) => ({
  status: statusOf(grant),
  issuer: grant?.issuer ?? null,
  scope: grant?.scope ?? '',
  granted_by: grant?.grantedBy ?? null,
  granted_by_name: nameOf(grant?.grantedBy),
  granted_at: time(grant?.grantedAt),
  expires_at: time(grant?.expiresAt),
  error: grant?.problem ?? error,
});

export const viewUserAuthorization = (grant: Grant, nameOf: NameOf) => ({
  ...viewAuthorization(grant, null, nameOf),
  user_id: grant.holder,
  username: nameOf(grant.holder),
});
