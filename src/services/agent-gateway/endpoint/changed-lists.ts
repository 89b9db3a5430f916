/** Changed lists are told once each where servers tell of many in a moment, as they do while they connect. */
import { notification, type RpcNotification } from '#mcp/json-rpc.ts';

/** After a client has begun to listen, its servers connect. */
const settlingMs = 1000;
const gatheredMs = 100;

const isListChange = (method: string): boolean => method.endsWith('/list_changed');

export class ChangedLists implements Disposable {
  readonly #send: (message: RpcNotification) => void;
  readonly #changed = new Set<string>();
  /** Undefined until somebody listens: what changes before is told then. */
  #settledAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (message: RpcNotification) => void) {
    this.#send = send;
  }

  /** Somebody listens from now on. */
  opened(): void {
    this.#settledAt = performance.now() + settlingMs;
    if (this.#changed.size > 0) this.#tellSoon(this.#settledAt);
  }

  /** Whether the message tells of a changed list; it is sent soon then. */
  take(method: string): boolean {
    if (!isListChange(method)) return false;
    this.#changed.add(method);
    if (this.#settledAt !== undefined) this.#tellSoon(this.#settledAt);
    return true;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #tellSoon(settledAt: number): void {
    this.#timer ??= setTimeout(
      () => this.#tell(),
      Math.max(gatheredMs, settledAt - performance.now()),
    ).unref();
  }

  #tell(): void {
    this.#timer = undefined;
    for (const method of this.#changed) this.#send(notification(method));
    this.#changed.clear();
  }
}
