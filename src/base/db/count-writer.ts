import type { Logger } from '../log/log.ts';

export interface CountWriterOptions<T> {
  /** Adds the counts to those in the database, all or none. */
  readonly write: (counts: ReadonlyMap<string, T>) => Promise<void>;
  /** Adds the counts of one key to newer ones of the same key. */
  readonly merge: (into: T, more: T) => void;
  readonly everyMs: number;
  /** Plural noun for the log. */
  readonly what: string;
  readonly log: Logger;
}

/**
 * Counts in memory and adds them to the database at intervals, so that counting never waits for a write.
 * While the database is unavailable they add up, one value per key. If the process is killed, the last are lost.
 */
export class CountWriter<T> implements AsyncDisposable {
  readonly #options: CountWriterOptions<T>;
  readonly #timer: NodeJS.Timeout;
  #counts = new Map<string, T>();
  #writing: Promise<void> = Promise.resolve();

  constructor(options: CountWriterOptions<T>) {
    this.#options = options;
    const { everyMs, log, what } = options;
    this.#timer = setInterval(() => {
      this.flush().catch((err: unknown) => log.warn({ err }, `${what} wait for the database`));
    }, everyMs).unref();
  }

  /** The unwritten counts of the key, to be incremented in place; created if missing. */
  of(key: string, none: () => T): T {
    let counts = this.#counts.get(key);
    if (counts === undefined) this.#counts.set(key, (counts = none()));
    return counts;
  }

  /**
   * Writes all counts so far; on failure they are kept for the next attempt.
   * @throws the error of writing
   */
  flush(): Promise<void> {
    this.#writing = this.#writing.catch(() => undefined).then(() => this.#write());
    return this.#writing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    const { log, what } = this.#options;
    // Counts that cannot be written now are lost; shutdown must go on regardless.
    await this.flush().catch((err: unknown) => log.error({ err }, `${what} were lost`));
  }

  async #write(): Promise<void> {
    if (this.#counts.size === 0) return;
    const batch = this.#counts;
    this.#counts = new Map();
    try {
      await this.#options.write(batch);
    } catch (error) {
      for (const [key, counts] of batch) {
        const since = this.#counts.get(key);
        if (since === undefined) this.#counts.set(key, counts);
        else this.#options.merge(since, counts);
      }
      throw error;
    }
  }
}
