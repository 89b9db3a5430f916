/** A session of a client of the older era: what it may be asked, what it was sent, and what it waits for. */
import type { ServerResponse } from 'node:http';
import type { Caller } from '#identity/caller.ts';
import { formatEvent } from '#base/events/event.ts';
import {
  RpcError,
  rpcCodes,
  type Fields,
  type RequestId,
  type RpcMessage,
  type RpcRequest,
  type RpcResponse,
} from '#mcp/json-rpc.ts';
import { clientMethods } from '#mcp/protocol.ts';
import { maxUnreadBytes } from './reply-stream.ts';

/** A stream of events that can be taken up again by the id of its last event. */
interface Stream {
  readonly streamId: string;
  readonly events: { n: number; data: string }[];
  next: number;
  size: number;
  sink: ServerResponse | undefined;
  ended: boolean;
}

export interface LegacySession {
  readonly sessionId: string;
  /** As of the last request. */
  caller: Caller;
  readonly version: string;
  readonly capabilities: Fields;
  logLevel: string | undefined;
  usedAtMs: number;
  /** Disposed when the session is closed. */
  presence: Disposable | undefined;
  readonly inFlight: Map<RequestId, AbortController>;
  readonly subscriptions: Set<string>;
  /** A stream for the answer to a request; ids for its events. */
  newStream(): { nextId: (data: string) => string; end: () => void };
  /** Sends on the stream that the client keeps open, where it does. */
  sayOnStream(message: RpcMessage): void;
  /** Opens that stream, or takes up the one that broke off after the event. False for an unknown event. */
  attach(sink: ServerResponse, headers: Fields, lastEventId: string | undefined): boolean;
  /** Asks the client; `send` takes the question to it. */
  ask(request: RpcRequest, signal: AbortSignal, send: (request: RpcRequest) => boolean): Promise<Fields>;
  /** An answer of the client to one of our questions. */
  answered(response: RpcResponse): void;
  close(reason: Error): void;
}

const keptEvents = 256;
const keptCharacters = 1_000_000;
const keptStreams = 64;
const keepAliveMs = 15_000;

export interface SessionFacts {
  readonly sessionId: string;
  readonly caller: Caller;
  readonly version: string;
  readonly capabilities: Fields;
  readonly nowMs: number;
}

export function createLegacySession({
  sessionId,
  caller,
  version,
  capabilities,
  nowMs,
}: SessionFacts): LegacySession {
  const streams = new Map<string, Stream>();
  const questions = new Map<
    RequestId,
    { resolve: (result: Fields) => void; reject: (error: Error) => void }
  >();
  const inFlight = new Map<RequestId, AbortController>();
  let nextStream = 0;
  let nextQuestion = 0;

  const makeStream = (): Stream => {
    const stream: Stream = {
      streamId: String(nextStream),
      events: [],
      next: 1,
      size: 0,
      sink: undefined,
      ended: false,
    };
    nextStream += 1;
    streams.set(stream.streamId, stream);
    // The oldest that is over goes first; the one that the client keeps open is the first of all and stays.
    if (streams.size > keptStreams)
      for (const [id, each] of streams)
        if (each.ended && id !== '0') {
          streams.delete(id);
          break;
        }
    return stream;
  };

  const record = (stream: Stream, data: string): string => {
    const n = stream.next;
    stream.next += 1;
    stream.events.push({ n, data });
    stream.size += data.length;
    while (stream.events.length > keptEvents || (stream.size > keptCharacters && stream.events.length > 1))
      stream.size -= stream.events.shift()?.data.length ?? 0;
    const id = `${stream.streamId}-${n}`;
    if (stream.sink?.writableEnded === false) {
      stream.sink.write(data === '' ? `id: ${id}\ndata:\n\n` : formatEvent({ id, event: 'message', data }));
      // It can come back for the last events.
      if (stream.sink.writableLength > maxUnreadBytes) stream.sink.destroy();
    }
    return id;
  };

  const own = makeStream();

  const connect = (stream: Stream, sink: ServerResponse, headers: Fields) => {
    stream.sink?.end();
    sink.writeHead(200, {
      ...(headers as Record<string, string>),
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    sink.flushHeaders();
    const keepAlive = setInterval(() => {
      if (!sink.writableEnded) sink.write(': still here\n\n');
    }, keepAliveMs).unref();
    sink.once('close', () => {
      clearInterval(keepAlive);
      if (stream.sink === sink) stream.sink = undefined;
    });
    stream.sink = sink;
  };

  const replay = (stream: Stream, after: number) => {
    for (const { n, data } of stream.events)
      if (n > after && data !== '')
        stream.sink?.write(formatEvent({ id: `${stream.streamId}-${n}`, event: 'message', data }));
    if (stream.ended) stream.sink?.end();
  };

  const session: LegacySession = {
    sessionId,
    caller,
    version,
    capabilities,
    logLevel: undefined,
    usedAtMs: nowMs,
    presence: undefined,
    inFlight,
    subscriptions: new Set(),
    newStream() {
      const stream = makeStream();
      return {
        nextId: (data) => record(stream, data),
        end: () => {
          stream.ended = true;
          stream.sink?.end();
        },
      };
    },
    sayOnStream: (message) => void record(own, JSON.stringify(message)),
    attach(sink, headers, lastEventId) {
      if (lastEventId === undefined) {
        connect(own, sink, headers);
        return true;
      }
      const [, streamId = '', n = ''] = /^(\d+)-(\d+)$/.exec(lastEventId) ?? [];
      const stream = streams.get(streamId);
      if (stream === undefined) return false;
      connect(stream, sink, headers);
      replay(stream, Number(n));
      return true;
    },
    ask(request, signal, send) {
      const capability = clientMethods.get(request.method);
      if (capability === undefined || capabilities[capability] === undefined)
        return Promise.reject(
          new RpcError(rpcCodes.methodNotFound, `The client does not answer ${request.method}.`),
        );
      nextQuestion += 1;
      const id = `gateway-${nextQuestion}`;
      return new Promise<Fields>((resolve, reject) => {
        const done = () => {
          questions.delete(id);
          signal.removeEventListener('abort', withdrawn);
        };
        const withdrawn = () => {
          done();
          reject(new RpcError(rpcCodes.internalError, 'The question was withdrawn.'));
        };
        signal.addEventListener('abort', withdrawn, { once: true });
        questions.set(id, {
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
    },
    answered(response) {
      const question = response.id === null ? undefined : questions.get(response.id);
      if (question === undefined) return;
      if ('error' in response) {
        const { code, message, data } = response.error;
        question.reject(new RpcError(code, message, data));
      } else question.resolve(response.result);
    },
    close(reason) {
      session.presence?.[Symbol.dispose]();
      for (const stop of inFlight.values()) stop.abort(reason);
      for (const { reject } of questions.values()) reject(reason);
      for (const { sink } of streams.values()) sink?.end();
      streams.clear();
    },
  };
  return session;
}
