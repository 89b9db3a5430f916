import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** What a thread of the module answers to the data; it is ended when it has, or when the signal says so. */
export async function runThread<T>(module: URL, data: unknown, signal?: AbortSignal): Promise<T> {
  signal?.throwIfAborted();
  const thread = new Worker(module, { workerData: data });
  try {
    const [answer] = (await once(thread, 'message', signal === undefined ? {} : { signal })) as [T];
    return answer;
  } finally {
    await thread.terminate();
  }
}
