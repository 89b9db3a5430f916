import { setTimeout as timer } from 'node:timers/promises';

/** Waits, or less where the signal is aborted. */
export async function sleepUnlessAborted(ms: number, signal: AbortSignal): Promise<void> {
  await timer(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
