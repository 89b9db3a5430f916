import { setTimeout as sleep } from 'node:timers/promises';
import { llmTimeout } from './failures.ts';

/** A deadline for a call. */
export interface Deadline extends Disposable {
  remainingMs(): number;
  /** Aborted at the deadline, with the failure as its reason, or when the caller aborts, with the caller's reason. */
  readonly signal: AbortSignal;
}

/** A deadline `ms` from now. */
export function startDeadline(ms: number, caller?: AbortSignal): Deadline {
  const end = performance.now() + ms;
  const own = new AbortController();
  const timer = setTimeout(
    () => own.abort(llmTimeout(`The language model did not answer within ${Math.round(ms)} ms.`)),
    ms,
  );
  return {
    remainingMs: () => Math.max(0, end - performance.now()),
    signal: caller === undefined ? own.signal : AbortSignal.any([own.signal, caller]),
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

/** The promise's outcome, or the deadline's failure if that comes first. */
export async function before<T>(deadline: Deadline, promise: Promise<T>): Promise<T> {
  const { signal } = deadline;
  // Avoids an unhandled rejection after the deadline.
  promise.catch(() => undefined);
  signal.throwIfAborted();
  const { promise: over, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, over]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Waits `ms`; ends early with the deadline's failure. */
export async function pause(deadline: Deadline, ms: number): Promise<void> {
  try {
    await sleep(ms, undefined, { signal: deadline.signal });
  } catch (cause) {
    deadline.signal.throwIfAborted();
    throw cause;
  }
}
