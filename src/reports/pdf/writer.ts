import type { TextContent } from 'pdfmake';
import type { FontBook } from './fonts.ts';
import { lineHeight, sizes } from './page.ts';
import { type Run, runsOf } from './text-runs.ts';

/** Longest text of one part of a page: some ten pages of letters. */
const mostCharacters = 30_000;

export interface TextLook {
  size?: number;
  colour?: string;
  bold?: boolean;
  mono?: boolean;
  align?: 'left' | 'right' | 'center';
  margin?: [number, number, number, number];
  limit?: number;
}

/** Makes texts of the library's kind out of ours. */
export class TextWriter {
  readonly #book: FontBook;
  #headings = 0;

  constructor(book: FontBook) {
    this.#book = book;
  }

  get book(): FontBook {
    return this.#book;
  }

  runs(text: string, { size = sizes.body, mono = false, limit = mostCharacters }: TextLook = {}): Run[] {
    return runsOf(text, this.#book, { size, mono, limit });
  }

  text(text: string, look: TextLook = {}): TextContent {
    const { size = sizes.body, colour, bold = false, align, margin } = look;
    return {
      text: this.runs(text, look),
      fontSize: size,
      lineHeight,
      bold,
      preserveLeadingSpaces: true,
      ...(colour !== undefined && { color: colour }),
      ...(align !== undefined && { alignment: align }),
      ...(margin !== undefined && { margin }),
    };
  }

  /** A name for a heading, different from all others. */
  nextHeadingId(): string {
    this.#headings++;
    return `heading-${this.#headings}`;
  }
}
