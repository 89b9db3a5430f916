import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { tooManyRequests } from '../errors.ts';
import { fullBucket, refill, waitSeconds, type TokenBucket } from './token-bucket.ts';

/** Maximum remembered buckets; an evicted caller starts with a full one. */
const maxCallers = 100_000;

/**
 * A token bucket for each caller in this process alone; `RateLimits` counts together with other processes.
 * @returns a function that counts one request of a caller, and throws AppError 429 when none is left.
 */
export function createRateLimit(requestsPerMinute: number, clock: Clock): (caller: string) => void {
  if (requestsPerMinute === 0) return () => undefined;
  const buckets = new LRUCache<string, TokenBucket>({ max: maxCallers });
  return (caller) => {
    const nowMs = clock.now();
    const bucket = buckets.get(caller) ?? fullBucket(requestsPerMinute, nowMs);
    refill(bucket, requestsPerMinute, nowMs);
    buckets.set(caller, bucket);
    if (bucket.tokens < 1)
      throw tooManyRequests(
        `More than ${requestsPerMinute} requests a minute. Wait for the seconds in Retry-After.`,
        waitSeconds(bucket, requestsPerMinute),
      );
    bucket.tokens -= 1;
  };
}
