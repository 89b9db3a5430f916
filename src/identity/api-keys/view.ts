import { toIsoTime } from '#base/clock.ts';
import type { NameOf } from '../users/user-names.ts';
import type { ApiKey } from './store.ts';

const timeOf = (at: Date | null) => (at === null ? null : toIsoTime(at));

export const toWire = (
  { id, userId, name, keyPrefix, scope, expiresAt, createdAt, lastUsedAt }: ApiKey,
  nameOf: NameOf,
) => ({
  id,
  name,
  key_prefix: keyPrefix,
  scope,
  expires_at: timeOf(expiresAt),
  created_at: toIsoTime(createdAt),
  last_used_at: timeOf(lastUsedAt),
  user_id: userId,
  user_name: nameOf(userId),
});
