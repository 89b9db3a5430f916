/** What is asked of the agent gateway, through its contract, in the name of a user. */
import { type Client, createClient } from '#base/contract/client.ts';
import { notFound } from '#base/errors.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import { attachmentOperations } from '#services/agent-gateway/contract/attachments.ts';
import { gatewayOperations } from '#services/agent-gateway/contract/gateways.ts';
import { serverOperations } from '#services/agent-gateway/contract/servers.ts';

const operations = { ...gatewayOperations, ...attachmentOperations, ...serverOperations };
export type GatewayClient = Client<typeof operations>;
export type GatewaySettings = Awaited<ReturnType<GatewayClient['getGateway']>>;

export interface GatewayAccess {
  /** Where the agent gateway listens. */
  readonly gatewayUrl: () => string;
  readonly identity: Pick<Identity, 'person' | 'tokenFor'>;
}

const timeoutMs = 30_000;

/** A client whose requests each carry a fresh token of the caller's. */
export const clientFor = ({ gatewayUrl, identity }: GatewayAccess, caller: Caller): GatewayClient =>
  createClient(operations, {
    baseUrl: gatewayUrl(),
    fetch: async (url, init) => {
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${await identity.tokenFor(caller)}`);
      return fetch(url, { ...init, headers });
    },
    timeoutMs,
  });

/**
 * A user as a caller, for work in the background.
 * @throws AppError 404 if they were deleted or disabled
 */
export async function callerOf({ identity }: GatewayAccess, userId: string): Promise<Caller> {
  const person = await identity.person(userId);
  if (person === undefined) throw notFound('The user who started the run');
  return { ...person, via: 'jwt' };
}
