interface Patience {
  readonly signal: AbortSignal;
  readonly forMs: number;
}

/** The calls of this process that wait for a decision, by what is decided: several can wait for the same. */
export class Waiting {
  readonly #byKey = new Map<string, Set<() => void>>();

  /** Resolves when it is decided, when time is up, or when the caller has disconnected. */
  until(key: string, { signal, forMs }: Patience): Promise<void> {
    return new Promise((resolve) => {
      const here = this.#byKey.get(key) ?? new Set();
      this.#byKey.set(key, here);
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        here.delete(done);
        if (here.size === 0) this.#byKey.delete(key);
        resolve();
      };
      const timer = setTimeout(done, forMs);
      if (signal.aborted) return done();
      signal.addEventListener('abort', done, { once: true });
      here.add(done);
    });
  }

  wake(key: string): void {
    for (const done of this.#byKey.get(key) ?? []) done();
  }

  wakeAll(): void {
    for (const key of this.#byKey.keys()) this.wake(key);
  }
}
