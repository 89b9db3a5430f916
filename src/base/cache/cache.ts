/** A key-value cache for small values, which may be lost at any time. Failures of its store never surface. */
export interface Cache extends AsyncDisposable {
  readonly backend: 'memory' | 'redis';
  get(scope: string, key: string): Promise<string | undefined>;
  set(scope: string, key: string, value: string): Promise<void>;
  /**
   * Claims the right to compute a missing value, for at most `ms`. Undefined: another process is computing it
   * now. A cache that is not shared, or does not answer, grants every claim.
   */
  claim(scope: string, key: string, ms: number): Promise<Claim | undefined>;
  /** Deletes all entries of one scope, or those whose keys begin so; returns how many. */
  clear(scope: string, keysFrom?: string): Promise<number>;
  stats(scope: string): Promise<CacheStats>;
  /** Totals over all scopes since this process started. */
  totals(): CacheTotals;
}

export interface CacheTotals {
  readonly hits: number;
  readonly misses: number;
  /** Entries in this process's memory; 0 if the cache is shared. */
  readonly entries: number;
}

export interface Claim {
  /** Set if another process stored it before the claim was granted: nothing to compute. Neither hit nor miss. */
  readonly value: string | undefined;
  /** Releases the claim, once the value is set or could not be computed. */
  release(): Promise<void>;
}

/** Statistics of one scope since this process started (`entries`: of all processes if the cache is shared). */
export interface CacheStats {
  entries: number;
  hits: number;
  misses: number;
  /** Null if another program evicts. */
  evictions: number | null;
  /** For all scopes together; null if another program sets the limit. */
  maxEntries: number | null;
  ttlSeconds: number;
}

export interface CacheSettings {
  maxEntries: number;
  ttlSeconds: number;
  /** Timeout of one command to a shared store; default: 100. A cache must be faster than what it replaces. */
  timeoutMs?: number;
}
