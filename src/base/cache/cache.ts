/** Small values by key that may be lost at any time. No method fails because of the cache's own store. */
export interface Cache extends AsyncDisposable {
  readonly backend: 'memory' | 'redis';
  get(scope: string, key: string): Promise<string | undefined>;
  set(scope: string, key: string, value: string): Promise<void>;
  /** Forgets everything of one scope; the number of entries that went. */
  clear(scope: string): Promise<number>;
  stats(scope: string): Promise<CacheStats>;
}

/** Of one scope, since the start of this process (entries: of all processes, where the cache is shared). */
export interface CacheStats {
  entries: number;
  hits: number;
  misses: number;
  /** Null where another program decides what to evict. */
  evictions: number | null;
  /** Of all scopes together; null where another program sets the bound. */
  maxEntries: number | null;
  ttlSeconds: number;
}

export interface CacheSettings {
  maxEntries: number;
  ttlSeconds: number;
}
