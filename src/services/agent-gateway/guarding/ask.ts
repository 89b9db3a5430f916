/** One request of a client, in whichever era it came. */
import type { Caller } from '#identity/caller.ts';
import type { Fields, RpcNotification, RpcRequest } from '#mcp/json-rpc.ts';
import type { Era } from '#mcp/protocol.ts';
import type { Asking } from '../on-behalf/who.ts';

/** Who asks, for as long as a session lasts; where there are none, for as long as they come back. */
export interface Client extends Asking {
  readonly caller: Caller;
  /** Of the session, in the action guard's log and in ours. */
  readonly sessionId: string;
  /** What the gateway keeps for them is kept under it. */
  readonly key: string;
  readonly era: Era;
  readonly capabilities: Fields;
}

export interface Ask {
  readonly method: string;
  readonly params: Fields;
  readonly signal: AbortSignal;
  /** Of modern clients: log messages of this level and above are wanted. */
  readonly logLevel?: string | undefined;
  /** Progress and log messages go there. */
  readonly onNotification: (message: RpcNotification) => void;
  /** Puts a question to the client, in the course of this request. */
  readonly onRequest: (request: RpcRequest, signal: AbortSignal) => Promise<Fields>;
}

/** How the caller is called in the audit log: the user, and the key or client that acts for them. */
export function principalOf({ username, apiKeyId, oauth }: Caller): string {
  if (oauth !== undefined) return `${username} (client ${oauth.clientId})`;
  return apiKeyId === undefined ? username : `${username} (key ${apiKeyId})`;
}

/**
 * What stands for the caller: what is kept for one key or client of a user is not for another. It stays the same when the
 * user allows the client more.
 */
export const credentialOf = ({ apiKeyId, oauth }: Caller): string => apiKeyId ?? oauth?.clientId ?? '';
