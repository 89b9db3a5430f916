import type { Fields } from '#mcp/json-rpc.ts';
import type { Gateway } from '../registry/gateways/gateway.ts';
import type { Offer } from '../upstreams/catalog.ts';
import type { Ask, Client } from './ask.ts';

/** A tool call on its way to its server. */
export interface GuardedCall {
  readonly gateway: Gateway;
  readonly client: Client;
  readonly ask: Ask;
  readonly offer: Offer;
  readonly args: Fields;
  /** All tools of the gateway; the agent has read their descriptions. */
  readonly listed: readonly Offer[];
  /** Forwards the call. */
  readonly forward: () => Promise<Fields>;
}
