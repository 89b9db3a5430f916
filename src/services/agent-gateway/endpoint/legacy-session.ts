/** A session of a legacy client: its capabilities, its streams and its pending requests. */
import type { ServerResponse } from 'node:http';
import type { Caller } from '#identity/caller.ts';
import {
  RpcError,
  rpcCodes,
  type Fields,
  type RequestId,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
} from '#mcp/json-rpc.ts';
import { clientMethods } from '#mcp/protocol.ts';
import { ChangedLists } from './changed-lists.ts';
import { SessionStreams } from './session-streams.ts';

export interface SessionFacts {
  readonly sessionId: string;
  readonly caller: Caller;
  readonly version: string;
  readonly capabilities: Fields;
  readonly nowMs: number;
}

interface Question {
  readonly resolve: (result: Fields) => void;
  readonly reject: (error: Error) => void;
}

export class LegacySession {
  readonly sessionId: string;
  readonly version: string;
  readonly capabilities: Fields;
  readonly inFlight = new Map<RequestId, AbortController>();
  readonly subscriptions = new Set<string>();
  /** Capabilities as of the last request. */
  caller: Caller;
  logLevel: string | undefined;
  usedAtMs: number;
  /** Disposed when the session is closed. */
  presence: Disposable | undefined;
  readonly #streams = new SessionStreams();
  readonly #changedLists = new ChangedLists((message) => this.#streams.say(message));
  readonly #questions = new Map<RequestId, Question>();
  #nextQuestion = 0;

  constructor({ sessionId, caller, version, capabilities, nowMs }: SessionFacts) {
    this.sessionId = sessionId;
    this.caller = caller;
    this.version = version;
    this.capabilities = capabilities;
    this.usedAtMs = nowMs;
  }

  /** Opens a stream for the response to a request; its events have ids. */
  newStream(): { nextId: (data: string) => string; end: () => void } {
    return this.#streams.open();
  }

  /** Sends on the stream that the client keeps open, if there is one; changed lists once each for a moment. */
  sayOnStream(message: RpcNotification): void {
    if (!this.#changedLists.take(message.method)) this.#streams.say(message);
  }

  /** Opens that stream, or resumes it after the given event. False if the event is unknown. */
  attach(sink: ServerResponse, headers: Fields, lastEventId: string | undefined): boolean {
    const isAttached = this.#streams.attach(sink, headers, lastEventId);
    if (isAttached) this.#changedLists.opened();
    return isAttached;
  }

  /** Sends a request to the client through `send` and waits for the response. */
  ask(request: RpcRequest, signal: AbortSignal, send: (request: RpcRequest) => boolean): Promise<Fields> {
    const capability = clientMethods.get(request.method);
    if (capability === undefined || this.capabilities[capability] === undefined)
      return Promise.reject(
        new RpcError(rpcCodes.methodNotFound, `The client does not answer ${request.method}.`),
      );
    this.#nextQuestion += 1;
    const id = `gateway-${this.#nextQuestion}`;
    return new Promise<Fields>((resolve, reject) => {
      const done = () => {
        this.#questions.delete(id);
        signal.removeEventListener('abort', withdrawn);
      };
      const withdrawn = () => {
        done();
        reject(new RpcError(rpcCodes.internalError, 'The question was withdrawn.'));
      };
      signal.addEventListener('abort', withdrawn, { once: true });
      this.#questions.set(id, {
        resolve: (result) => {
          done();
          resolve(result);
        },
        reject: (error) => {
          done();
          reject(error);
        },
      });
      if (!send({ ...request, id })) withdrawn();
    });
  }

  /** Handles the client's response to one of our requests. */
  answered(response: RpcResponse): void {
    const question = response.id === null ? undefined : this.#questions.get(response.id);
    if (question === undefined) return;
    if ('error' in response) {
      const { code, message, data } = response.error;
      question.reject(new RpcError(code, message, data));
    } else question.resolve(response.result);
  }

  close(reason: Error): void {
    this.presence?.[Symbol.dispose]();
    this.#changedLists[Symbol.dispose]();
    for (const stop of this.inFlight.values()) stop.abort(reason);
    for (const { reject } of this.#questions.values()) reject(reason);
    this.#streams.endAll();
  }
}
