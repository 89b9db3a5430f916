import { toIsoTime } from '#base/clock.ts';
import type { Tenant } from './store.ts';

export const toWire = ({ id, name, selfRegistration, createdAt }: Tenant) => ({
  id,
  name,
  self_registration: selfRegistration,
  created_at: toIsoTime(createdAt),
});
