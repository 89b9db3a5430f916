import { LRUCache } from 'lru-cache';

export interface Counts {
  hits: number;
  misses: number;
  evictions: number;
}

/** Counters per scope (for the most recently used scopes) and in total. */
export class ScopeCounts {
  readonly totals = { hits: 0, misses: 0 };
  readonly #counts = new LRUCache<string, Counts>({ max: 10_000 });

  hit(scope: string): void {
    this.of(scope).hits += 1;
    this.totals.hits += 1;
  }

  miss(scope: string): void {
    this.of(scope).misses += 1;
    this.totals.misses += 1;
  }

  of(scope: string): Counts {
    const known = this.#counts.get(scope);
    if (known !== undefined) return known;
    const counts = { hits: 0, misses: 0, evictions: 0 };
    this.#counts.set(scope, counts);
    return counts;
  }
}
