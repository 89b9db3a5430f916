import type { WebSocket } from '@fastify/websocket';
import { AppError } from '../errors.ts';

export interface SocketOptions {
  /** The largest accepted message; a larger one closes the socket with 4413. */
  readonly maxMessageBytes: number;
  /** Unhandled messages before reading from the peer pauses; default: 16. */
  readonly mostUnhandled?: number;
  /** Unsent bytes before {@link Socket.send} waits; default: 1 MiB. */
  readonly mostBufferedBytes?: number;
  /** How long a peer may read nothing, or leave a ping unanswered; default: 30,000. */
  readonly deadAfterMs?: number;
}

const defaults = { mostUnhandled: 16, mostBufferedBytes: 1024 * 1024, deadAfterMs: 30_000 };
/** Polling interval of `bufferedAmount`: ws reports when a message is sent, not when there is room again. */
const lookAgainMs = 20;
/** Maximum reason length in a close frame (RFC 6455 §5.5.1). */
const longestReasonBytes = 123;

/** Application close codes: 4000 plus the corresponding HTTP status. */
const tooLarge = 4413;
const tooSlow = 4408;

/** One WebSocket, in bounded memory both ways, however slow its peer or its handler is. */
export class Socket {
  readonly #raw: WebSocket;
  readonly #options: SocketOptions & typeof defaults;
  readonly #ended = new AbortController();
  readonly #unhandled: (string | Buffer)[] = [];
  readonly #beat: NodeJS.Timeout;
  #wake = () => {};
  #isAlive = true;

  constructor(raw: WebSocket, options: SocketOptions) {
    this.#raw = raw;
    this.#options = { ...defaults, ...options };
    raw.on('message', (data: Buffer, isBinary) => this.#take(data, isBinary));
    raw.on('pong', () => (this.#isAlive = true));
    raw.on('error', () => raw.terminate());
    raw.on('close', () => this.#end());
    this.#beat = setInterval(() => this.#ping(), this.#options.deadAfterMs).unref();
  }

  /** Aborted once the socket is closed, by whichever side. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** The peer's messages, text as a string; ends when the socket does. One reader at a time. */
  async *messages(): AsyncGenerator<string | Buffer, void, undefined> {
    for (;;) {
      const next = this.#unhandled.shift();
      if (next !== undefined) {
        if (this.#unhandled.length < this.#options.mostUnhandled) this.#raw.resume();
        yield next;
      } else if (this.signal.aborted) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /**
   * Sends a message, and resolves once there is room for another.
   * @throws AppError 408 if the peer reads nothing for too long (the socket closes with 4408); the signal's reason
   * if the socket is closed
   */
  async send(message: string | Buffer): Promise<void> {
    this.signal.throwIfAborted();
    this.#raw.send(message);
    const { mostBufferedBytes, deadAfterMs } = this.#options;
    let buffered = this.#raw.bufferedAmount;
    let sinceMs = performance.now();
    while (this.#raw.bufferedAmount > mostBufferedBytes) {
      await new Promise<void>((resolve) => {
        setTimeout(resolve, lookAgainMs);
      });
      this.signal.throwIfAborted();
      if (this.#raw.bufferedAmount < buffered) {
        buffered = this.#raw.bufferedAmount;
        sinceMs = performance.now();
      } else if (performance.now() - sinceMs > deadAfterMs) {
        const slow = new AppError(408, 'too_slow', 'What was sent was not read in time.');
        this.close(tooSlow, slow.detail);
        throw slow;
      }
    }
  }

  /** Like {@link send}, but drops the message and returns false if there is no room. */
  offer(message: string | Buffer): boolean {
    if (this.signal.aborted || this.#raw.bufferedAmount > this.#options.mostBufferedBytes) return false;
    this.#raw.send(message);
    return true;
  }

  /** Sends a close frame; a peer that does not respond with its own is disconnected. */
  close(code: number, reason = ''): void {
    if (this.signal.aborted) return;
    const { deadAfterMs } = this.#options;
    // A paused socket would not receive the peer's close frame.
    this.#raw.resume();
    this.#raw.close(code, shortened(reason));
    // No further messages are handled, and an unresponsive peer is disconnected.
    const late = setTimeout(() => this.#raw.terminate(), Math.min(deadAfterMs, 5000)).unref();
    this.#raw.once('close', () => clearTimeout(late));
    this.#end();
  }

  #take(data: Buffer, isBinary: boolean): void {
    if (this.signal.aborted) return;
    if (data.length > this.#options.maxMessageBytes) {
      this.close(tooLarge, `A message has at most ${this.#options.maxMessageBytes} bytes.`);
      return;
    }
    this.#isAlive = true;
    this.#unhandled.push(isBinary ? data : data.toString('utf8'));
    if (this.#unhandled.length >= this.#options.mostUnhandled) this.#raw.pause();
    this.#wake();
  }

  #ping(): void {
    // While reading is paused, a pong cannot arrive.
    if (this.#raw.isPaused) return;
    if (!this.#isAlive) {
      this.#raw.terminate();
      return;
    }
    this.#isAlive = false;
    this.#raw.ping();
  }

  #end(): void {
    clearInterval(this.#beat);
    this.#ended.abort(new AppError(499, 'closed', 'The socket is closed.'));
    this.#wake();
  }
}

function shortened(reason: string): string {
  const bytes = Buffer.from(reason);
  if (bytes.length <= longestReasonBytes) return reason;
  return new TextDecoder().decode(bytes.subarray(0, longestReasonBytes - 3)).replace(/\uFFFD+$/, '');
}
