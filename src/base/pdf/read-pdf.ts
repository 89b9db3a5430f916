import { runThread, ThreadLimitError } from '../processes/run-thread.ts';
import { createSemaphore } from '../semaphore.ts';
import type { PdfPage } from './pdf-page.ts';
import type { PdfEnd, PdfJob, PdfProgress } from './pdf-worker.ts';

export interface ReadPdfOptions {
  /** Timeout; default: 60,000. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Page limit; default: 2,000. */
  maxPages?: number;
  /** Limit for all pages together; default: 10,000,000. */
  maxCharacters?: number;
  /** Called after each page. */
  onPage?: (done: number, total: number) => void;
}

/** Why a PDF was not read. */
export type PdfFault = 'encrypted' | 'broken' | 'without_text' | 'too_large' | 'too_slow';

/** A PDF that cannot be read; the message is written for its sender. */
export class PdfError extends Error {
  override readonly name = 'PdfError';
  readonly fault: PdfFault;

  constructor(fault: PdfFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.fault = fault;
  }
}

/** Memory limit of one thread, heap and buffers together. */
const maxMemoryBytes = 512 * 1024 ** 2;
/** Limits concurrent readers and the queue, to protect memory. */
const places = createSemaphore(2, {
  mostWaiting: 32,
  busyMessage: 'Too many PDFs are being read. Try again shortly.',
});

/**
 * Reads the pages of a PDF in a worker thread: a malicious file can only exhaust the
 * thread's time or memory, which then ends.
 * @throws PdfError; AppError 503 if too many are queued; the signal's reason.
 */
export async function readPdf(bytes: Uint8Array, options: ReadPdfOptions = {}): Promise<PdfPage[]> {
  using _place = await places.acquire(options.signal);
  const pages = await readInThread(bytes, options);
  if (pages.length === 0) throw broken('it has no page');
  if (pages.every((page) => page.length === 0))
    throw new PdfError(
      'without_text',
      'The PDF has no text: its pages are scanned images. Run text recognition (OCR) on it first.',
    );
  return pages;
}

const endings = {
  encrypted: () => new PdfError('encrypted', 'The PDF is encrypted. Remove the password and send it again.'),
  pages: () => new PdfError('too_large', 'The PDF has too many pages. Split it and send the parts.'),
  characters: () => new PdfError('too_large', 'The PDF has too much text. Split it and send the parts.'),
};

async function readInThread(
  bytes: Uint8Array,
  { timeoutMs = 60_000, signal, maxPages = 2000, maxCharacters = 10_000_000, onPage }: ReadPdfOptions,
): Promise<PdfPage[]> {
  // A copy, since the caller keeps the bytes.
  const job: PdfJob = { bytes: Uint8Array.from(bytes), maxPages, maxCharacters };
  const pages: PdfPage[] = [];
  let total = 0;
  const end = await runThread<PdfEnd, PdfProgress>(new URL('./pdf-worker.ts', import.meta.url), job, {
    transfer: [job.bytes.buffer as ArrayBuffer],
    memoryBytes: maxMemoryBytes,
    timeoutMs,
    signal,
    // The library logs a lot about damaged files to the console.
    isQuiet: true,
    onProgress(progress) {
      if ('pages' in progress) total = progress.pages;
      else {
        pages.push(progress.page);
        onPage?.(pages.length, total);
      }
    },
  }).catch((error: unknown) => {
    throw signal?.aborted === true && error === signal.reason ? error : faultOf(error as Error);
  });
  if (end.end === 'broken') throw broken(end.why);
  if (end.end !== 'done') throw endings[end.end]();
  return pages;
}

function faultOf(error: Error): PdfError {
  if (!(error instanceof ThreadLimitError)) return broken(error.message, error);
  return error.limit === 'time'
    ? new PdfError('too_slow', 'The PDF takes too long to read.')
    : new PdfError('too_large', 'The PDF takes too much memory to read.', error.cause);
}

const broken = (why: string, cause?: unknown) =>
  new PdfError('broken', `The PDF is broken and cannot be read: ${why.replace(/\.?\s*$/, '')}.`, cause);
