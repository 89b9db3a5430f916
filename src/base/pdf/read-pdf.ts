import { Worker } from 'node:worker_threads';

export interface ReadPdfOptions {
  /** After so long the reading has failed; 60,000 unless said. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

/**
 * The text of a PDF, pages apart by an empty line. A thread of its own reads it: a file that is made to take all time
 * or memory takes only the thread's.
 * @throws Error with a sentence for the one who sent the file.
 */
export async function readPdf(
  bytes: Uint8Array,
  { timeoutMs = 60_000, signal }: ReadPdfOptions = {},
): Promise<string> {
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
    // A copy: the caller keeps the bytes.
    workerData: Uint8Array.from(bytes),
    resourceLimits: { maxOldGenerationSizeMb: 512 },
    // The library has much to say about damaged files, all of it to the console.
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const giveUp = (why: string) => () => reject(new Error(why));
  const timer = setTimeout(giveUp('The PDF takes too long to read.'), timeoutMs);
  const aborted = giveUp('Reading was interrupted.');
  signal?.addEventListener('abort', aborted);
  worker.once('message', ({ text, error }: { text?: string; error?: string }) => {
    if (text === undefined) reject(new Error(`The PDF cannot be read: ${error}`));
    else resolve(text);
  });
  worker.once('error', (cause) => reject(new Error('The PDF cannot be read.', { cause })));
  worker.once('exit', giveUp('The PDF cannot be read.'));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', aborted);
    await worker.terminate();
  }
}
