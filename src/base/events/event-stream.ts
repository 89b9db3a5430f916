import { Readable } from 'node:stream';
import { formatEvent } from './event.ts';

export interface EventStreamOptions {
  /** Interval of heartbeat comments, which keep proxies and readers from timing out; default 15,000. */
  readonly heartbeatMs?: number;
  /** Maximum lifetime, after which the reader reconnects; default: unlimited. */
  readonly lifeMs?: number;
  /** Buffered events for a slow reader; beyond, the oldest are dropped and the reader is notified. Default: 1000. */
  readonly mostWaiting?: number;
  /** Buffered characters before {@link EventStream.room} waits; default: 100,000. */
  readonly roomCharacters?: number;
  /** Reconnection delay sent to the reader (`retry`); default: not sent. */
  readonly retryMs?: number;
}

/** One event to be sent. */
export interface OutgoingEvent {
  readonly id?: string | undefined;
  readonly event: string;
  /** A string is JSON text, serialised once for many readers. */
  readonly data: string | object;
}

interface Waiting<T extends object = object> {
  readonly id: string | undefined;
  readonly event: string;
  data: string | T;
  characters: number;
  readonly isMergeable: boolean;
}

const defaults = { heartbeatMs: 15_000, mostWaiting: 1000, roomCharacters: 100_000 };

/** Ids remembered, so that an event that arrives by two ways is sent once. */
const rememberedIds = 4_000;

/**
 * Server-sent events for one reader, in bounded memory however slow the reader is. Three ways to handle a slow
 * reader: {@link offer} drops the oldest and reports how many, {@link merge} combines buffered events, and
 * writers that must not lose events wait for {@link room}.
 */
export class EventStream extends Readable {
  readonly #options: EventStreamOptions & typeof defaults;
  readonly #timers: NodeJS.Timeout[];
  readonly #seen = new Set<string>();
  #waiting: Waiting[] = [];
  #characters = 0;
  /** Null: an unknown number. */
  #dropped: number | null = 0;
  #roomWanted: (() => void)[] = [];
  #wanted = false;
  /** No new events are accepted; buffered ones are still sent. */
  #isClosing = false;
  #ended = false;

  constructor(options: EventStreamOptions = {}) {
    super({ highWaterMark: 64 * 1024 });
    this.#options = { ...defaults, ...options };
    const { heartbeatMs, lifeMs, retryMs } = this.#options;
    this.#timers = [setInterval(() => this.#beat(), heartbeatMs).unref()];
    if (lifeMs !== undefined) this.#timers.push(setTimeout(() => this.end(), lifeMs).unref());
    // Also flushes the response head, so that the reader sees an open stream.
    if (retryMs !== undefined) this.push(`retry: ${retryMs}\n\n`);
  }

  /** Sends an event, unless one with the same id was sent. */
  offer({ id, event, data }: OutgoingEvent): void {
    if (this.#isClosing || this.#ended || this.#wasSent(id)) return;
    const characters = typeof data === 'string' ? data.length : 0;
    this.#wait({ id, event, data, characters, isMergeable: false });
    if (this.#waiting.length > this.#options.mostWaiting) {
      this.#took(this.#waiting.shift());
      this.missed(1);
    }
    this.#send();
  }

  /**
   * Sends an event, replacing the last buffered one if it has the same name.
   * @param combine merges the two; default: keeps the newer
   * @param characters growth of the buffer
   */
  merge<T extends object>(
    event: string,
    data: T,
    combine: (waiting: T, newer: T) => T = (_, newer) => newer,
    characters = 0,
  ): void {
    if (this.#isClosing || this.#ended) return;
    const last = this.#waiting.at(-1);
    if (last?.isMergeable === true && last.event === event) {
      last.data = combine(last.data as T, data);
      last.characters += characters;
      this.#characters += characters;
    } else this.#wait({ id: undefined, event, data, characters, isMergeable: true });
    this.#send();
  }

  /** Resolves once most of the buffer is read, or the reader is gone. */
  async room(): Promise<void> {
    while (!this.#ended && !this.destroyed && this.#isCrowded())
      await new Promise<void>((resolve) => this.#roomWanted.push(resolve));
  }

  /** Notifies the reader that events are missing; null: unknown how many. */
  missed(count: number | null): void {
    this.#dropped = count === null || this.#dropped === null ? null : this.#dropped + count;
  }

  /** Ends the stream at once, discarding the buffer. */
  end(): void {
    if (this.#ended) return;
    this.#stop();
    this.push(null);
  }

  /** Ends the stream once the buffer is sent. */
  finish(): void {
    this.#isClosing = true;
    this.#send();
  }

  override _read(): void {
    this.#wanted = true;
    this.#send();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#stop();
    callback(error);
  }

  #wasSent(id: string | undefined): boolean {
    if (id === undefined) return false;
    if (this.#seen.has(id)) return true;
    this.#seen.add(id);
    if (this.#seen.size > rememberedIds)
      for (const oldest of this.#seen.keys()) {
        this.#seen.delete(oldest);
        break;
      }
    return false;
  }

  #wait(each: Waiting): void {
    this.#waiting.push(each);
    this.#characters += each.characters;
  }

  #took(each: Waiting | undefined): void {
    this.#characters -= each?.characters ?? 0;
  }

  #isCrowded(): boolean {
    const { mostWaiting, roomCharacters } = this.#options;
    return this.#waiting.length >= mostWaiting || this.#characters >= roomCharacters;
  }

  #stop(): void {
    this.#ended = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#waiting = [];
    this.#characters = 0;
    for (const wake of this.#roomWanted.splice(0)) wake();
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
        this.#wanted = this.push(formatEvent({ event: 'dropped', data: JSON.stringify({ count }) }));
        continue;
      }
      const next = this.#waiting.shift();
      if (next === undefined) {
        if (this.#isClosing) this.end();
        break;
      }
      this.#took(next);
      const data = typeof next.data === 'string' ? next.data : JSON.stringify(next.data);
      this.#wanted = this.push(formatEvent({ id: next.id, event: next.event, data }));
    }
    if (!this.#isCrowded()) for (const wake of this.#roomWanted.splice(0)) wake();
  }
}
