import type { Fields, RpcError } from '#mcp/json-rpc.ts';
import type { Outcome } from '../audit/entry.ts';
import type { Gateway } from '../registry/gateways/gateway.ts';
import type { Offer } from '../upstreams/catalog.ts';
import type { Ask, Client } from './ask.ts';
import type { RedactionCounts } from './redact-result.ts';

/** A tool call on its way to its server. */
export interface GuardedCall {
  readonly gateway: Gateway;
  readonly client: Client;
  readonly ask: Ask;
  readonly offer: Offer;
  readonly args: Fields;
  /** All tools of the gateway; the agent has read their descriptions. */
  readonly listed: readonly Offer[];
  /**
   * Called when the call is held for a person, and again when it is decided.
   * @param approvalId of what was asked here; null while nothing is decided, and where the user is asked at the client
   */
  readonly onHeld: (approvalId: string | null) => void;
  /** Forwards the call. */
  readonly forward: () => Promise<Fields>;
}

/** The result for the client, and what the audit log records. */
export interface Guarded {
  readonly result: Fields;
  readonly allowed: boolean;
  readonly outcome: Outcome;
  readonly reason: string;
  readonly ruleIds: readonly string[];
  /** Without the time that a person took to decide. */
  readonly guardLatencyMs: number;
  readonly redactions?: RedactionCounts | null | undefined;
  /** Thrown to the client in place of the result. */
  readonly error?: RpcError;
}
