import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '../caller.ts';
import type { apiKeyOperations } from '../contract/api-keys.ts';
import type { UserNames } from '../users/user-names.ts';
import type { ApiKeys } from './api-keys.ts';
import type { KeyScopeOf } from './store.ts';
import { toWire } from './view.ts';

const minuteMs = 60_000;

/** Administrators see and delete the keys of their tenant; nobody sees a key itself. */
const widestScope = (caller: Caller): KeyScopeOf =>
  caller.permissions.includes('users:manage') ? { tenantId: caller.tenantId } : { userId: caller.userId };

export const apiKeyHandlers = ({
  apiKeys,
  userNames,
}: {
  apiKeys: ApiKeys;
  userNames: UserNames;
}): Handlers<typeof apiKeyOperations, Caller> => ({
  listApiKeys: async ({ caller, query }) => {
    const scope = query.owner === 'all' ? widestScope(caller) : { userId: caller.userId };
    const { keys, total } = await apiKeys.list(scope, query);
    const nameOf = await userNames(keys.map(({ userId }) => userId));
    return { api_keys: keys.map((key) => toWire(key, nameOf)), total };
  },
  createApiKey: async ({ caller, body, request }) => {
    const expiresAt = typeof body.expires_at === 'string' ? new Date(body.expires_at) : undefined;
    const { name, scope } = body;
    const { key, kept } = await apiKeys.create({ caller, request }, { name, scope, expiresAt });
    return { ...toWire(kept, () => caller.username), key };
  },
  rotateApiKey: async ({ caller, params, body, request }) => {
    const graceMs = body.old_key_ends_in_minutes * minuteMs;
    const { key, kept } = await apiKeys.rotate({ caller, request }, params.key_id, graceMs);
    return { ...toWire(kept, () => caller.username), key };
  },
  deleteApiKey: async ({ caller, params, request }) => {
    const { name } = await apiKeys.delete({ caller, request }, widestScope(caller), params.key_id);
    return { message: `The API key '${name}' is deleted.` };
  },
});
