import { hash } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import type { Queries } from '#base/db/database.ts';
import { tooManyRequests } from '#base/errors.ts';
import { networkOf } from './network.ts';
import { deleteFailures, deleteFailuresBefore, findOldestFailure, takeAttempt } from './store.ts';

const windowMs = 15 * 60 * 1000;
const cleanEveryMs = 60 * 1000;

export interface ThrottleRule {
  /** What is counted; counts of different kinds are apart. */
  kind: string;
  /** In 15 minutes. */
  limit: number;
  /** What to say when there were too many. */
  detail: string;
}

/** What is attempted on what, and the IP address it comes from. */
export interface Attempt {
  on: readonly string[];
  address: string;
}

/** Limits the attempts of one kind in 15 minutes, across all processes. */
export interface Throttle {
  /** Counts the attempt, as failed for now. Throws 429 with Retry-After where there were too many. */
  take(attempt: Attempt): Promise<void>;
  /** The attempt succeeded: forgets those before it. */
  clear(attempt: Attempt): Promise<void>;
}

export function createThrottle({ db, clock }: { db: Queries; clock: Clock }, rule: ThrottleRule): Throttle {
  let cleanedAtMs = 0;
  const cleanSometimes = async (nowMs: number) => {
    if (nowMs - cleanedAtMs < cleanEveryMs) return;
    cleanedAtMs = nowMs;
    await deleteFailuresBefore(db, new Date(nowMs - windowMs));
  };
  /** Of one length, whatever was sent. */
  const keyOf = ({ on, address }: Attempt) =>
    hash('sha256', JSON.stringify([rule.kind, networkOf(address), ...on]), 'base64url');

  return {
    async take(attempt) {
      const nowMs = clock.now();
      await cleanSometimes(nowMs);
      const key = keyOf(attempt);
      const since = new Date(nowMs - windowMs);
      if (await takeAttempt(db, { key, at: new Date(nowMs), since, limit: rule.limit })) return;
      const oldest = (await findOldestFailure(db, key, since))?.getTime() ?? nowMs;
      throw tooManyRequests(rule.detail, (oldest + windowMs - nowMs) / 1000);
    },
    clear: (attempt) => deleteFailures(db, keyOf(attempt)),
  };
}
