import type { Handlers } from '#base/http/mount.ts';
import type { Audit } from '../audit/audit.ts';
import type { Caller } from '../caller.ts';
import type { apiKeyOperations } from '../contract/api-keys.ts';
import type { ApiKeys } from './api-keys.ts';
import { toWire } from './view.ts';

export const apiKeyHandlers = ({
  apiKeys,
  audit,
}: {
  apiKeys: ApiKeys;
  audit: Audit;
}): Handlers<typeof apiKeyOperations, Caller> => ({
  listApiKeys: async ({ caller, query }) => {
    const { keys, total } = await apiKeys.list(caller.userId, query);
    return { api_keys: keys.map(toWire), total };
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
    return { ...toWire(kept), key };
  },
  deleteApiKey: async ({ caller, params, request }) => {
    const { id, name } = await apiKeys.delete(caller.userId, params.key_id);
    await audit({ event: 'api_key_deleted', caller, request, details: { key_id: id, name } });
    return { message: `The API key '${name}' is deleted.` };
  },
});
