/** The response to a POST: one JSON body, or an event stream if messages are sent before the result. */
import type { ServerResponse } from 'node:http';
import { formatEvent } from '#base/events/event.ts';
import { RpcError, rpcCodes, type RpcMessage, type RpcResponse } from '#mcp/json-rpc.ts';

export interface ReplyStream {
  /** Sends a message before the result. False if the client does not accept event streams or is disconnected. */
  send(message: RpcMessage): boolean;
  /** Sends the result and ends the response. The status applies only if nothing was sent before. */
  finish(
    status: number,
    message: RpcResponse | readonly RpcResponse[] | undefined,
    more?: Readonly<Record<string, string>>,
  ): void;
  /** Starts the event stream now. */
  open(): void;
  /** Aborts the running work as if the client had disconnected; a response can still be sent. */
  abandon(reason: Error): void;
  /** Aborted when the client disconnects early, and by {@link abandon}. */
  readonly gone: AbortSignal;
  /** What aborts `gone`, for others that may end the work. */
  readonly work: AbortController;
}

export interface ReplyStreamOptions {
  readonly response: ServerResponse;
  /** Headers of every response. */
  readonly headers: Readonly<Record<string, string | number | string[] | undefined>>;
  readonly takesEvents: boolean;
  /** Assigns event ids, so that the client can resume the stream. */
  readonly nextId?: ((data: string) => string) | undefined;
  /** Sent first on an event stream, so that the client has an id to resume from. */
  readonly primed?: boolean;
}

const keepAliveMs = 15_000;

/** Maximum bytes buffered for a client that does not read; beyond it the client is disconnected. */
export const maxUnreadBytes = 16 * 1024 * 1024;

const eventHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

export function replyStream({
  response,
  headers,
  takesEvents,
  nextId,
  primed,
}: ReplyStreamOptions): ReplyStream {
  const gone = new AbortController();
  let isEvents = false;
  let keepAlive: NodeJS.Timeout | undefined;
  response.once('close', () => {
    clearInterval(keepAlive);
    if (!response.writableFinished) gone.abort(new RpcError(rpcCodes.internalError, 'The client is gone.'));
  });

  const open = () => {
    if (isEvents || response.headersSent || response.destroyed) return;
    isEvents = true;
    response.writeHead(200, { ...headers, ...eventHeaders });
    response.flushHeaders();
    if (primed === true && nextId !== undefined) response.write(`id: ${nextId('')}\ndata:\n\n`);
    keepAlive = setInterval(() => response.write(': still here\n\n'), keepAliveMs).unref();
  };

  return {
    gone: gone.signal,
    work: gone,
    abandon: (reason) => gone.abort(reason),
    open,
    send(message) {
      if (!takesEvents) return false;
      open();
      const data = JSON.stringify(message);
      const id = nextId?.(data);
      // A write after the end would emit an unhandled error.
      if (response.writableEnded || response.destroyed) return false;
      response.write(formatEvent({ id, event: 'message', data }));
      if (response.writableLength > maxUnreadBytes) response.destroy();
      return true;
    },
    finish(status, message, more = {}) {
      clearInterval(keepAlive);
      if (response.writableEnded) return;
      const data = message === undefined ? undefined : JSON.stringify(message);
      if (isEvents) {
        if (data !== undefined) {
          const id = nextId?.(data);
          if (!response.destroyed) response.write(formatEvent({ id, event: 'message', data }));
        }
        response.end();
        return;
      }
      if (response.destroyed || response.headersSent) return;
      const type = data === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' };
      response.writeHead(status, {
        ...headers,
        ...more,
        ...type,
        'content-length': Buffer.byteLength(data ?? ''),
      });
      response.end(data);
    },
  };
}
