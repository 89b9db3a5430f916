import { Readable } from 'node:stream';

export interface StreamEvent {
  readonly id: string;
  readonly name: string;
  /** JSON text. */
  readonly data: string;
}

interface EventStreamOptions {
  readonly heartbeatMs: number;
  /** The stream ends after so long. */
  readonly lifeMs: number;
  /** Events that wait for a slow reader; then the oldest make room. */
  readonly mostWaiting: number;
}

/** How many ids are remembered, so that an event that comes by two ways is sent once. */
const rememberedIds = 4_000;

const encoded = ({ id, name, data }: StreamEvent) => `id: ${id}\nevent: ${name}\ndata: ${data}\n\n`;

/** Server-sent events for one reader, in bounded memory however slow the reader is. */
export class EventStream extends Readable {
  readonly #mostWaiting: number;
  readonly #timers: NodeJS.Timeout[];
  readonly #seen = new Set<string>();
  #waiting: StreamEvent[] = [];
  /** Null: more than is known. */
  #dropped: number | null = 0;
  #wanted = false;
  #ended = false;

  constructor({ heartbeatMs, lifeMs, mostWaiting }: EventStreamOptions) {
    super({ highWaterMark: 64 * 1024 });
    this.#mostWaiting = mostWaiting;
    this.#timers = [
      setInterval(() => this.#beat(), heartbeatMs).unref(),
      setTimeout(() => this.end(), lifeMs).unref(),
    ];
    // Says at once that the stream is open, and how soon to come back.
    this.push('retry: 3000\n\n');
  }

  /** Sends an event, unless one with its id was sent. */
  offer(event: StreamEvent): void {
    if (this.#ended || this.#seen.has(event.id)) return;
    this.#seen.add(event.id);
    if (this.#seen.size > rememberedIds)
      for (const oldest of this.#seen.keys()) {
        this.#seen.delete(oldest);
        break;
      }
    this.#waiting.push(event);
    if (this.#waiting.length > this.#mostWaiting) {
      this.#waiting.shift();
      this.missed(1);
    }
    this.#send();
  }

  /** Tells the reader that events are missing; null: it is not known how many. */
  missed(count: number | null): void {
    this.#dropped = count === null || this.#dropped === null ? null : this.#dropped + count;
  }

  /** Ends the stream after what the reader has been sent. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.push(null);
  }

  override _read(): void {
    this.#wanted = true;
    this.#send();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#ended = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#waiting = [];
    callback(error);
  }

  #beat(): void {
    if (!this.#wanted || this.#ended) return;
    this.#wanted = this.push(': still here\n\n');
  }

  #send(): void {
    while (this.#wanted && !this.#ended) {
      if (this.#dropped !== 0) {
        const count = this.#dropped;
        this.#dropped = 0;
        this.#wanted = this.push(`event: dropped\ndata: ${JSON.stringify({ count })}\n\n`);
        continue;
      }
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#wanted = this.push(encoded(next));
    }
  }
}
