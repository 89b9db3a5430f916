import { Worker } from 'node:worker_threads';
import { AppError } from '#base/errors.ts';
import type { ReportDocument } from './document.ts';

export interface RenderOptions {
  signal?: AbortSignal;
  /** A minute unless told. */
  timeoutMs?: number;
  /** What the thread's heap may take; half a gigabyte unless told. */
  limitBytes?: number;
}

const tooMuch = (detail: string) => new AppError(422, 'report_too_large', detail);

/**
 * The PDF of a document. It is made in a thread of its own, which is ended when it takes too long or too much memory.
 * Equal documents give equal bytes.
 * @throws AppError 422 `report_too_large`; the signal's reason; what the document's content broke.
 */
export async function renderReport(
  document: ReportDocument,
  { signal, timeoutMs = 60_000, limitBytes = 512 * 1024 ** 2 }: RenderOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  signal?.throwIfAborted();
  const worker = new Worker(new URL('./pdf/worker.ts', import.meta.url), {
    workerData: document,
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(limitBytes / 1024 ** 2) },
    // The library warns of texts on the console.
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  const timer = setTimeout(
    () => reject(tooMuch('The report takes too long to make. Leave out details, or make several.')),
    timeoutMs,
  );
  const aborted = () => reject(signal?.reason as Error);
  signal?.addEventListener('abort', aborted, { once: true });
  worker.once('message', resolve);
  worker.once('error', (cause: Error & { code?: string }) =>
    reject(
      cause.code === 'ERR_WORKER_OUT_OF_MEMORY'
        ? tooMuch('The report takes too much memory to make. Leave out details, or make several.')
        : cause,
    ),
  );
  worker.once('exit', (code) => reject(new Error(`The thread of the report ended with code ${code}.`)));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', aborted);
    await worker.terminate();
  }
}
