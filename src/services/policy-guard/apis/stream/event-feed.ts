import { Readable } from 'node:stream';

const heartbeatMs = 15_000;

/** Characters of redacted text that may wait for a slow reader before no more is read of the caller. */
const mostWaiting = 100_000;

/**
 * Server-sent events of one check, in bounded memory however slow the reader is: `pass` events that wait become one,
 * and where they carry text, whoever feeds waits for {@link room}.
 */
export class EventFeed extends Readable {
  #waiting: string[] = [];
  #pass: { offset: number; text?: string } | undefined;
  #roomWanted: (() => void) | undefined;
  #wanted = false;
  #isOver = false;
  readonly #heartbeat: NodeJS.Timeout;

  constructor() {
    super();
    this.#heartbeat = setInterval(() => this.#beat(), heartbeatMs).unref();
  }

  /** The text may be shown up to this offset; `text` is shown instead of what was sent, where it is given. */
  pass(offset: number, text?: string): void {
    const all = text === undefined ? {} : { text: (this.#pass?.text ?? '') + text };
    this.#pass = { offset, ...all };
    this.#send();
  }

  /** Resolves once the reader has taken most of what waits, or is gone. */
  async room(): Promise<void> {
    if (this.destroyed || (this.#pass?.text ?? '').length < mostWaiting) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#roomWanted = resolve;
    await promise;
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
    this.#roomWanted?.();
    callback(error);
  }

  #flushPass(): void {
    if (this.#pass !== undefined) this.#waiting.push(`event: pass\ndata: ${JSON.stringify(this.#pass)}\n\n`);
    this.#pass = undefined;
    this.#roomWanted?.();
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
