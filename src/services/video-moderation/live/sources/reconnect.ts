/** A source that is lost is tried again, after pauses that grow, as long as its session lives. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#base/errors.ts';
import type { Intake, Puller } from '../sessions/intake.ts';

const pausesMs = [500, 1000, 2000, 4000, 8000] as const;

/** Errors that trying again does not help. */
const isFinal = (error: unknown): boolean =>
  !(error instanceof AppError) || error.status === 422 || error.status === 400;

/**
 * @param attempt reads the source until it has finished (`true`), or is lost (`false`, or an error)
 */
export const reconnecting = (attempt: (intake: Intake) => Promise<boolean>): Puller => ({
  async run(intake) {
    for (let failures = 0; ;) {
      const before = intake.accepted;
      let message = 'The source has ended without a word.';
      try {
        if (await attempt(intake)) return;
      } catch (error) {
        if (intake.signal.aborted || isFinal(error)) throw error;
        message = (error as AppError).detail;
      }
      if (intake.signal.aborted) return;
      failures = intake.accepted > before ? 0 : failures + 1;
      intake.reconnecting({ code: 'source_unreachable', message, retryable: true });
      const pause = pausesMs[Math.min(failures, pausesMs.length - 1)] ?? 8000;
      await sleep(pause, undefined, { signal: intake.signal }).catch(() => undefined);
      if (intake.signal.aborted) return;
    }
  },
});
