import type { Logger } from '../log/log.ts';
import type { Cache, CacheSettings } from './cache.ts';
import { createMemoryCache } from './memory-cache.ts';
import { createRedisCache } from './redis-cache.ts';

/** The cache of the process: in Redis where a URL is given, else in memory. */
export const openCache = (redisUrl: string | undefined, settings: CacheSettings, log: Logger): Cache =>
  redisUrl === undefined
    ? createMemoryCache(settings)
    : createRedisCache({
        url: redisUrl,
        ttlSeconds: settings.ttlSeconds,
        timeoutMs: settings.timeoutMs ?? 100,
        log,
      });
