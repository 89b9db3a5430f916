/** Mutual exclusion by key: who enters waits until everybody before has left. */
export class Lanes {
  readonly #last = new Map<string, Promise<void>>();

  /** @throws the signal's reason, if it is aborted while waiting */
  async enter(key: string, signal: AbortSignal): Promise<Disposable> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const mine = before.then(() => promise);
    this.#last.set(key, mine);
    const leave = () => {
      resolve();
      if (this.#last.get(key) === mine) this.#last.delete(key);
    };
    try {
      await untilAborted(before, signal);
    } catch (error) {
      leave();
      throw error;
    }
    return { [Symbol.dispose]: leave };
  }
}

function untilAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    void promise.then(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    });
  });
}
