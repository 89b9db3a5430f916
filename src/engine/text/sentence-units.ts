import { strangeWordHash } from './features.ts';

/** Finds the number of a word among those that the encoder knows, or -1. */
export type FindWord = (word: string) => number;

/** Rows of the encoder's table that a text stands for, each with its share. */
export interface SentenceUnits {
  rows: Int32Array;
  shares: Float32Array;
}

const pieceLengths = [4, 5] as const;
const mostTokens = 512;

/**
 * The different words of a text, each by its row. A word that the encoder does not know is the mean of its pieces of
 * four and five letters, hashed to `pieceRows` rows behind the words. Digits, symbols and repetitions say nothing.
 */
export function sentenceUnits(
  words: readonly string[],
  find: FindWord,
  table: { words: number; pieceRows: number },
): SentenceUnits {
  const rows: number[] = [];
  const shares: number[] = [];
  const met = new Set<string>();
  for (const word of words) {
    if (met.size >= mostTokens) break;
    if (met.has(word) || !isWord(word)) continue;
    met.add(word);
    const row = find(word);
    if (row >= 0) {
      rows.push(row);
      shares.push(1);
      continue;
    }
    const pieces = piecesOf(word, table.pieceRows);
    for (const piece of pieces) {
      rows.push(table.words + piece);
      shares.push(1 / pieces.length);
    }
  }
  return { rows: Int32Array.from(rows), shares: Float32Array.from(shares) };
}

const wordStart = /^[\p{L}\p{M}]/u;
/** Whether a token is a word; else it is a symbol or stands for digits. */
export const isWord = (word: string): boolean => wordStart.test(word);

/** Rows of the pieces of a word, from 0. */
export function piecesOf(word: string, pieceRows: number): number[] {
  const marked = `^${word}$`;
  if (marked.length <= 4) return [strangeWordHash(marked) % pieceRows];
  const pieces = new Set<number>();
  for (const length of pieceLengths)
    for (let at = 0; at + length <= marked.length; at++)
      pieces.add(strangeWordHash(marked.slice(at, at + length)) % pieceRows);
  return [...pieces];
}
