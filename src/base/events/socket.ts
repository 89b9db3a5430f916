import type { WebSocket } from '@fastify/websocket';
import { AppError } from '../errors.ts';

export interface SocketOptions {
  /** The largest message that is taken; the socket closes with 4413 at a larger one. */
  readonly maxMessageBytes: number;
  /** Messages that wait to be handled; then the peer is read no further. 16 unless said. */
  readonly mostUnhandled?: number;
  /** Bytes on their way to the peer; then {@link Socket.send} waits. 1 MiB unless said. */
  readonly mostBufferedBytes?: number;
  /** How long a peer may take nothing of what waits for it, or leave a ping without an answer; 30,000 unless said. */
  readonly deadAfterMs?: number;
}

const defaults = { mostUnhandled: 16, mostBufferedBytes: 1024 * 1024, deadAfterMs: 30_000 };
/** What `bufferedAmount` is looked at again after: ws tells when one message is out, not when there is room. */
const lookAgainMs = 20;
/** A close frame has so much room for its reason (RFC 6455 §5.5.1). */
const longestReasonBytes = 123;

/** Close codes beyond those of the protocol: 4000 and the HTTP status that says the same. */
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
   * @throws AppError 408 where the peer takes nothing for too long: the socket closes with 4408; the signal's reason
   * where it is closed
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

  /** The same where the newest may be left out: false where there is no room for it now. */
  offer(message: string | Buffer): boolean {
    if (this.signal.aborted || this.#raw.bufferedAmount > this.#options.mostBufferedBytes) return false;
    this.#raw.send(message);
    return true;
  }

  /** Says why, and ends; a peer that does not say goodbye is cut off. */
  close(code: number, reason = ''): void {
    if (this.signal.aborted) return;
    const { deadAfterMs } = this.#options;
    // A paused socket would not see the peer's goodbye.
    this.#raw.resume();
    this.#raw.close(code, shortened(reason));
    // Nothing more is handled, and a peer who reads nothing is not waited for.
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
    // One that we read no further cannot answer.
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
