/** The thread of {@link readPdf}: bytes in, lines out, a page at a time. */
import { parentPort, workerData } from 'node:worker_threads';
import { getDocumentProxy } from 'unpdf';
import type { PdfLine } from './pdf-page.ts';

/** What the thread is asked for. */
export interface PdfJob {
  readonly bytes: Uint8Array;
  readonly maxPages: number;
  readonly maxCharacters: number;
}

/** What it says: how many pages there are, a page at a time, then how it ended. */
export type PdfMessage =
  | { readonly pages: number }
  | { readonly page: PdfLine[] }
  | { readonly end: 'done' | 'encrypted' | 'pages' | 'characters' }
  | { readonly end: 'broken'; readonly why: string };

interface Item {
  readonly str: string;
  readonly transform: readonly number[];
  readonly hasEOL: boolean;
}

const post = (message: PdfMessage) => parentPort?.postMessage(message);

/** How much further apart than its letters are high two lines of one paragraph may stand. */
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

async function read({ bytes, maxPages, maxCharacters }: PdfJob): Promise<PdfMessage> {
  const pdf = await getDocumentProxy(bytes);
  if (pdf.numPages > maxPages) return { end: 'pages' };
  post({ pages: pdf.numPages });
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
    post({ page: reader.lines });
  }
  return { end: 'done' };
}

try {
  post(await read(workerData as PdfJob));
} catch (error) {
  const { name, message } = error as Error;
  post(name === 'PasswordException' ? { end: 'encrypted' } : { end: 'broken', why: message });
}
