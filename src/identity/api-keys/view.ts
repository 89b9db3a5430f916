import { toIsoTime } from '#base/clock.ts';
import type { ApiKey } from './store.ts';

export const toWire = ({ id, name, keyPrefix, scope, expiresAt, createdAt }: ApiKey) => ({
  id,
  name,
  key_prefix: keyPrefix,
  scope,
  expires_at: expiresAt === null ? null : toIsoTime(expiresAt),
  created_at: toIsoTime(createdAt),
});
