import { Readable } from 'node:stream';

const heartbeatMs = 15_000;

/**
 * Server-sent events of one check, in bounded memory however slow the reader is: of `pass` events that wait, only the
 * last is sent.
 */
export class EventFeed extends Readable {
  #waiting: string[] = [];
  #pass: number | undefined;
  #wanted = false;
  #isOver = false;
  readonly #heartbeat: NodeJS.Timeout;

  constructor() {
    super();
    this.#heartbeat = setInterval(() => this.#beat(), heartbeatMs).unref();
  }

  /** The text may be shown up to this offset. */
  pass(offset: number): void {
    this.#pass = offset;
    this.#send();
  }

  /** After all that may pass until now. */
  say(event: 'open' | 'flag' | 'end' | 'error', data: object): void {
    this.#flushPass();
    this.#waiting.push(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    this.#send();
  }

  /** Ends the stream after what was said. */
  finish(): void {
    this.#isOver = true;
    this.#send();
  }

  override _read(): void {
    this.#wanted = true;
    this.#send();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    clearInterval(this.#heartbeat);
    callback(error);
  }

  #flushPass(): void {
    if (this.#pass !== undefined)
      this.#waiting.push(`event: pass\ndata: ${JSON.stringify({ offset: this.#pass })}\n\n`);
    this.#pass = undefined;
  }

  #beat(): void {
    if (this.#wanted) this.#wanted = this.push(': still here\n\n');
  }

  #send(): void {
    while (this.#wanted && !this.destroyed) {
      if (this.#waiting.length === 0) this.#flushPass();
      const next = this.#waiting.shift();
      if (next !== undefined) this.#wanted = this.push(next);
      else {
        if (this.#isOver) {
          clearInterval(this.#heartbeat);
          this.#wanted = false;
          this.push(null);
        }
        return;
      }
    }
  }
}
