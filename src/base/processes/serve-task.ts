/** The other side of `run-thread.ts`, inside the thread. */
import { parentPort, workerData } from 'node:worker_threads';

export type ThreadMessage<R, P> =
  | { readonly progress: P }
  | { readonly result: R }
  | { readonly error: unknown };

const post = (message: ThreadMessage<unknown, unknown>) => parentPort?.postMessage(message);

/** Runs the thread's task, posts its result, and may report progress. */
export async function serveTask<T, P = never>(
  work: (task: T, tell: (progress: P) => void) => unknown,
): Promise<void> {
  try {
    post({ result: await work(workerData as T, (progress) => post({ progress })) });
  } catch (error) {
    post({ error });
  }
}
