import type { Fields, RequestId, RpcMessage } from './json-rpc.ts';
import type { Era } from './protocol.ts';

/** How a message goes out, beyond what it says. */
export interface Delivery {
  readonly signal?: AbortSignal | undefined;
  /** HTTP headers of this one message. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface TransportEvents {
  /** @param related the request of ours on whose stream it came; undefined where the transport cannot tell. */
  message(message: RpcMessage, related: RequestId | undefined): void;
  /** It is over, for a reason that is told to whoever waits. Called at most once. */
  closed(reason: Error): void;
}

/** A way to a server that carries messages, and knows nothing of what they mean. */
export interface Transport extends AsyncDisposable {
  /** Connects, where there is something to connect before the first message. */
  open(events: TransportEvents): Promise<void>;
  /**
   * Resolves when the message is delivered, for a request over HTTP when its stream has ended.
   * @throws AppError or RpcError when it could not be delivered.
   */
  send(message: RpcMessage, delivery: Delivery): Promise<void>;
  /** What was agreed on: later messages say so where the transport can. */
  agreed(version: string | undefined, era: Era | undefined): void;
  /** Begins to listen for what the server says by itself, where that takes a stream of its own. */
  listen(): void;
}

/** What a connection says about who connects. */
export interface ClientFacts {
  readonly info: Fields;
  readonly capabilities: Fields;
}
