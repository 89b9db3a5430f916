import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import { tooManyRequests } from '../errors.ts';

interface Bucket {
  tokens: number;
  atMs: number;
}

/** Maximum remembered buckets; an evicted caller starts with a full one. */
const maxCallers = 100_000;

/**
 * A token bucket per caller in this process, holding one minute's requests.
 * @returns a function that counts one request of a caller, and throws AppError 429 when none is left.
 */
export function createRateLimit(requestsPerMinute: number, clock: Clock): (caller: string) => void {
  if (requestsPerMinute === 0) return () => undefined;
  const buckets = new LRUCache<string, Bucket>({ max: maxCallers });
  const perMs = requestsPerMinute / 60_000;
  return (caller) => {
    const nowMs = clock.now();
    const known = buckets.get(caller);
    const tokens =
      known === undefined
        ? requestsPerMinute
        : Math.min(requestsPerMinute, known.tokens + Math.max(0, nowMs - known.atMs) * perMs);
    if (tokens < 1)
      throw tooManyRequests(
        `More than ${requestsPerMinute} requests a minute. Wait for the seconds in Retry-After.`,
        (1 - tokens) / perMs / 1000,
      );
    buckets.set(caller, { tokens: tokens - 1, atMs: nowMs });
  };
}
