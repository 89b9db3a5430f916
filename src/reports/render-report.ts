import { AppError } from '#base/errors.ts';
import { runThread, ThreadLimitError } from '#base/processes/run-thread.ts';
import { createSemaphore } from '#base/semaphore.ts';
import type { ReportDocument } from './document.ts';

export interface RenderOptions {
  signal?: AbortSignal;
  /** Default 60,000. */
  timeoutMs?: number;
  /** Memory of the thread; default half a gigabyte. */
  limitBytes?: number;
}

const tooLarge = (takes: string, cause: unknown) =>
  new AppError(
    422,
    'report_too_large',
    `The report takes too ${takes} to make. Leave out details, or make several reports.`,
    { cause },
  );

/** A report fills one core: more at a time would keep requests waiting. The others queue. */
const places = createSemaphore(1, {
  mostWaiting: 100,
  busyMessage: 'Too many reports are being made at this moment. Send the request again in a moment.',
});

/**
 * The PDF of a document. A thread of its own makes it, and is ended when it takes too long or too much memory. Equal
 * documents give equal bytes.
 * @throws AppError 422 `report_too_large`, 503 when too many wait; the signal's reason
 */
export async function renderReport(
  document: ReportDocument,
  { signal, timeoutMs = 60_000, limitBytes = 512 * 1024 ** 2 }: RenderOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  using _place = await places.acquire(signal);
  try {
    return await runThread<Uint8Array<ArrayBuffer>>(new URL('./pdf/worker.ts', import.meta.url), document, {
      signal,
      timeoutMs,
      memoryBytes: limitBytes,
      // pdfmake writes warnings about texts to the console.
      isQuiet: true,
    });
  } catch (error) {
    if (error instanceof ThreadLimitError)
      throw tooLarge(error.limit === 'time' ? 'long' : 'much memory', error);
    throw error;
  }
}
