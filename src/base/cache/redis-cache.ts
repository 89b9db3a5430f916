import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { inTime } from '../in-time.ts';
import type { Logger } from '../log/log.ts';
import type { Cache, CacheStats, CacheTotals, Claim } from './cache.ts';
import { connectRedis } from './connect-redis.ts';
import { ScopeCounts } from './scope-counts.ts';

export interface RedisCacheSettings {
  url: string;
  ttlSeconds: number;
  /** Timeout of one command. */
  timeoutMs: number;
  log: Logger;
}

/** Pause after a failure, so that an unresponsive server does not slow every call. */
const pauseMs = 1000;

/** Atomically takes a free claim and reads the value, so that a value set in between is not missed. */
const takeClaim = `
  if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 0 end
  return {redis.call('GET', KEYS[2])}`;
/** An expired claim may belong to another process by now. */
const giveUpClaim = `
  if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
  return 0`;

const escapeGlob = (text: string) => text.replaceAll(/[*?[\]\\^-]/g, String.raw`\$&`);

/** Runs commands without ever failing: an outage is logged once when it begins and once when it ends. */
class LenientRedis {
  readonly redis: Redis;
  readonly #log: Logger;
  readonly #timeoutMs: number;
  #pausedUntil = 0;
  #isAway = false;

  constructor({ url, timeoutMs, log }: RedisCacheSettings) {
    this.#log = log;
    this.#timeoutMs = timeoutMs;
    this.redis = connectRedis(url, timeoutMs);
    this.redis.on('error', (error: Error) => this.#lost(error));
  }

  async try<T>(command: (redis: Redis) => Promise<T>, otherwise: T): Promise<T> {
    if (Date.now() < this.#pausedUntil) return otherwise;
    if (this.redis.status !== 'ready') return otherwise;
    try {
      const answer = await inTime(command(this.redis), this.#timeoutMs, 'Redis took too long');
      if (this.#isAway) this.#log.info('Redis responds again');
      this.#isAway = false;
      return answer;
    } catch (error) {
      this.#pausedUntil = Date.now() + pauseMs;
      this.#lost(error);
      return otherwise;
    }
  }

  #lost(error: unknown): void {
    if (!this.#isAway)
      this.#log.warn({ err: error }, 'Redis does not respond: continuing without the shared cache');
    this.#isAway = true;
  }
}

const prefixOf = (scope: string) => `bulwark:cache:${scope}:`;
const claimKey = (scope: string, key: string) => `bulwark:claim:${scope}:${key}`;

/** A cache in Redis, shared between processes, with keys below `bulwark:cache:<scope>:`. */
export class RedisCache implements Cache {
  readonly backend = 'redis';
  readonly #ttlSeconds: number;
  readonly #lenient: LenientRedis;
  readonly #counts = new ScopeCounts();

  constructor(settings: RedisCacheSettings) {
    this.#ttlSeconds = settings.ttlSeconds;
    this.#lenient = new LenientRedis(settings);
  }

  async get(scope: string, key: string): Promise<string | undefined> {
    const value = await this.#lenient.try((redis) => redis.get(prefixOf(scope) + key), null);
    if (value === null) this.#counts.miss(scope);
    else this.#counts.hit(scope);
    return value ?? undefined;
  }

  async set(scope: string, key: string, value: string): Promise<void> {
    const ttl = this.#ttlSeconds;
    await this.#lenient.try((redis) => redis.set(prefixOf(scope) + key, value, 'EX', ttl), null);
  }

  async claim(scope: string, key: string, ms: number): Promise<Claim | undefined> {
    const token = randomUUID();
    const [claim, value] = [claimKey(scope, key), prefixOf(scope) + key];
    const taken = await this.#lenient.try(
      (redis) => redis.eval(takeClaim, 2, claim, value, token, Math.max(1, Math.round(ms))),
      [null],
    );
    if (!Array.isArray(taken)) return undefined;
    const [there] = taken as (string | null)[];
    return {
      value: there ?? undefined,
      release: async () => {
        await this.#lenient.try((redis) => redis.eval(giveUpClaim, 1, claim, token), 0);
      },
    };
  }

  clear(scope: string, keysFrom = ''): Promise<number> {
    return this.#forKeys(prefixOf(scope) + keysFrom, (redis, keys) => redis.unlink(...keys));
  }

  async stats(scope: string): Promise<CacheStats> {
    const { hits, misses } = this.#counts.of(scope);
    const entries = await this.#forKeys(prefixOf(scope), (_, keys) => Promise.resolve(keys.length));
    return { entries, hits, misses, evictions: null, maxEntries: null, ttlSeconds: this.#ttlSeconds };
  }

  totals(): CacheTotals {
    return { ...this.#counts.totals, entries: 0 };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#lenient.redis.disconnect();
  }

  /** Scans keys page by page, one command each, so that the server can serve others in between. */
  async #forKeys(
    beginning: string,
    each: (redis: Redis, keys: string[]) => Promise<number>,
  ): Promise<number> {
    let total = 0;
    let cursor = '0';
    do {
      const page = await this.#lenient.try(
        (redis) => redis.scan(cursor, 'MATCH', `${escapeGlob(beginning)}*`, 'COUNT', 1000),
        undefined,
      );
      if (page === undefined) return total;
      const [next, keys] = page;
      if (keys.length > 0) total += await this.#lenient.try((redis) => each(redis, keys), 0);
      cursor = next;
    } while (cursor !== '0');
    return total;
  }
}
