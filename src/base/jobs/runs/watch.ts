import type { RunSummary } from './run.ts';

/** Where changes of runs are heard of, whichever process makes them. */
export interface RunChanges {
  /** Calls `onChange` after each change of the run, and now and then besides, until the answer is disposed. */
  subscribe(id: string, onChange: () => void): Promise<Disposable>;
}

const ended: readonly string[] = ['completed', 'failed', 'cancelled'];

/** How a run stands, now and after each change, until it has ended or is gone. Holds no more than the newest. */
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
