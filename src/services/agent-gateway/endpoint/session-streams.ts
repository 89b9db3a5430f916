/** The streams of a legacy session: one that the client keeps open, and one for each response. */
import type { ServerResponse } from 'node:http';
import { formatEvent } from '#base/events/event.ts';
import type { Fields, RpcMessage } from '#mcp/json-rpc.ts';
import { maxUnreadBytes } from './reply-stream.ts';

const keptEvents = 256;
const keptCharacters = 1_000_000;
const keptStreams = 64;
const keepAliveMs = 15_000;

/** An event stream that can be resumed by the id of its last event. */
interface Stream {
  readonly streamId: string;
  readonly events: { n: number; data: string }[];
  next: number;
  size: number;
  sink: ServerResponse | undefined;
  ended: boolean;
}

export class SessionStreams {
  readonly #streams = new Map<string, Stream>();
  #nextStream = 0;
  /** The stream that the client keeps open. */
  readonly #own = this.#makeStream();

  /** Opens a stream for the response to a request; its events have ids. */
  open(): { nextId: (data: string) => string; end: () => void } {
    const stream = this.#makeStream();
    return {
      nextId: (data) => record(stream, data),
      end: () => {
        stream.ended = true;
        stream.sink?.end();
      },
    };
  }

  /** Sends on the stream that the client keeps open, if there is one. */
  say(message: RpcMessage): void {
    record(this.#own, JSON.stringify(message));
  }

  /** Opens that stream, or resumes it after the given event. False if the event is unknown. */
  attach(sink: ServerResponse, headers: Fields, lastEventId: string | undefined): boolean {
    if (lastEventId === undefined) {
      connect(this.#own, sink, headers);
      return true;
    }
    const [, streamId = '', n = ''] = /^(\d+)-(\d+)$/.exec(lastEventId) ?? [];
    const stream = this.#streams.get(streamId);
    if (stream === undefined) return false;
    connect(stream, sink, headers);
    replay(stream, Number(n));
    return true;
  }

  endAll(): void {
    for (const { sink } of this.#streams.values()) sink?.end();
    this.#streams.clear();
  }

  #makeStream(): Stream {
    const stream: Stream = {
      streamId: String(this.#nextStream),
      events: [],
      next: 1,
      size: 0,
      sink: undefined,
      ended: false,
    };
    this.#nextStream += 1;
    this.#streams.set(stream.streamId, stream);
    this.#dropOldest();
    return stream;
  }

  /** Removes the oldest finished stream; the client's own stream is the first entry and is kept. */
  #dropOldest(): void {
    if (this.#streams.size <= keptStreams) return;
    for (const [id, { ended }] of this.#streams)
      if (ended && id !== '0') {
        this.#streams.delete(id);
        return;
      }
  }
}

/** Buffers the event and sends it if the client is connected; returns its id. */
function record(stream: Stream, data: string): string {
  const n = stream.next;
  stream.next += 1;
  stream.events.push({ n, data });
  stream.size += data.length;
  while (stream.events.length > keptEvents || (stream.size > keptCharacters && stream.events.length > 1))
    stream.size -= stream.events.shift()?.data.length ?? 0;
  const id = `${stream.streamId}-${n}`;
  if (stream.sink?.writableEnded === false) {
    stream.sink.write(data === '' ? `id: ${id}\ndata:\n\n` : formatEvent({ id, event: 'message', data }));
    // The client can resume the stream to get the last events.
    if (stream.sink.writableLength > maxUnreadBytes) stream.sink.destroy();
  }
  return id;
}

function connect(stream: Stream, sink: ServerResponse, headers: Fields): void {
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
}

function replay(stream: Stream, after: number): void {
  for (const { n, data } of stream.events)
    if (n > after && data !== '')
      stream.sink?.write(formatEvent({ id: `${stream.streamId}-${n}`, event: 'message', data }));
  if (stream.ended) stream.sink?.end();
}
