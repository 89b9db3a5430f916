import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { Cache } from '#base/cache/cache.ts';
import { before, startDeadline } from '#llm/deadline.ts';
import { LanguageModelError, llmTimeout } from '#llm/failures.ts';
import type { Verdict } from '#llm/verdict.ts';

/** A verdict as the model gave it: before calibration, strictness and threshold, so that it serves all of them. */
export interface RawVerdict extends Verdict {
  readonly offFormat: boolean;
}

/** The cache key of a verdict. */
export interface Place {
  readonly tenantId: string;
  readonly key: string;
}

interface Limits {
  readonly mayCache: boolean;
  remainingMs(): number;
}

/**
 * What was made last is known here for a while, whether or not the cache took it: those who come right after a flight
 * must not begin another.
 */
const recent = { max: 2000, ttl: 5000 };

/** How soon a process looks again whether another has made the verdict. */
const lookAgainMs = 20;

/** The key of all that a verdict depends on. */
export const keyOf = (parts: readonly unknown[]): string =>
  `llm:${hash('sha256', JSON.stringify(parts), 'base64url')}`;

const encode = ({ A, B, C, offFormat }: RawVerdict): string => JSON.stringify([A, B, C, Number(offFormat)]);

/** Undefined for a value that is not one of ours: a shared cache may hold anything. */
function decode(value: string | undefined): RawVerdict | undefined {
  if (value === undefined) return undefined;
  let stored: unknown;
  try {
    stored = JSON.parse(value);
  } catch {
    return undefined;
  }
  if (!Array.isArray(stored) || stored.length !== 4) return undefined;
  const [A, B, C, offFormat] = stored as unknown[];
  if (![A, B, C].every((p) => typeof p === 'number' && p >= 0 && p <= 1)) return undefined;
  if (Math.abs(Number(A) + Number(B) + Number(C) - 1) > 1e-6) return undefined;
  return { A: Number(A), B: Number(B), C: Number(C), offFormat: offFormat === 1 };
}

const isTimeout = (error: unknown): boolean =>
  error instanceof LanguageModelError && error.code === 'llm_timeout';

/** Verdicts shared by callers and processes: one of them calls the model, the others wait for it. */
export class SharedVerdicts {
  readonly #cache: Cache;
  readonly #underWay = new Map<string, Promise<RawVerdict>>();
  readonly #justMade = new LRUCache<string, RawVerdict>(recent);

  constructor(cache: Cache) {
    this.#cache = cache;
  }

  /** The verdict from the cache, from a concurrent identical request, or a new one. */
  async get(place: Place, limits: Limits, make: () => Promise<RawVerdict>): Promise<RawVerdict> {
    if (!limits.mayCache) return make();
    const id = `${place.tenantId}\0${place.key}`;
    const known = this.#justMade.get(id);
    if (known !== undefined) return known;
    using deadline = startDeadline(limits.remainingMs());
    for (;;) {
      const there = this.#underWay.get(id);
      const flight = there ?? this.#fly(id, place, limits, make);
      try {
        return await before(deadline, flight);
      } catch (error) {
        // The deadline of the caller that started the request, not ours: the next round asks itself, or joins another.
        const isOthers = there !== undefined && isTimeout(error);
        if (!isOthers || limits.remainingMs() <= lookAgainMs) throw error;
      }
    }
  }

  async find({ tenantId, key }: Place, { mayCache }: Limits): Promise<RawVerdict | undefined> {
    return mayCache ? decode(await this.#cache.get(tenantId, key)) : undefined;
  }

  async keep({ tenantId, key }: Place, { mayCache }: Limits, verdict: RawVerdict): Promise<void> {
    if (mayCache) await this.#cache.set(tenantId, key, encode(verdict));
  }

  #fly(id: string, place: Place, limits: Limits, make: () => Promise<RawVerdict>): Promise<RawVerdict> {
    const flight = this.#claimed(place, limits, make)
      .then((verdict) => {
        this.#justMade.set(id, verdict);
        return verdict;
      })
      .finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, flight);
    return flight;
  }

  async #claimed(
    { tenantId, key }: Place,
    limits: Limits,
    make: () => Promise<RawVerdict>,
  ): Promise<RawVerdict> {
    const known = decode(await this.#cache.get(tenantId, key));
    if (known !== undefined) return known;
    for (;;) {
      const claim = await this.#cache.claim(tenantId, key, limits.remainingMs());
      if (claim !== undefined) {
        try {
          const made = decode(claim.value);
          if (made !== undefined) return made;
          const verdict = await make();
          await this.#cache.set(tenantId, key, encode(verdict));
          return verdict;
        } finally {
          await claim.release();
        }
      }
      if (limits.remainingMs() <= lookAgainMs)
        throw llmTimeout('Another process did not have the language model’s verdict in time.');
      await sleep(lookAgainMs);
    }
  }
}
