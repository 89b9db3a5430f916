/** A small seeded generator (mulberry32): equal seeds give equal rows and equal training runs. */
export class Random {
  #state: number;

  /** @param seed a whole number, or any text (FNV-1a spreads its bytes over 32 bits) */
  constructor(seed: number | string) {
    this.#state =
      typeof seed === 'number'
        ? seed >>> 0
        : Buffer.from(seed).reduce((hash, byte) => Math.imul(hash ^ byte, 16777619), 2166136261) >>> 0;
  }

  /** Uniform in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  /** A whole number in [0, below). */
  below(below: number): number {
    return Math.floor(this.next() * below);
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Standard normal, by Box and Muller. */
  normal(): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.next()));
    return radius * Math.cos(2 * Math.PI * this.next());
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('pick from an empty list');
    return item;
  }

  /** Shuffles in place (Fisher and Yates). */
  shuffle(items: Int32Array | unknown[]): void {
    for (let i = items.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [items[i], items[j]] = [items[j] as never, items[i] as never];
    }
  }

  /** `count` different items, in random order; all of them when there are fewer. */
  sample<T>(items: readonly T[], count: number): T[] {
    const copy = [...items];
    this.shuffle(copy);
    return copy.slice(0, count);
  }
}
