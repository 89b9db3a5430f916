import { Worker, type TransferListItem } from 'node:worker_threads';
import type { ThreadMessage } from './serve-task.ts';

export interface ThreadOptions<P> {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  /** Heap and buffers together. */
  readonly memoryBytes?: number;
  /** Of these, for the heap: nearing it, garbage is collected more often. All unless said. */
  readonly heapBytes?: number;
  /** For young objects, beside that; more than a hundred megabytes on a large machine unless said. */
  readonly youngBytes?: number;
  /** Objects to transfer instead of copying. */
  readonly transfer?: readonly TransferListItem[];
  /** Discards its console output. */
  readonly isQuiet?: boolean;
  /** Called with progress reports. */
  readonly onProgress?: (progress: P) => void;
}

/** The thread exceeded a limit and was terminated. */
export class ThreadLimitError extends Error {
  override readonly name = 'ThreadLimitError';
  readonly limit: 'memory' | 'time';

  constructor(limit: 'memory' | 'time', cause?: unknown) {
    const what = limit === 'memory' ? 'more memory' : 'longer';
    super(`The thread took ${what} than it may, and was ended.`, cause === undefined ? undefined : { cause });
    this.limit = limit;
  }
}

const memoryCheckMs = 25;

const megabytes = (bytes: number) => Math.ceil(bytes / 1024 ** 2);

const heapLimits = (old: number | undefined, young: number | undefined) => ({
  resourceLimits: {
    ...(old === undefined ? {} : { maxOldGenerationSizeMb: megabytes(old) }),
    ...(young === undefined ? {} : { maxYoungGenerationSizeMb: megabytes(young) }),
  },
});

/**
 * Runs a task in a thread of the module (see `serve-task.ts`) and returns its result. The thread always ends afterwards.
 * @throws ThreadLimitError; the signal's reason; the module's error
 */
export async function runThread<R, P = never>(
  module: URL,
  task: unknown,
  {
    signal,
    timeoutMs,
    memoryBytes,
    heapBytes = memoryBytes,
    youngBytes,
    transfer = [],
    isQuiet = false,
    onProgress,
  }: ThreadOptions<P> = {},
): Promise<R> {
  signal?.throwIfAborted();
  const worker = new Worker(module, {
    workerData: task,
    transferList: [...transfer],
    ...heapLimits(heapBytes, youngBytes),
    stdout: isQuiet,
    stderr: isQuiet,
  });
  if (isQuiet) for (const stream of [worker.stdout, worker.stderr]) stream.resume();
  const { promise, resolve, reject } = Promise.withResolvers<R>();
  const aborted = () => reject(signal?.reason as Error);
  const timer =
    timeoutMs === undefined ? undefined : setTimeout(() => reject(new ThreadLimitError('time')), timeoutMs);
  // Node has no limit for a thread's memory outside of its heap.
  const check = async (limit: number) => {
    // Fails if the thread has just ended.
    const statistics = await worker.getHeapStatistics().catch(() => undefined);
    const { total_heap_size: heap = 0, external_memory: beside = 0 } = statistics ?? {};
    if (heap + beside > limit) reject(new ThreadLimitError('memory'));
  };
  const memory =
    memoryBytes === undefined ? undefined : setInterval(() => void check(memoryBytes), memoryCheckMs);
  signal?.addEventListener('abort', aborted);
  worker.on('message', (message: ThreadMessage<R, P>) => {
    if ('progress' in message) onProgress?.(message.progress);
    else if ('result' in message) resolve(message.result);
    else reject(message.error as Error);
  });
  worker.once('error', (error: NodeJS.ErrnoException) =>
    reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new ThreadLimitError('memory', error) : error),
  );
  worker.once('exit', () => reject(new Error('The thread ended without a result.')));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    clearInterval(memory);
    signal?.removeEventListener('abort', aborted);
    await worker.terminate();
  }
}
