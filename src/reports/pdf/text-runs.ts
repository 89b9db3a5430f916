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
  /** More characters are left out, and their count said. */
  limit: number;
}

/** The runs of a text: each letter in a font that has it; what no font has, or no eye could see, as its code point. */
export function runsOf(text: string, book: FontBook, { mono = false, size, limit }: RunOptions): Run[] {
  const first = mono ? 'Mono' : 'Sans';
  const runs: Run[] = [];
  const escape = (name: string) =>
    runs.push({ text: name, font: 'Mono', color: ink, background: soft, fontSize: size * 0.86 });
  for (const piece of visiblePieces(cutText(text, limit))) {
    if (piece.isEscape) {
      escape(piece.text);
      continue;
    }
    let run: Run | undefined;
    let inWord = 0;
    for (const character of piece.text) {
      const codePoint = character.codePointAt(0) ?? 0;
      const family = codePoint <= 32 ? (run?.font ?? first) : book.familyOf(codePoint, first);
      if (family === undefined) {
        run = undefined;
        escape(codePointName(codePoint));
        continue;
      }
      inWord = codePoint <= 32 ? 0 : inWord + 1;
      if (run === undefined || run.font !== family || inWord > longestPiece) {
        run = { text: '', font: family };
        runs.push(run);
        inWord = 1;
      }
      run.text += character;
    }
  }
  return runs.length === 0 ? [{ text: '', font: first }] : runs;
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
