/**
 * Rate limits that processes share, at the cost of memory on the way of a request: each process counts alone, reports to
 * the others every {@link settleMs} what it has let through, and waits for their answer only where it would be more than
 * {@link ahead} of them. So N a minute lets N through in all processes together, and up to `ahead(N)` more for each.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { tooManyRequests } from '../errors.ts';
import { inTime } from '../in-time.ts';
import type { Logger } from '../log/log.ts';
import type { SharedBuckets } from './shared-buckets.ts';
import { fullBucket, refill, waitSeconds, type TokenBucket } from './token-bucket.ts';

/** Counts one request of a caller. Throws AppError 429 with Retry-After when none is left. */
export type CountRequest = (caller: string) => void | Promise<void>;

export interface LimitSettings {
  /** As it is now; null and 0: no limit. */
  readonly perMinute: () => number | null;
  /** What is limited, for the refusal: `requests a minute`. */
  readonly words: string;
}

export interface RateLimits extends AsyncDisposable {
  readonly backend: 'memory' | SharedBuckets['kind'];
  /** Whether the processes are counted together just now. */
  readonly isShared: boolean;
  /** A separate limit, by the name of its scope: processes that use the same name share it. */
  limit(scope: string, settings: LimitSettings): CountRequest;
}

interface CallerBucket extends TokenBucket {
  readonly key: string;
  perMinute: number;
  /** Let through here, and not yet taken from the shared bucket. */
  unsettled: number;
}

/** Callers whose buckets are remembered; one that is forgotten starts with a full one in this process. */
const maxCallers = 100_000;
/** How often admitted requests are reported to the other processes, in the background. */
const settleMs = 50;
/** Callers of one message. */
const maxSettled = 1000;
/** After a failure each process counts alone for this time, before the next query to the store. */
const pauseMs = 1000;

/** How many requests of a caller one process may admit before it reports them to the others: 2%, at least one. */
export const ahead = (perMinute: number): number => Math.max(1, Math.floor(perMinute / 50));

/** Limits of this process alone where there is no store. */
export const createRateLimits = (settings: {
  readonly clock: Clock;
  readonly log: Logger;
  readonly shared?: SharedBuckets | undefined;
}): RateLimits => new CountedLimits(settings);

class CountedLimits implements RateLimits {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #shared: SharedBuckets | undefined;
  readonly #buckets = new LRUCache<string, CallerBucket>({ max: maxCallers });
  /** By their keys: one statement can change a row once. */
  readonly #changed = new Map<string, CallerBucket>();
  #settling: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isAway = false;
  #pausedUntil = 0;

  constructor({ clock, log, shared }: Parameters<typeof createRateLimits>[0]) {
    this.#clock = clock;
    this.#log = log;
    this.#shared = shared;
  }

  get backend(): RateLimits['backend'] {
    return this.#shared?.kind ?? 'memory';
  }

  get isShared(): boolean {
    return this.#shared !== undefined && !this.#isAway;
  }

  limit(scope: string, { perMinute, words }: LimitSettings): CountRequest {
    return (caller) => {
      const limit = perMinute();
      if (limit === null || limit === 0) return undefined;
      return this.#count(this.#bucketOf(`${scope}\n${caller}`, limit), words);
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer);
    await this.#settling;
    if (this.#changed.size > 0) await this.#settle();
    await this.#shared?.[Symbol.asyncDispose]();
  }

  #bucketOf(key: string, perMinute: number): CallerBucket {
    const nowMs = this.#clock.now();
    const known = this.#buckets.get(key);
    if (known !== undefined) {
      refill(known, perMinute, nowMs);
      known.perMinute = perMinute;
      return known;
    }
    const bucket = { ...fullBucket(perMinute, nowMs), key, perMinute, unsettled: 0 };
    this.#buckets.set(key, bucket);
    return bucket;
  }

  #count(bucket: CallerBucket, words: string): void | Promise<void> {
    this.#refuseEmpty(bucket, words);
    if (this.isShared && bucket.unsettled >= ahead(bucket.perMinute))
      return this.#countSettled(bucket, words);
    this.#take(bucket);
    return undefined;
  }

  async #countSettled(bucket: CallerBucket, words: string): Promise<void> {
    // It ends: each round takes tokens from the bucket, or finds the store away.
    while (this.isShared && bucket.unsettled >= ahead(bucket.perMinute)) {
      await this.#settle();
      refill(bucket, bucket.perMinute, this.#clock.now());
      this.#refuseEmpty(bucket, words);
    }
    this.#take(bucket);
  }

  #refuseEmpty(bucket: CallerBucket, words: string): void {
    const { tokens, perMinute } = bucket;
    if (tokens >= 1) return;
    throw tooManyRequests(
      `More than ${perMinute} ${words}. Wait as long as Retry-After says.`,
      waitSeconds(bucket, perMinute),
    );
  }

  #take(bucket: CallerBucket): void {
    bucket.tokens -= 1;
    if (this.#shared === undefined || performance.now() < this.#pausedUntil) return;
    bucket.unsettled += 1;
    this.#changed.set(bucket.key, bucket);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#settle();
    }, settleMs).unref();
  }

  /** Resolves when what is under way, or begins now, is settled or has failed. */
  #settle(): Promise<void> {
    this.#settling ??= this.#settleChanged().finally(() => {
      this.#settling = undefined;
    });
    return this.#settling;
  }

  async #settleChanged(): Promise<void> {
    const shared = this.#shared;
    const buckets = [...this.#changed.values()].slice(0, maxSettled);
    if (shared === undefined || buckets.length === 0) return;
    for (const bucket of buckets) this.#changed.delete(bucket.key);
    const spent = buckets.map(({ key, perMinute, unsettled }) => ({ key, perMinute, tokens: unsettled }));
    try {
      const left = await inTime(
        shared.spend(spent),
        shared.timeoutMs,
        'the shared rate limits took too long',
      );
      const nowMs = this.#clock.now();
      for (const [i, bucket] of buckets.entries()) {
        bucket.unsettled -= spent[i]?.tokens ?? 0;
        bucket.tokens = (left[i] ?? bucket.tokens) - bucket.unsettled;
        bucket.atMs = nowMs;
      }
      if (this.#isAway) this.#log.info('rate limits are shared with other processes again');
      this.#isAway = false;
    } catch (err) {
      this.#lost(err, buckets);
    }
  }

  /** Unreported requests are dropped: callers are not refused later for requests admitted meanwhile. */
  #lost(err: unknown, buckets: readonly CallerBucket[]): void {
    this.#pausedUntil = performance.now() + pauseMs;
    for (const bucket of [...buckets, ...this.#changed.values()]) bucket.unsettled = 0;
    this.#changed.clear();
    if (!this.#isAway)
      this.#log.warn(
        { err, store: this.backend },
        'rate limits: the store does not answer; this process counts alone meanwhile',
      );
    this.#isAway = true;
  }
}
