import { LRUCache } from 'lru-cache';
import { isUnavailable } from '#base/errors.ts';

/** What was read from the database, for a few seconds, so that a request that comes again needs no query. */
export interface FreshCache<V> {
  /** At once where it is cached, else once it is loaded; undefined where there is none (which is cached too). */
  get(key: string): V | undefined | Promise<V | undefined>;
  forget(key: string): void;
  forgetAll(): void;
}

export interface FreshCacheSettings<V> {
  maxEntries: number;
  /** The longest that a change made elsewhere goes unnoticed. */
  ttlMs: number;
  /** While the database does not answer, what was read before is good for so long, unless it was forgotten. */
  staleMs?: number;
  load: (key: string) => Promise<V | undefined>;
}

/** Many who ask for the same key at once wait for one load. */
export function freshCache<V>(settings: FreshCacheSettings<V>): FreshCache<V> {
  const { maxEntries, ttlMs, staleMs = 0, load } = settings;
  const entries = new LRUCache<string, { value: V | undefined; readAt: number }>({ max: maxEntries });
  const loading = new Map<string, Promise<V | undefined>>();
  let epoch = 0;

  const start = (key: string): Promise<V | undefined> => {
    const begunIn = epoch;
    const readAt = performance.now();
    const loaded = load(key)
      .then(
        (value) => {
          // What was read before something was forgotten may be what was to be forgotten.
          if (begunIn === epoch) entries.set(key, { value, readAt });
          return value;
        },
        (error: unknown) => {
          const known = entries.get(key);
          if (known === undefined || !isUnavailable(error) || performance.now() - known.readAt >= staleMs)
            throw error;
          return known.value;
        },
      )
      .finally(() => {
        if (loading.get(key) === loaded) loading.delete(key);
      });
    loading.set(key, loaded);
    return loaded;
  };

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry !== undefined && performance.now() - entry.readAt < ttlMs) return entry.value;
      return loading.get(key) ?? start(key);
    },
    forget(key) {
      epoch++;
      entries.delete(key);
      loading.delete(key);
    },
    forgetAll() {
      epoch++;
      entries.clear();
      loading.clear();
    },
  };
}
