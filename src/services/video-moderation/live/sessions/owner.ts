import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import type { StoredStream } from './store.ts';

export type Owners = Pick<Identity, 'callerOf'>;

/** Who made a session, through the API key they made it with; undefined once the user or the key is gone. */
export async function ownerOf(
  { ownerId, apiKeyId, tenantId }: Pick<StoredStream, 'ownerId' | 'apiKeyId' | 'tenantId'>,
  identity: Owners,
): Promise<Caller | undefined> {
  const owner = await identity.callerOf(ownerId, apiKeyId);
  return owner?.tenantId === tenantId ? owner : undefined;
}
