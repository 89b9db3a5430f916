import { Worker } from 'node:worker_threads';
import { unavailable } from '../errors.ts';
import type { PdfPage } from './pdf-page.ts';
import type { PdfJob, PdfMessage } from './pdf-worker.ts';

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
const memoryCheckMs = 25;
/** More at once would fill the machine; the others wait, so many of them. */
const maxThreads = 2;
const maxWaiting = 32;

let running = 0;
const waiting: (() => void)[] = [];

async function turn(): Promise<Disposable> {
  if (waiting.length >= maxWaiting)
    throw unavailable('Too many PDFs are being read at this moment. Send the request again in a moment.');
  if (running < maxThreads) running += 1;
  // The one before hands its place over.
  else await new Promise<void>((resolve) => waiting.push(resolve));
  return {
    [Symbol.dispose]() {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    },
  };
}

/**
 * The pages of a PDF. A thread of its own reads it: a file that is made to take all time or memory takes only the
 * thread's, which ends then.
 * @throws PdfError; AppError 503 when too many wait already; the reason of the signal.
 */
export async function readPdf(bytes: Uint8Array, options: ReadPdfOptions = {}): Promise<PdfPage[]> {
  using _turn = await turn();
  options.signal?.throwIfAborted();
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
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
    workerData: job,
    transferList: [job.bytes.buffer as ArrayBuffer],
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryBytes / 1024 ** 2 },
    // The library has much to say about damaged files, all of it to the console.
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  const { promise, resolve, reject } = Promise.withResolvers<PdfPage[]>();
  const tooSlow = () => reject(new PdfError('too_slow', 'The PDF takes too long to read.'));
  const tooLarge = (cause?: unknown) =>
    reject(new PdfError('too_large', 'The PDF takes too much memory to read.', cause));
  const aborted = () => reject(signal?.reason as Error);
  const timer = setTimeout(tooSlow, timeoutMs);
  const memory = setInterval(() => void check(), memoryCheckMs);
  // What a thread holds beside its heap has no limit of its own.
  async function check(): Promise<void> {
    // A thread that has just ended has no memory any more.
    const statistics = await worker.getHeapStatistics().catch(() => undefined);
    const { total_heap_size: heap = 0, external_memory: beside = 0 } = statistics ?? {};
    if (heap + beside > maxMemoryBytes) tooLarge();
  }
  signal?.addEventListener('abort', aborted);
  const pages: PdfPage[] = [];
  let total = 0;
  worker.on('message', (message: PdfMessage) => {
    if ('pages' in message) total = message.pages;
    else if ('page' in message) {
      pages.push(message.page);
      onPage?.(pages.length, total);
    } else if (message.end === 'done') resolve(pages);
    else if (message.end === 'broken') reject(broken(message.why));
    else reject(endings[message.end]());
  });
  worker.once('error', (error: NodeJS.ErrnoException) =>
    error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge(error) : reject(broken(error.message, error)),
  );
  worker.once('exit', () => reject(broken('its reader ended')));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    clearInterval(memory);
    signal?.removeEventListener('abort', aborted);
    await worker.terminate();
  }
}

const broken = (why: string, cause?: unknown) =>
  new PdfError('broken', `The PDF is broken and cannot be read: ${why.replace(/\.?\s*$/, '')}.`, cause);
