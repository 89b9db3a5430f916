import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Logger } from '../log/log.ts';
import type { Cache } from './cache.ts';
import { ScopeCounts } from './scope-counts.ts';

export interface RedisCacheSettings {
  url: string;
  ttlSeconds: number;
  /** For one command. */
  timeoutMs: number;
  log: Logger;
}

/** Commands that nobody waits for any more are not kept for ever. */
const forgottenAfterMs = 2000;
const connectTimeoutMs = 2000;
/** After a failure nobody asks for so long, so that a silent server does not slow every call. */
const pauseMs = 1000;

/** Takes the claim where it is free, and tells the value that is there by then: one step, so that none slips between. */
const takeClaim = `
  if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 0 end
  return {redis.call('GET', KEYS[2])}`;
/** A claim that ran out may be another's by now. */
const giveUpClaim = `
  if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
  return 0`;

const escapeGlob = (text: string) => text.replaceAll(/[*?[\]\\^-]/g, String.raw`\$&`);

/** Runs commands; a server that is away costs a log line at its loss and one at its return, and no errors. */
class LenientRedis {
  readonly redis: Redis;
  readonly #log: Logger;
  readonly #timeoutMs: number;
  #pausedUntil = 0;
  #isAway = false;

  constructor({ url, timeoutMs, log }: RedisCacheSettings) {
    this.#log = log;
    this.#timeoutMs = timeoutMs;
    this.redis = new Redis(url, {
      connectTimeout: connectTimeoutMs,
      commandTimeout: timeoutMs + forgottenAfterMs,
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (attempt) => Math.min(attempt * 200, 2000),
    });
    this.redis.on('error', (error: Error) => this.#lost(error));
  }

  async try<T>(command: (redis: Redis) => Promise<T>, otherwise: T): Promise<T> {
    if (Date.now() < this.#pausedUntil) return otherwise;
    if (this.redis.status !== 'ready') return otherwise;
    try {
      const answer = await this.#inTime(command(this.redis));
      if (this.#isAway) this.#log.info('Redis answers again');
      this.#isAway = false;
      return answer;
    } catch (error) {
      this.#pausedUntil = Date.now() + pauseMs;
      this.#lost(error);
      return otherwise;
    }
  }

  async #inTime<T>(answer: Promise<T>): Promise<T> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    // A busy process finds its timers due before it has looked for what arrived meanwhile: it looks once more first.
    const timer = setTimeout(
      () => setImmediate(() => setImmediate(() => reject(new Error('Redis took too long')))),
      this.#timeoutMs,
    );
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #lost(error: unknown): void {
    if (!this.#isAway)
      this.#log.warn({ err: error }, 'Redis does not answer: going on without the shared cache');
    this.#isAway = true;
  }
}

/** A cache in Redis, shared between processes, with keys below `bulwark:cache:<scope>:`. */
export function createRedisCache(settings: RedisCacheSettings): Cache {
  const { ttlSeconds } = settings;
  const lenient = new LenientRedis(settings);
  const counts = new ScopeCounts();
  const prefixOf = (scope: string) => `bulwark:cache:${scope}:`;
  const claimKey = (scope: string, key: string) => `bulwark:claim:${scope}:${key}`;

  /** Keys a page at a time; each step is a command of its own, so that the server serves others between. */
  async function forKeys(
    scope: string,
    each: (redis: Redis, keys: string[]) => Promise<number>,
  ): Promise<number> {
    let total = 0;
    let cursor = '0';
    do {
      const page = await lenient.try(
        (redis) => redis.scan(cursor, 'MATCH', `${escapeGlob(prefixOf(scope))}*`, 'COUNT', 1000),
        undefined,
      );
      if (page === undefined) return total;
      const [next, keys] = page;
      if (keys.length > 0) total += await lenient.try((redis) => each(redis, keys), 0);
      cursor = next;
    } while (cursor !== '0');
    return total;
  }

  return {
    backend: 'redis',
    async get(scope, key) {
      const value = await lenient.try((redis) => redis.get(prefixOf(scope) + key), null);
      if (value === null) counts.miss(scope);
      else counts.hit(scope);
      return value ?? undefined;
    },
    async set(scope, key, value) {
      await lenient.try((redis) => redis.set(prefixOf(scope) + key, value, 'EX', ttlSeconds), null);
    },
    async claim(scope, key, ms) {
      const token = randomUUID();
      const [claim, value] = [claimKey(scope, key), prefixOf(scope) + key];
      const taken = await lenient.try(
        (redis) => redis.eval(takeClaim, 2, claim, value, token, Math.max(1, Math.round(ms))),
        [null],
      );
      if (!Array.isArray(taken)) return undefined;
      const [there] = taken as (string | null)[];
      return {
        value: there ?? undefined,
        release: async () => {
          await lenient.try((redis) => redis.eval(giveUpClaim, 1, claim, token), 0);
        },
      };
    },
    clear: (scope) => forKeys(scope, (redis, keys) => redis.unlink(...keys)),
    async stats(scope) {
      const { hits, misses } = counts.of(scope);
      const entries = await forKeys(scope, (_, keys) => Promise.resolve(keys.length));
      return { entries, hits, misses, evictions: null, maxEntries: null, ttlSeconds };
    },
    totals: () => ({ ...counts.totals, entries: 0 }),
    [Symbol.asyncDispose]() {
      lenient.redis.disconnect();
      return Promise.resolve();
    },
  };
}
