import type { Handlers } from '#base/http/mount.ts';
import type { Audit } from '../audit/audit.ts';
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
  audit,
  userNames,
}: {
  apiKeys: ApiKeys;
  audit: Audit;
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
    const { key, kept } = await apiKeys.create(caller.userId, {
      name: body.name,
      scope: body.scope,
      expiresAt,
    });
    await audit({
      event: 'api_key_created',
      caller,
      request,
      details: { key_id: kept.id, name: kept.name, scope: kept.scope },
    });
    return { ...toWire(kept, () => caller.username), key };
  },
  rotateApiKey: async ({ caller, params, body, request }) => {
    const minutes = body.old_key_ends_in_minutes;
    const { key, kept } = await apiKeys.rotate(caller.userId, params.key_id, minutes * minuteMs);
    await audit({
      event: 'api_key_rotated',
      caller,
      request,
      details: {
        key_id: params.key_id,
        new_key_id: kept.id,
        name: kept.name,
        old_key_ends_in_minutes: minutes,
      },
    });
    return { ...toWire(kept, () => caller.username), key };
  },
  deleteApiKey: async ({ caller, params, request }) => {
    const { id, name, userId } = await apiKeys.delete(widestScope(caller), params.key_id);
    const details = { key_id: id, name, ...(userId !== caller.userId && { owner_id: userId }) };
    await audit({ event: 'api_key_deleted', caller, request, details });
    return { message: `The API key '${name}' is deleted.` };
  },
});
