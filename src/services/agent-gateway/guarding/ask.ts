/** A client's request, of either era. */
import type { Caller } from '#identity/caller.ts';
import type { Fields, RpcNotification, RpcRequest } from '#mcp/json-rpc.ts';
import type { Era } from '#mcp/protocol.ts';
import type { Asking } from '../on-behalf/who.ts';

/** The session id; for modern clients a key of the caller. */
export interface Client extends Asking {
  readonly caller: Caller;
  /** Session id in the logs of the action guard and the gateway. */
  readonly sessionId: string;
  /** Key under which the gateway stores state of the client. */
  readonly key: string;
  readonly era: Era;
  readonly capabilities: Fields;
}

export interface Ask {
  readonly method: string;
  readonly params: Fields;
  readonly signal: AbortSignal;
  /** Aborts `signal`: the gateway does so when it stops. */
  readonly stop: AbortController;
  /** Minimum level of log messages that a modern client wants. */
  readonly logLevel?: string | undefined;
  /** Receives progress and log messages. */
  readonly onNotification: (message: RpcNotification) => void;
  /** Sends a request to the client during this request. */
  readonly onRequest: (request: RpcRequest, signal: AbortSignal) => Promise<Fields>;
}

/** The caller as shown in the audit log: the user, and the API key or OAuth client that acts for the user. */
export function principalOf({ username, apiKeyId, oauth }: Caller): string {
  if (oauth !== undefined) return `${username} (client ${oauth.clientId})`;
  return apiKeyId === undefined ? username : `${username} (key ${apiKeyId})`;
}

/**
 * Identifies the caller: state of one key or client of a user is not shared with another. It does not change when the
 * user grants the client more scopes.
 */
export const credentialOf = ({ apiKeyId, oauth }: Caller): string => apiKeyId ?? oauth?.clientId ?? '';
