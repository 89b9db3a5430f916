/** Small values by key that may be lost at any time. No method fails because of the cache's own store. */
export interface Cache extends AsyncDisposable {
  readonly backend: 'memory' | 'redis';
  get(scope: string, key: string): Promise<string | undefined>;
  set(scope: string, key: string, value: string): Promise<void>;
  /**
   * Asks to be the one process that makes a missing value, for `ms` at most. Undefined: another process makes it just
   * now. A cache that is not shared, or does not answer, gives every claim.
   */
  claim(scope: string, key: string, ms: number): Promise<Claim | undefined>;
  /** Forgets everything of one scope; the number of entries that went. */
  clear(scope: string): Promise<number>;
  stats(scope: string): Promise<CacheStats>;
  /** Of all scopes, since the start of this process. */
  totals(): CacheTotals;
}

export interface CacheTotals {
  readonly hits: number;
  readonly misses: number;
  /** In the memory of this process; 0 where it is shared. */
  readonly entries: number;
}

export interface Claim {
  /** Set by another process before the claim was given: nothing is to be made. Counts neither as hit nor as miss. */
  readonly value: string | undefined;
  /** Lets others have it: after the value is set, or where it could not be made. */
  release(): Promise<void>;
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
  /** For a command to a shared store; 100 unless said. A cache must be faster than what it saves. */
  timeoutMs?: number;
}
