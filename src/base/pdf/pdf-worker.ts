/** The thread of {@link readPdf}: bytes in, lines out, a page at a time. */
import { getDocumentProxy } from 'unpdf';
import { serveTask } from '../processes/serve-task.ts';
import type { PdfLine } from './pdf-page.ts';

/** Input of the thread. */
export interface PdfJob {
  readonly bytes: Uint8Array;
  readonly maxPages: number;
  readonly maxCharacters: number;
}

/** Progress: the number of pages, then page by page. */
export type PdfProgress = { readonly pages: number } | { readonly page: PdfLine[] };

/** How it ended. */
export type PdfEnd =
  | { readonly end: 'done' | 'encrypted' | 'pages' | 'characters' }
  | { readonly end: 'broken'; readonly why: string };

interface Item {
  readonly str: string;
  readonly transform: readonly number[];
  readonly hasEOL: boolean;
}

/** Maximum line spacing within a paragraph, in font sizes. */
const paragraphGap = 1.7;

class LineReader {
  readonly lines: PdfLine[] = [];
  #text = '';
  #size = 0;
  #y = NaN;
  #lastY = NaN;

  add({ str, transform: [, , c = 0, d = 0, , y = 0], hasEOL }: Item): void {
    if (str.trim() !== '') {
      if (this.#text.trim() === '') this.#y = y;
      this.#size = Math.max(this.#size, Math.round(Math.hypot(c, d) * 10) / 10);
    }
    this.#text += str;
    if (hasEOL) this.end();
  }

  end(): void {
    const text = this.#text.replaceAll(/\s+/g, ' ').trim();
    if (text !== '') {
      const opens = !(Math.abs(this.#lastY - this.#y) <= this.#size * paragraphGap);
      this.lines.push({ text, size: this.#size, opens });
      this.#lastY = this.#y;
    }
    this.#text = '';
    this.#size = 0;
  }
}

async function read(
  { bytes, maxPages, maxCharacters }: PdfJob,
  tell: (progress: PdfProgress) => void,
): Promise<PdfEnd> {
  const pdf = await getDocumentProxy(bytes);
  if (pdf.numPages > maxPages) return { end: 'pages' };
  tell({ pages: pdf.numPages });
  let characters = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const reader = new LineReader();
    for (const item of (await page.getTextContent()).items) {
      if (!('str' in item)) continue;
      characters += item.str.length;
      if (characters > maxCharacters) return { end: 'characters' };
      reader.add(item as Item);
    }
    reader.end();
    page.cleanup();
    tell({ page: reader.lines });
  }
  return { end: 'done' };
}

await serveTask<PdfJob, PdfProgress>(async (job, tell): Promise<PdfEnd> => {
  try {
    return await read(job, tell);
  } catch (error) {
    const { name, message } = error as Error;
    return name === 'PasswordException' ? { end: 'encrypted' } : { end: 'broken', why: message };
  }
});
