/** Limits: concurrency, tokens per minute, and a circuit breaker. */
import type { Clock } from '#base/clock.ts';
import { pause, type Deadline } from './deadline.ts';
import { llmUnavailable } from './failures.ts';

export interface TokenBudget {
  /** Waits until about `tokens` may be used. Throws `llm_unavailable` at once where that is after the deadline. */
  take(tokens: number, deadline: Deadline): Promise<void>;
  /** Corrects an estimate by what was used. */
  settle(estimated: number, used: number): void;
}

const minuteMs = 60_000;

/** A token bucket with the capacity of one minute. */
export function createTokenBudget(tokensPerMinute: number, clock: Clock): TokenBudget {
  if (tokensPerMinute === 0) return { take: () => Promise.resolve(), settle: () => undefined };
  let level = tokensPerMinute;
  let at = clock.now();
  const fill = () => {
    const now = clock.now();
    level = Math.min(tokensPerMinute, level + (Math.max(0, now - at) / minuteMs) * tokensPerMinute);
    at = now;
  };
  return {
    async take(tokens, deadline) {
      fill();
      // A request larger than the bucket would wait forever: cap it at a full bucket.
      const wanted = Math.min(tokens, tokensPerMinute);
      const waitMs = Math.max(0, ((wanted - level) / tokensPerMinute) * minuteMs);
      if (waitMs > deadline.remainingMs())
        throw llmUnavailable(
          'The language model’s budget of tokens per minute (llm.tokens_per_minute) is used up.',
          {
            retryAfterMs: waitMs,
          },
        );
      // Negative while requests wait: this orders them.
      level -= wanted;
      if (waitMs === 0) return;
      try {
        await pause(deadline, waitMs);
      } catch (cause) {
        level += wanted;
        throw cause;
      }
    },
    settle(estimated, used) {
      fill();
      level = Math.min(tokensPerMinute, level + Math.min(estimated, tokensPerMinute) - used);
    },
  };
}

export interface Breaker {
  /** @throws `llm_unavailable` at once while the model is taken for down. */
  check(): void;
  succeeded(): void;
  failed(): void;
  readonly isOpen: boolean;
}

const failuresToOpen = 5;
const coolDownMs = 5000;

/** A circuit breaker: opens after five failures in a row, then allows one trial every five seconds. */
export function createBreaker(clock: Clock): Breaker {
  let failures = 0;
  let nextTryAt = 0;
  return {
    check() {
      if (failures < failuresToOpen) return;
      const now = clock.now();
      if (now < nextTryAt)
        throw llmUnavailable(
          'The language model has failed several times in a row; it is tried again shortly.',
          {
            retryAfterMs: nextTryAt - now,
          },
        );
      nextTryAt = now + coolDownMs;
    },
    succeeded() {
      failures = 0;
    },
    failed() {
      failures++;
      nextTryAt = clock.now() + coolDownMs;
    },
    get isOpen() {
      return failures >= failuresToOpen;
    },
  };
}
