/** Changed lists are told once each where servers tell of many in a moment, as they do while they connect. */
import { notification, type RpcNotification } from '#mcp/json-rpc.ts';

/** After a client has come, its servers connect. */
const settlingMs = 1000;
const gatheredMs = 100;

const isListChange = (method: string): boolean => method.endsWith('/list_changed');

export class ChangedLists implements Disposable {
  readonly #send: (message: RpcNotification) => void;
  readonly #settledAt = performance.now() + settlingMs;
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  /** Made when the client comes. */
  constructor(send: (message: RpcNotification) => void) {
    this.#send = send;
  }

  /** Whether the message tells of a changed list; it is sent soon then. */
  take(method: string): boolean {
    if (!isListChange(method)) return false;
    this.#changed.add(method);
    this.#timer ??= setTimeout(
      () => this.#tell(),
      Math.max(gatheredMs, this.#settledAt - performance.now()),
    ).unref();
    return true;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #tell(): void {
    this.#timer = undefined;
    for (const method of this.#changed) this.#send(notification(method));
    this.#changed.clear();
  }
}
