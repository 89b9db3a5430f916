import type { PlatformConfig } from '#base/config/platform.ts';
import type { RateLimits } from '#base/limits/rate-limits.ts';
import type { Caller } from './caller.ts';

/** Counts a request of the caller and answers them; nothing for nobody. Throws AppError 429 when they asked too often. */
export type Counted = <C extends Caller | undefined>(caller: C) => C | Promise<C>;

/**
 * The limit of requests a minute that each API key, or else each user, has at one service (`rate_limit.requests_per_minute`).
 * @param service all servers and processes that count under this name share the limit
 */
export function countRequests(
  rateLimits: RateLimits,
  { rateLimit }: Pick<PlatformConfig, 'rateLimit'>,
  service: string,
): Counted {
  const count = rateLimits.limit(service, {
    perMinute: () => rateLimit.requestsPerMinute,
    words: 'requests a minute',
  });
  return (caller) => {
    const counting = caller && count(caller.apiKeyId ?? caller.userId);
    return counting === undefined ? caller : counting.then(() => caller);
  };
}
