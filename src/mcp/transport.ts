import type { Fields, RequestId, RpcMessage } from './json-rpc.ts';
import type { Challenge } from './oauth/challenge.ts';
import type { Era } from './protocol.ts';

/** Options for sending one message. */
export interface Delivery {
  /** Aborts the delivery; callers abort it when the transport closes. */
  readonly signal?: AbortSignal | undefined;
  /** Additional HTTP headers for this message. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface TransportEvents {
  /** @param related our request on whose stream the message arrived; undefined if the transport cannot tell. */
  message(message: RpcMessage, related: RequestId | undefined): void;
  /** A response to our request arrived that cannot be read; the transport goes on. */
  broken(id: RequestId, reason: Error): void;
  /** The transport is closed. The reason is passed to all pending requests. Called at most once. */
  closed(reason: Error): void;
}

/** Carries messages to and from a server without interpreting them. */
export interface Transport extends AsyncDisposable {
  /** Connects, if the transport needs a connection before the first message. */
  open(events: TransportEvents): Promise<void>;
  /**
   * Resolves when the message is delivered; for a request over HTTP, when its response stream has ended.
   * @throws AppError or RpcError if it could not be delivered.
   */
  send(message: RpcMessage, delivery: Delivery): Promise<void>;
  /** Sets the negotiated protocol version, which HTTP transports send with later messages. */
  agreed(version: string | undefined, era: Era | undefined): void;
  /**
   * Opens the stream for messages that the server sends on its own initiative, if the transport has one. Resolves when
   * it is open, refused, or after a short wait.
   */
  listen(): Promise<void>;
  /** Whether the server keeps a session; without one it cannot send requests. Undefined if the connection is one. */
  readonly hasSession?: boolean;
  /** Whether the server has answered anything yet; undefined if the transport cannot tell. */
  readonly hasAnswered?: boolean;
}

/** How the connecting client identifies itself. */
export interface ClientFacts {
  readonly info: Fields;
  readonly capabilities: Fields;
}

/** Credentials for an HTTP server. */
export interface Credentials {
  /** Called before each message, so that renewed tokens are used at once. */
  headers(): Promise<Readonly<Record<string, string>>>;
  /**
   * Called when the server refused the credentials (401 or 403). Resolves to true if there are new ones and the message
   * may be retried once.
   * @param sent the refused headers
   * @param isLast the message was already retried, so it will not be retried again
   * @throws AppError that tells the user what to do
   */
  refused(challenge: Challenge, sent: Readonly<Record<string, string>>, isLast: boolean): Promise<boolean>;
}
