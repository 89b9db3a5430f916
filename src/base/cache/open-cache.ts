import type { Logger } from '../log/log.ts';
import type { Cache, CacheSettings } from './cache.ts';
import { createMemoryCache } from './memory-cache.ts';
import { RedisCache } from './redis-cache.ts';

/** Opens the process's cache: Redis if a URL is given, else memory. */
export const openCache = (redisUrl: string | undefined, settings: CacheSettings, log: Logger): Cache =>
  redisUrl === undefined
    ? createMemoryCache(settings)
    : new RedisCache({
        url: redisUrl,
        ttlSeconds: settings.ttlSeconds,
        timeoutMs: settings.timeoutMs ?? 100,
        log,
      });
