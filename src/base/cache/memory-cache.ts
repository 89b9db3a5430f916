import { LRUCache } from 'lru-cache';
import type { Cache, CacheSettings } from './cache.ts';
import { ScopeCounts } from './scope-counts.ts';

interface Entry {
  scope: string;
  value: string;
}

/** Average characters (key and value) per entry that the memory limit allows for. */
const charactersPerEntry = 4096;

/** An in-process LRU cache, shared by all scopes. */
export function createMemoryCache({ maxEntries, ttlSeconds }: CacheSettings): Cache {
  const counts = new ScopeCounts();
  const entries = new LRUCache<string, Entry>({
    max: maxEntries,
    ttl: ttlSeconds * 1000,
    maxSize: maxEntries * charactersPerEntry,
    sizeCalculation: ({ value }, key) => value.length + key.length,
    dispose: ({ scope }, _key, reason) => {
      if (reason === 'evict') counts.of(scope).evictions += 1;
    },
  });
  const keysOf = (scope: string) => {
    entries.purgeStale();
    return [...entries.entries()].filter(([, entry]) => entry.scope === scope).map(([key]) => key);
  };
  return {
    backend: 'memory',
    get(scope, key) {
      const entry = entries.get(`${scope}\0${key}`);
      if (entry === undefined) counts.miss(scope);
      else counts.hit(scope);
      return Promise.resolve(entry?.value);
    },
    set(scope, key, value) {
      entries.set(`${scope}\0${key}`, { scope, value });
      return Promise.resolve();
    },
    claim(scope, key) {
      const value = entries.peek(`${scope}\0${key}`)?.value;
      return Promise.resolve({ value, release: () => Promise.resolve() });
    },
    clear(scope, keysFrom = '') {
      const keys = keysOf(scope).filter((key) => key.startsWith(`${scope}\0${keysFrom}`));
      for (const key of keys) entries.delete(key);
      return Promise.resolve(keys.length);
    },
    stats(scope) {
      const { hits, misses, evictions } = counts.of(scope);
      return Promise.resolve({
        entries: keysOf(scope).length,
        hits,
        misses,
        evictions,
        maxEntries,
        ttlSeconds,
      });
    },
    totals: () => ({ ...counts.totals, entries: entries.size }),
    [Symbol.asyncDispose]() {
      entries.clear();
      return Promise.resolve();
    },
  };
}
