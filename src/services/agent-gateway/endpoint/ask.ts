/** One request of a client, in whichever era it came. */
import type { Caller } from '#identity/caller.ts';
import type { Fields, RpcNotification, RpcRequest } from '#mcp/json-rpc.ts';
import type { Era } from '#mcp/protocol.ts';

/** Who asks, for as long as a session lasts; where there are none, for as long as they come back. */
export interface Client {
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

/** How the caller is called in the audit log: the user, and the key that acts for them. */
export const principalOf = ({ username, apiKeyId }: Caller): string =>
  apiKeyId === undefined ? username : `${username} (key ${apiKeyId})`;
