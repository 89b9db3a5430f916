import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';

export interface LiveCacheOptions<V> {
  /** Maximum number of values; the least recently used is evicted first. */
  readonly maxEntries: number;
  /** Maximum total size, as `sizeOf` measures values. */
  readonly maxSize?: number;
  /** A positive integer. */
  readonly sizeOf?: (value: V) => number;
  /** Time to live: how long a change without notification may go unnoticed. */
  readonly ttlMs: number | (() => number);
  /** Reads the values of the keys; keys without a value are omitted. */
  readonly load: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>;
  /**
   * While the database is unavailable, a value that was not invalidated is still returned for this long after its
   * time to live; default: 0.
   */
  readonly staleWhileUnavailableMs?: number;
  /** How long to wait for a read when a stale value is available; default: 250. */
  readonly patienceMs?: number;
  /** Default: a monotonic clock. */
  readonly clock?: Clock;
}

interface Entry<V> {
  readonly value: V | undefined;
  /** When the read started. */
  readonly readAtMs: number;
}

/** While the database is unavailable, one cache queries it no more often than this. */
const probeEveryMs = 1000;
const defaultPatienceMs = 250;

const monotonic: Clock = { now: () => performance.now() };
const isUnavailable = (error: unknown) => error instanceof AppError && error.status === 503;

/**
 * Caches values read from the database until they are invalidated ({@link LiveCache.forget}). Concurrent readers of
 * a key share one read; a failed read is reported to them and not cached; a value read before a change is not
 * cached after it. Missing keys are cached too, in slots of their own, so that a flood of unknown keys evicts no
 * values.
 */
export class LiveCache<V> {
  readonly #options: LiveCacheOptions<V>;
  readonly #clock: Clock;
  readonly #values: LRUCache<string, Entry<V>>;
  readonly #missing: LRUCache<string, Entry<V>>;
  readonly #loading = new Map<string, Promise<V | undefined>>();
  /** Until then the database is considered unavailable and not queried if a stale value exists. */
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
   * Synchronous if cached, else a promise; undefined if there is no value.
   * @throws the error of reading
   */
  get(key: string): V | undefined | Promise<V | undefined> {
    const entry = this.#values.get(key) ?? this.#missing.get(key);
    if (entry === undefined) return this.#loading.get(key) ?? this.#read(key);
    if (this.#isFresh(entry)) return entry.value;
    if (!this.#mayBeStale(entry)) return this.#loading.get(key) ?? this.#read(key);
    const nowMs = this.#clock.now();
    if (nowMs < this.#awayUntilMs) return entry.value;
    // One of many concurrent callers probes whether the database is back.
    if (this.#awayUntilMs > -Infinity) this.#awayUntilMs = nowMs + probeEveryMs;
    return this.#readOrStale(key, entry);
  }

  /**
   * The values of the keys, in order; missing ones are read in one batch.
   * @throws the error of reading
   */
  getMany(keys: readonly string[]): readonly (V | undefined)[] | Promise<readonly (V | undefined)[]> {
    const toRead = new Set(keys.filter((key) => this.#mustRead(key)));
    if (toRead.size > 1) this.#readAll([...toRead]);
    const found = keys.map((key) => this.get(key));
    return found.some((each) => each instanceof Promise)
      ? Promise.all(found.map(async (each) => each))
      : (found as (V | undefined)[]);
  }

  /** Invalidates a value: it is read again on its next use. */
  forget(key: string): void {
    this.#values.delete(key);
    this.#missing.delete(key);
    this.#loading.delete(key);
  }

  /** Invalidates all values. */
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

  /** Whether the key must be read and no read is in progress. */
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
          // Another read has started, or the value was invalidated: this result may predate a change.
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

  /** Waits for the read, but falls back to the stale value if the database is unavailable. */
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

  /** Whether the entry was not invalidated meanwhile. */
  #stillHolds(key: string, entry: Entry<V>): boolean {
    return (this.#values.peek(key) ?? this.#missing.peek(key)) === entry && this.#mayBeStale(entry);
  }
}

/** Makes a {@link LiveCacheOptions.load} of a function that reads one key. */
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
