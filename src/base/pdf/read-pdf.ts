import { runThread, ThreadLimitError } from '../processes/run-thread.ts';
import { createTurns } from '../processes/turns.ts';
import type { PdfPage } from './pdf-page.ts';
import type { PdfEnd, PdfJob, PdfProgress } from './pdf-worker.ts';

export interface ReadPdfOptions {
  /** After so long the reading has failed; 60,000 unless said. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** 2,000 unless said. */
  maxPages?: number;
  /** Of all pages together; 10,000,000 unless said. */
  maxCharacters?: number;
  /** Told after each page. */
  onPage?: (done: number, total: number) => void;
}

/** Why a PDF was not read. */
export type PdfFault = 'encrypted' | 'broken' | 'without_text' | 'too_large' | 'too_slow';

/** A PDF that cannot be read; the message is a sentence for the one who sent the file. */
export class PdfError extends Error {
  override readonly name = 'PdfError';
  readonly fault: PdfFault;

  constructor(fault: PdfFault, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.fault = fault;
  }
}

/** Memory of one thread, on the heap and beside it. */
const maxMemoryBytes = 512 * 1024 ** 2;
/** More at once would fill the machine; the others wait, so many of them. */
const turns = createTurns(
  2,
  32,
  'Too many PDFs are being read at this moment. Send the request again in a moment.',
);

/**
 * The pages of a PDF. A thread of its own reads it: a file that is made to take all time or memory takes only the
 * thread's, which ends then.
 * @throws PdfError; AppError 503 when too many wait already; the reason of the signal.
 */
export async function readPdf(bytes: Uint8Array, options: ReadPdfOptions = {}): Promise<PdfPage[]> {
  using _turn = await turns.take(options.signal);
  const pages = await readInThread(bytes, options);
  if (pages.length === 0) throw broken('it has no page');
  if (pages.every((page) => page.length === 0))
    throw new PdfError(
      'without_text',
      'The PDF has no text: its pages are pictures, as a scanner makes them. Send it with its text recognised (OCR).',
    );
  return pages;
}

const endings = {
  encrypted: () => new PdfError('encrypted', 'The PDF is encrypted. Send it without its password.'),
  pages: () => new PdfError('too_large', 'The PDF has too many pages. Send it in parts.'),
  characters: () => new PdfError('too_large', 'The PDF has too much text. Send it in parts.'),
};

async function readInThread(
  bytes: Uint8Array,
  { timeoutMs = 60_000, signal, maxPages = 2000, maxCharacters = 10_000_000, onPage }: ReadPdfOptions,
): Promise<PdfPage[]> {
  // A copy: the caller keeps the bytes.
  const job: PdfJob = { bytes: Uint8Array.from(bytes), maxPages, maxCharacters };
  const pages: PdfPage[] = [];
  let total = 0;
  const end = await runThread<PdfEnd, PdfProgress>(new URL('./pdf-worker.ts', import.meta.url), job, {
    transfer: [job.bytes.buffer as ArrayBuffer],
    memoryBytes: maxMemoryBytes,
    timeoutMs,
    signal,
    // The library has much to say about damaged files, all of it to the console.
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
