import { tones } from '../charts/palette.ts';
import { codePointName, cutText, visiblePieces } from '../visible-text.ts';
import type { Family, FontBook } from './fonts.ts';

/** A run of letters of one font, as the PDF library takes it. */
export interface Run {
  text: string;
  font: Family;
  color?: string;
  background?: string;
  fontSize?: number;
}

/**
 * Longer words are measured in pieces: the library measures the whole rest of a word for each line that it fills, which
 * takes minutes for a word of a megabyte's beginning.
 */
const longestPiece = 48;
const { ink, soft } = tones.warn;

export interface RunOptions {
  mono?: boolean;
  /** Of the letters around; escapes are a little smaller. */
  size: number;
  /** Longer texts are cut, and the number of missing characters is stated. */
  limit: number;
}

/** The runs of a text: each letter in a font that has it; what no font has, or no eye could see, as its code point. */
export function runsOf(text: string, book: FontBook, { mono = false, size, limit }: RunOptions): Run[] {
  const first = mono ? 'Mono' : 'Sans';
  const line = new RunLine(size);
  for (const { text: piece, isEscape } of visiblePieces(cutText(text, limit)))
    if (isEscape) line.escape(piece);
    else for (const character of piece) line.add(character, book, first);
  return line.runs.length === 0 ? [{ text: '', font: first }] : line.runs;
}

/** Runs as they grow, letter by letter. */
class RunLine {
  readonly runs: Run[] = [];
  readonly #escapeSize: number;
  #last: Run | undefined;
  #inWord = 0;

  constructor(size: number) {
    this.#escapeSize = size * 0.86;
  }

  escape(name: string): void {
    this.#last = undefined;
    this.runs.push({ text: name, font: 'Mono', color: ink, background: soft, fontSize: this.#escapeSize });
  }

  add(character: string, book: FontBook, first: 'Sans' | 'Mono'): void {
    const codePoint = character.codePointAt(0) ?? 0;
    const isSpace = codePoint <= 32;
    const family = isSpace ? (this.#last?.font ?? first) : book.familyOf(codePoint, first);
    if (family === undefined) {
      this.escape(codePointName(codePoint));
      return;
    }
    this.#inWord = isSpace ? 0 : this.#inWord + 1;
    if (this.#last?.font !== family || this.#inWord > longestPiece) {
      this.#last = { text: '', font: family };
      this.runs.push(this.#last);
      this.#inWord = 1;
    }
    this.#last.text += character;
  }
}

/** A chart whose texts have letters of the sans-serif only: its drawing has no other font. */
export function inSans<Value>(value: Value, book: FontBook): Value {
  if (typeof value === 'string')
    return value.replaceAll(/[^\u0020-\u007E]/gu, (character) => {
      const codePoint = character.codePointAt(0) ?? 0;
      // What is hidden is made visible with the rest of the drawing's text.
      const isShown = codePoint < 32 || book.familyOf(codePoint, 'Sans') === 'Sans';
      return isShown ? character : `‹${codePointName(codePoint)}›`;
    }) as Value;
  if (Array.isArray(value)) return value.map((each: unknown) => inSans(each, book)) as Value;
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [key, inSans<unknown>(each, book)]),
    ) as Value;
  return value;
}
