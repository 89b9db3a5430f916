import type { Clock } from '../../clock.ts';

export interface RetryPolicy {
  /** Attempts per message; default: 10. */
  readonly attempts: number;
  /** Delay before the second attempt; tripled for each further one. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

/** Spans about a day. */
export const defaultRetries: RetryPolicy = {
  attempts: 10,
  firstPauseMs: 5_000,
  longestPauseMs: 6 * 3_600_000,
};

const longestRetryAfterMs = 24 * 3_600_000;

/**
 * Delay after a failed attempt: exponential backoff with jitter (50-100 %), so that messages that failed
 * together are not retried together; at least the delay that the receiver requested, at most a day.
 * @param attempt 1 after the first
 */
export function pauseAfter(attempt: number, policy: RetryPolicy, retryAfterMs: number | undefined): number {
  const full = Math.min(policy.longestPauseMs, policy.firstPauseMs * 3 ** (attempt - 1));
  const own = full / 2 + Math.random() * (full / 2);
  return Math.round(Math.max(own, Math.min(longestRetryAfterMs, retryAfterMs ?? 0)));
}

/** `Retry-After` (RFC 9110 §10.2.3), in seconds or as a date; undefined where it is neither. */
export function readRetryAfter(header: string | string[] | undefined, clock: Clock): number | undefined {
  const text = typeof header === 'string' ? header.trim() : '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - clock.now());
}
