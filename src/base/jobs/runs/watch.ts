import type { RunSummary } from './run.ts';

/** Subscriptions to changes of runs by any process. */
export interface RunChanges {
  /** Calls `onChange` after each change of the run, and periodically, until the result is disposed. */
  subscribe(id: string, onChange: () => void): Promise<Disposable>;
}

const ended: readonly string[] = ['completed', 'failed', 'cancelled'];

/** Yields a run's state now and after each change, until it ends or is deleted. Buffers only the newest. */
export async function* watchRun(
  changes: RunChanges,
  find: () => Promise<RunSummary | undefined>,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<RunSummary, void, undefined> {
  let next = Promise.withResolvers<void>();
  const wake = () => next.resolve();
  using _subscription = await changes.subscribe(id, wake);
  signal.addEventListener('abort', wake);
  try {
    let shown: string | undefined;
    while (!signal.aborted) {
      next = Promise.withResolvers();
      const run = await find();
      if (run === undefined) return;
      const now = JSON.stringify([run.status, run.progress, run.waitingFor, run.updatedAt]);
      if (now !== shown) yield run;
      shown = now;
      if (ended.includes(run.status)) return;
      await next.promise;
    }
  } finally {
    signal.removeEventListener('abort', wake);
  }
}
