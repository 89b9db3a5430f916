import type { Fields, RequestId, RpcMessage } from './json-rpc.ts';
import type { Challenge } from './oauth/challenge.ts';
import type { Era } from './protocol.ts';

/** How a message goes out, beyond what it says. */
export interface Delivery {
  /** Ends it; whoever gives one aborts it when the transport is over. */
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
  /**
   * Begins to listen for what the server says by itself, where that takes a stream of its own; resolves when it is open,
   * refused, or a moment has passed.
   */
  listen(): Promise<void>;
}

/** What a connection says about who connects. */
export interface ClientFacts {
  readonly info: Fields;
  readonly capabilities: Fields;
}

/** What proves to a server over HTTP who calls. */
export interface Credentials {
  /** Called before each message, so that a token that was renewed is used at once. */
  headers(): Promise<Readonly<Record<string, string>>>;
  /**
   * The server refused them (401 or 403). True where there are others by now, and the message may be sent once more.
   * @param sent the headers that were refused
   * @param isLast the message was sent a second time already, so others would come too late
   * @throws AppError that says what is to be done
   */
  refused(challenge: Challenge, sent: Readonly<Record<string, string>>, isLast: boolean): Promise<boolean>;
}
