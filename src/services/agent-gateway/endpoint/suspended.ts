/**
 * Calls of modern clients that wait for the client's answers: the request ends with `input_required`, and the call
 * continues when the client sends the answers in another request.
 */
import {
  fieldsOf,
  RpcError,
  rpcCodes,
  type Fields,
  type RpcNotification,
  type RpcRequest,
} from '#mcp/json-rpc.ts';
import { clientMethods } from '#mcp/protocol.ts';

const prefix = 'bulwark:';

/** The id of the waiting call that a request continues; undefined if it continues none of ours. */
export function continuedCall(params: Fields | undefined): string | undefined {
  const state = params?.['requestState'];
  return typeof state === 'string' && state.startsWith(prefix) ? state.slice(prefix.length) : undefined;
}

const patienceMs = 5 * 60_000;
const maxSuspended = 10_000;

interface Question {
  readonly request: RpcRequest;
  readonly answer: (result: Fields) => void;
}

/** How a request ends: with the call's result, or with questions to the client. */
export type Turn =
  | { readonly result: Fields }
  | { readonly inputRequests: Fields; readonly requestState: string };

export interface Running {
  /** The caller and request of the call; only the same caller can resume it, with the same request. */
  readonly owner: string;
  readonly stop: AbortController;
  notify: (message: RpcNotification) => void;
  /** Settles when the call ends or asks the next question. */
  turn(signal: AbortSignal): Promise<Turn>;
  answer(responses: Fields): void;
}

export interface StartOptions {
  readonly owner: string;
  readonly capabilities: Fields;
  /** @param stop of the call: its signal is the one that the call listens to */
  readonly run: (
    stop: AbortController,
    onNotification: (message: RpcNotification) => void,
    onRequest: (request: RpcRequest, signal: AbortSignal) => Promise<Fields>,
  ) => Promise<Fields>;
}

export class Suspensions {
  readonly #newId: () => string;
  readonly #waiting = new Map<string, { running: Running; timer: NodeJS.Timeout }>();

  /** @param newId makes an id that nobody guesses, and that tells other processes which one has the call */
  constructor(newId: () => string) {
    this.#newId = newId;
  }

  start({ owner, capabilities, run }: StartOptions): Running {
    const stop = new AbortController();
    const questions = new Map<string, Question>();
    // Created on demand, since most calls never wait.
    let id: string | undefined;
    let count = 0;
    let wake: (() => void) | undefined;
    const onRequest = (request: RpcRequest, signal: AbortSignal) => {
      const capability = clientMethods.get(request.method);
      if (capability === undefined || capabilities[capability] === undefined)
        throw new RpcError(rpcCodes.methodNotFound, `The client does not answer ${request.method}.`);
      return new Promise<Fields>((resolve, reject) => {
        count += 1;
        const key = `${request.method.replaceAll('/', '_')}_${count}`;
        const forget = () => {
          questions.delete(key);
          reject(new RpcError(rpcCodes.internalError, 'The question was withdrawn.'));
        };
        signal.addEventListener('abort', forget, { once: true });
        questions.set(key, { request, answer: resolve });
        wake?.();
      });
    };
    const running: Running = {
      owner,
      stop,
      notify: () => undefined,
      turn: async (signal) => {
        const abort = () => stop.abort(signal.reason);
        // The client may have disconnected while a server was being connected.
        if (signal.aborted) abort();
        signal.addEventListener('abort', abort, { once: true });
        try {
          const result = await new Promise<Fields | undefined>((resolve, reject) => {
            wake = () => resolve(undefined);
            done.then(resolve, reject);
            if (questions.size > 0) wake();
          });
          if (result !== undefined) return { result };
          if (this.#waiting.size >= maxSuspended)
            throw new RpcError(rpcCodes.internalError, 'Too many calls wait for an answer of their client.');
          id ??= prefix + this.#newId();
          this.#hold(id, running);
          const inputRequests = Object.fromEntries(
            [...questions].map(([key, { request }]) => [
              key,
              { method: request.method, params: request.params ?? {} },
            ]),
          );
          return { inputRequests, requestState: id };
        } finally {
          signal.removeEventListener('abort', abort);
          wake = undefined;
        }
      },
      answer: (responses) => {
        for (const [key, { answer }] of questions) {
          if (!(key in responses)) continue;
          questions.delete(key);
          answer(fieldsOf(responses[key]));
        }
      },
    };
    const done = run(stop, (message) => running.notify(message), onRequest);
    // A failure is reported to the waiting request; if there is none, the call was abandoned.
    done.catch(() => undefined);
    return running;
  }

  /** @throws RpcError if the state was issued by us but belongs to no waiting call of this owner. */
  find(requestState: unknown, owner: string): Running | undefined {
    if (typeof requestState !== 'string' || !requestState.startsWith(prefix)) return undefined;
    const found = this.#waiting.get(requestState);
    if (found?.running.owner !== owner)
      throw new RpcError(rpcCodes.invalidParams, "'requestState' is unknown, or its call has ended.");
    clearTimeout(found.timer);
    this.#waiting.delete(requestState);
    return found.running;
  }

  #hold(id: string, running: Running) {
    const timer = setTimeout(() => {
      this.#waiting.delete(id);
      running.stop.abort(
        new RpcError(rpcCodes.internalError, 'The client did not come back with an answer.'),
      );
    }, patienceMs).unref();
    this.#waiting.set(id, { running, timer });
  }
}
