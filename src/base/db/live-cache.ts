import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';

export interface LiveCacheOptions<V> {
  /** Values kept; the least recently used goes first. */
  readonly maxEntries: number;
  /** Of all values kept together, as `sizeOf` measures them. */
  readonly maxSize?: number;
  /** A positive integer. */
  readonly sizeOf?: (value: V) => number;
  /** The longest that a change goes unnoticed which nobody told of. */
  readonly ttlMs: number | (() => number);
  /** Reads what there is of these keys; a key without a value is left out. */
  readonly load: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>;
  /**
   * While the database cannot be reached, or does not answer, a value that nobody said has changed is still answered
   * this long after it was to be read again; 0 unless said.
   */
  readonly staleWhileUnavailableMs?: number;
  /** For how long a read is waited for where there is such a value; 250 unless said. */
  readonly patienceMs?: number;
  /** Monotonic unless said. */
  readonly clock?: Clock;
}

interface Entry<V> {
  readonly value: V | undefined;
  /** When the read began. */
  readonly readAtMs: number;
}

/** While the database is away, it is asked no more often than this by one cache. */
const probeEveryMs = 1000;
const defaultPatienceMs = 250;

const monotonic: Clock = { now: () => performance.now() };
const isUnavailable = (error: unknown) => error instanceof AppError && error.status === 503;

/**
 * What was read from the database, until somebody says that it has changed: {@link LiveCache.forget}. Many who ask for
 * a key at once wait for one read; a failed read is told to them and kept nowhere; what was read before a change does
 * not come back after it. That a key has no value is kept too, in places of its own: a flood of unknown keys pushes no
 * value out.
 */
export class LiveCache<V> {
  readonly #options: LiveCacheOptions<V>;
  readonly #clock: Clock;
  readonly #values: LRUCache<string, Entry<V>>;
  readonly #missing: LRUCache<string, Entry<V>>;
  readonly #loading = new Map<string, Promise<V | undefined>>();
  /** Until then the database is taken for unreachable and not asked for what may be stale. */
  #awayUntilMs = -Infinity;

  constructor(options: LiveCacheOptions<V>) {
    const { maxEntries, maxSize, sizeOf, clock = monotonic } = options;
    this.#options = options;
    this.#clock = clock;
    this.#values = new LRUCache({
      max: maxEntries,
      ...(maxSize !== undefined && {
        maxSize,
        sizeCalculation: ({ value }: Entry<V>) => (value === undefined ? 1 : (sizeOf?.(value) ?? 1)),
      }),
    });
    this.#missing = new LRUCache({ max: Math.max(1, Math.ceil(maxEntries / 10)) });
  }

  /**
   * At once where it is kept, else once it is read; undefined where there is none.
   * @throws what reading fails with
   */
  get(key: string): V | undefined | Promise<V | undefined> {
    const entry = this.#values.get(key) ?? this.#missing.get(key);
    if (entry === undefined) return this.#loading.get(key) ?? this.#read(key);
    if (this.#isFresh(entry)) return entry.value;
    if (!this.#mayBeStale(entry)) return this.#loading.get(key) ?? this.#read(key);
    const nowMs = this.#clock.now();
    if (nowMs < this.#awayUntilMs) return entry.value;
    // Of many who find it away, one asks whether it is back.
    if (this.#awayUntilMs > -Infinity) this.#awayUntilMs = nowMs + probeEveryMs;
    return this.#readOrStale(key, entry);
  }

  /**
   * The values of the keys, in their order; what has to be read is read together.
   * @throws what reading fails with
   */
  getMany(keys: readonly string[]): readonly (V | undefined)[] | Promise<readonly (V | undefined)[]> {
    const toRead = new Set(keys.filter((key) => this.#mustRead(key)));
    if (toRead.size > 1) this.#readAll([...toRead]);
    const found = keys.map((key) => this.get(key));
    return found.some((each) => each instanceof Promise)
      ? Promise.all(found.map(async (each) => each))
      : (found as (V | undefined)[]);
  }

  /** The value has changed: it is read again when it is next asked for. */
  forget(key: string): void {
    this.#values.delete(key);
    this.#missing.delete(key);
    this.#loading.delete(key);
  }

  /** Any value may have changed. */
  forgetAll(): void {
    this.#values.clear();
    this.#missing.clear();
    this.#loading.clear();
  }

  #isFresh({ readAtMs }: Entry<V>): boolean {
    return this.#clock.now() - readAtMs < this.#ttlMs();
  }

  #mayBeStale({ readAtMs }: Entry<V>): boolean {
    const { staleWhileUnavailableMs = 0 } = this.#options;
    return this.#clock.now() - readAtMs < this.#ttlMs() + staleWhileUnavailableMs;
  }

  /** Whether it has to be read now, and nobody does so. */
  #mustRead(key: string): boolean {
    if (this.#loading.has(key)) return false;
    const entry = this.#values.peek(key) ?? this.#missing.peek(key);
    if (entry === undefined) return true;
    const isAnswered = this.#mayBeStale(entry) && this.#clock.now() < this.#awayUntilMs;
    return !this.#isFresh(entry) && !isAnswered;
  }

  #ttlMs(): number {
    const { ttlMs } = this.#options;
    return typeof ttlMs === 'number' ? ttlMs : ttlMs();
  }

  #read(key: string): Promise<V | undefined> {
    this.#readAll([key]);
    return this.#loading.get(key) as Promise<V | undefined>;
  }

  #readAll(keys: readonly string[]): void {
    const readAtMs = this.#clock.now();
    const all = this.#options.load(keys);
    for (const key of keys) {
      const one = all.then((values) => values.get(key));
      this.#loading.set(key, one);
      one.then(
        (value) => {
          this.#awayUntilMs = -Infinity;
          // Another read has begun, or the value was forgotten: this one may be from before a change.
          if (this.#loading.get(key) !== one) return;
          this.#loading.delete(key);
          this.#keep(key, { value, readAtMs });
        },
        () => {
          if (this.#loading.get(key) === one) this.#loading.delete(key);
        },
      );
    }
  }

  #keep(key: string, entry: Entry<V>): void {
    const [into, other] =
      entry.value === undefined ? [this.#missing, this.#values] : [this.#values, this.#missing];
    other.delete(key);
    into.set(key, entry);
  }

  /** Waits for the read, but not for a database that is away. */
  async #readOrStale(key: string, entry: Entry<V>): Promise<V | undefined> {
    const reading = this.#loading.get(key) ?? this.#read(key);
    const { patienceMs = defaultPatienceMs } = this.#options;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), patienceMs);
    });
    try {
      const first = await Promise.race([reading.then((value) => ({ value })), late]);
      if (first !== 'late') return first.value;
      if (!this.#stillHolds(key, entry)) return await reading;
    } catch (error) {
      if (!isUnavailable(error) || !this.#stillHolds(key, entry)) throw error;
    } finally {
      clearTimeout(timer);
    }
    this.#awayUntilMs = this.#clock.now() + probeEveryMs;
    return entry.value;
  }

  /** Whether nobody has said meanwhile that it changed. */
  #stillHolds(key: string, entry: Entry<V>): boolean {
    return (this.#values.peek(key) ?? this.#missing.peek(key)) === entry && this.#mayBeStale(entry);
  }
}

/** {@link LiveCacheOptions.load} for what is read one by one. */
export const loadEach =
  <V>(load: (key: string) => Promise<V | undefined>): LiveCacheOptions<V>['load'] =>
  async (keys) => {
    const found = new Map<string, V>();
    await Promise.all(
      keys.map(async (key) => {
        const value = await load(key);
        if (value !== undefined) found.set(key, value);
      }),
    );
    return found;
  };
