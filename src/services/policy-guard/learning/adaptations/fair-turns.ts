import { availableParallelism } from 'node:os';

interface Waiting {
  readonly owner: string;
  /** The round in which it begins: an owner's next comes a round after the one before. */
  readonly round: number;
  readonly begin: () => void;
}

/**
 * Takes turns at work that keeps a core busy: half of the cores at a time, and one turn of an owner's. Those who wait are
 * served in rounds, an owner each, so that no owner waits for all that another has sent (as the queue of `base/jobs/runs`).
 */
export class FairTurns {
  readonly #most: number;
  readonly #busy = new Set<string>();
  #waiting: Waiting[] = [];

  constructor(most = Math.max(1, Math.floor(availableParallelism() / 2))) {
    this.#most = most;
  }

  async take<T>(owner: string, run: () => Promise<T>): Promise<T> {
    const served = this.#waiting.reduce((least, each) => Math.min(least, each.round), Infinity);
    const own = this.#waiting.filter((each) => each.owner === owner).map((each) => each.round + 1);
    const round = Math.max(Number.isFinite(served) ? served : 0, ...own);
    await new Promise<void>((begin) => {
      this.#waiting.push({ owner, round, begin });
      this.#next();
    });
    try {
      return await run();
    } finally {
      this.#busy.delete(owner);
      this.#next();
    }
  }

  #next(): void {
    while (this.#busy.size < this.#most) {
      const [first] = this.#waiting
        .filter(({ owner }) => !this.#busy.has(owner))
        .sort((a, b) => a.round - b.round);
      if (first === undefined) return;
      this.#waiting = this.#waiting.filter((each) => each !== first);
      this.#busy.add(first.owner);
      first.begin();
    }
  }
}
