import { LRUCache } from 'lru-cache';

export interface Counts {
  hits: number;
  misses: number;
  evictions: number;
}

/** Counts by scope, for the scopes that were used last. */
export class ScopeCounts {
  readonly #counts = new LRUCache<string, Counts>({ max: 10_000 });

  of(scope: string): Counts {
    const known = this.#counts.get(scope);
    if (known !== undefined) return known;
    const counts = { hits: 0, misses: 0, evictions: 0 };
    this.#counts.set(scope, counts);
    return counts;
  }
}
