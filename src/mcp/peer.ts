/** One side of a JSON-RPC conversation over a transport: requests, responses, cancellation and timeouts. */
import { AppError } from '#base/errors.ts';
import {
  failure,
  fieldsOf,
  isNotification,
  isRequest,
  notification,
  RpcError,
  rpcCodes,
  success,
  type Fields,
  type RequestId,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
  type RpcResponse,
} from './json-rpc.ts';
import { metaOf } from './protocol.ts';
import type { Transport } from './transport.ts';

/** A request to a server, with handlers for what may arrive before its response. */
export interface PeerCall {
  readonly method: string;
  readonly params?: Fields | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Timeout until the response; each progress notification restarts it. */
  readonly timeoutMs: number;
  /** Receives the progress and log messages of this call. */
  readonly onNotification?: ((message: RpcNotification) => void) | undefined;
  /** Answers requests that the server sends during this call. */
  readonly onRequest?: ((request: RpcRequest, signal: AbortSignal) => Promise<Fields>) | undefined;
}

export interface PeerHandlers {
  /** Receives what belongs to no call: list changes, resource updates, logs. */
  onNotification(message: RpcNotification): void;
  onClosed(reason: Error): void;
}

interface Waiting {
  readonly call: PeerCall;
  readonly resolve: (result: Fields) => void;
  readonly reject: (reason: unknown) => void;
  /** Aborts the delivery. */
  readonly stop: AbortController;
  /** Absolute time limit, which progress notifications do not extend. */
  readonly untilMs: number;
  /** Removes the listener from the caller's signal. */
  readonly abort: () => void;
  timer: NodeJS.Timeout | undefined;
}

/** The absolute time limit of a call, as a multiple of its timeout. */
const longestFactor = 10;

export class Peer implements AsyncDisposable {
  readonly #transport: Transport;
  readonly #handlers: PeerHandlers;
  #nextId = 1;
  #over: Error | undefined;
  readonly #waiting = new Map<RequestId, Waiting>();
  readonly #answering = new Map<RequestId, AbortController>();
  readonly #events;

  constructor(transport: Transport, handlers: PeerHandlers) {
    this.#transport = transport;
    this.#handlers = handlers;
    this.#events = {
      message: (message: RpcMessage, related: RequestId | undefined) => {
        if (isRequest(message))
          // If the response cannot be delivered the server gets none; the transport reports its own end.
          this.#answer(message, related).catch(() => undefined);
        else if (isNotification(message)) this.#take(message, related);
        else this.#settle(message as RpcResponse, related);
      },
      broken: (id: RequestId, reason: Error) => this.#finish(id)?.reject(reason),
      closed: (reason: Error) => {
        this.#over ??= reason;
        for (const id of this.#waiting.keys()) {
          const entry = this.#finish(id);
          entry?.reject(reason);
          entry?.stop.abort(reason);
        }
        for (const stop of this.#answering.values()) stop.abort(reason);
        this.#handlers.onClosed(reason);
      },
    };
  }

  open(): Promise<void> {
    return this.#transport.open(this.#events);
  }

  get inFlight() {
    return this.#waiting.size;
  }

  /** @throws RpcError that the server returned; AppError 502 or 504; the signal's reason if it was aborted. */
  request(call: PeerCall): Promise<Fields> {
    if (this.#over !== undefined) return Promise.reject(this.#over);
    if (call.signal?.aborted === true) return Promise.reject(call.signal.reason as Error);
    const id = this.#nextId++;
    const { method, headers, signal } = call;
    const params =
      call.onNotification === undefined
        ? call.params
        : { ...call.params, _meta: { ...metaOf(call.params), progressToken: id } };
    return new Promise<Fields>((resolve, reject) => {
      const entry: Waiting = {
        call,
        resolve,
        reject,
        stop: new AbortController(),
        untilMs: Date.now() + call.timeoutMs * longestFactor,
        abort: () => this.#giveUp(id, signal?.reason),
        timer: undefined,
      };
      this.#waiting.set(id, entry);
      this.#startClock(id, entry);
      signal?.addEventListener('abort', entry.abort, { once: true });
      this.#transport
        .send(
          { jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) },
          { signal: entry.stop.signal, headers },
        )
        .catch((error: unknown) => this.#finish(id)?.reject(error));
    });
  }

  notify(method: string, params?: Fields): Promise<void> {
    return this.#transport.send(notification(method, params && fieldsOf(params)), {});
  }

  [Symbol.asyncDispose]() {
    return this.#transport[Symbol.asyncDispose]();
  }

  #finish(id: RequestId): Waiting | undefined {
    const entry = this.#waiting.get(id);
    if (entry === undefined) return undefined;
    this.#waiting.delete(id);
    clearTimeout(entry.timer);
    entry.call.signal?.removeEventListener('abort', entry.abort);
    return entry;
  }

  #giveUp(id: RequestId, reason: unknown) {
    const entry = this.#finish(id);
    if (entry === undefined) return;
    entry.reject(reason);
    entry.stop.abort(reason);
    if (entry.call.method === 'initialize' || this.#over !== undefined) return;
    const why = reason instanceof Error ? reason.message : 'cancelled';
    this.#transport
      .send(notification('notifications/cancelled', { requestId: id, reason: why }), {})
      .catch(() => undefined);
  }

  #startClock(id: RequestId, entry: Waiting) {
    clearTimeout(entry.timer);
    const { timeoutMs, method } = entry.call;
    entry.timer = setTimeout(
      () =>
        this.#giveUp(
          id,
          new AppError(504, 'timed_out', `The MCP server did not answer ${method} within ${timeoutMs} ms.`),
        ),
      Math.max(0, Math.min(timeoutMs, entry.untilMs - Date.now())),
    );
  }

  #settle(response: RpcResponse, related: RequestId | undefined) {
    const id = response.id ?? related;
    const entry = id === undefined ? undefined : this.#finish(id);
    if (entry === undefined) return;
    if ('error' in response) {
      const { code, message, data } = response.error;
      entry.reject(new RpcError(code, message, data));
    } else entry.resolve(response.result);
  }

  /** The call that a message without a related request belongs to: the call of its stream, else the latest. */
  #callOf(related: RequestId | undefined, able: (call: PeerCall) => unknown): PeerCall | undefined {
    const own = related === undefined ? undefined : this.#waiting.get(related)?.call;
    if (own !== undefined) return able(own) === undefined ? undefined : own;
    return [...this.#waiting.values()].map(({ call }) => call).findLast((call) => able(call) !== undefined);
  }

  async #answer(request: RpcRequest, related: RequestId | undefined) {
    if (request.method === 'ping') {
      await this.#transport.send(success(request.id, {}), {});
      return;
    }
    const stop = new AbortController();
    this.#answering.set(request.id, stop);
    const handle = this.#callOf(related, (call) => call.onRequest)?.onRequest;
    let response: RpcResponse;
    try {
      if (handle === undefined)
        throw new RpcError(rpcCodes.methodNotFound, `This client does not answer ${request.method}.`);
      response = success(request.id, await handle(request, stop.signal));
    } catch (error) {
      const body =
        error instanceof RpcError
          ? error.body
          : { code: rpcCodes.internalError, message: 'The client failed.' };
      response = failure(request.id, body);
    } finally {
      this.#answering.delete(request.id);
    }
    if (!stop.signal.aborted) await this.#transport.send(response, {});
  }

  #progressed(message: RpcNotification) {
    const token = message.params?.['progressToken'];
    const entry = this.#waiting.get(token as RequestId);
    if (entry === undefined) return;
    this.#startClock(token as RequestId, entry);
    entry.call.onNotification?.(message);
  }

  #take(message: RpcNotification, related: RequestId | undefined) {
    if (message.method === 'notifications/progress') this.#progressed(message);
    else if (message.method === 'notifications/cancelled')
      this.#answering.get(message.params?.['requestId'] as RequestId)?.abort();
    else if (message.method === 'notifications/message')
      (this.#callOf(related, (call) => call.onNotification) ?? this.#handlers).onNotification?.(message);
    else this.#handlers.onNotification(message);
  }
}
