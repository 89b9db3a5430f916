/**
 * Features that tell how something is said: done, offered or asked for, against refused, forbidden, asked about or
 * reported. Frequent words and symbols stand for themselves, all others for the group of words that they belong to, so
 * that no feature knows what a text is about.
 */

/** Number of buckets that features are hashed to. */
export const stanceBuckets = 1 << 16;

/** From this code on a code stands for a frequent word; below it, for a group of words. */
export const firstWordCode = 512;
const unknownCode = 511;
const symbolCodes = 60_000;
const beginMark = 65_001;
const endMark = 65_002;
const presentMark = 65_003;

/** What stands for each word of a vocabulary. */
export interface StanceCodes {
  /** Frequent words: `firstWordCode` plus their row; others: their group. By row. */
  codes: Uint16Array;
  /** The group of every word, by row. */
  groups: Uint16Array;
}

const mostTokens = 160;

/** The numbers of the features that occur in a run of tokens, each once. `rows` are those of the words. */
export function stanceFeatures(
  words: readonly string[],
  rows: Int32Array,
  { codes, groups }: StanceCodes,
): Int32Array {
  const length = Math.min(words.length, mostTokens);
  // Behind the last token stand two marks of the end.
  const own = new Int32Array(length + 2).fill(endMark);
  const found = new Set<number>();
  for (let i = 0; i < length; i++) {
    const row = rows[i] ?? -1;
    own[i] = row >= 0 ? (codes[row] ?? unknownCode) : codeOf(words[i] ?? '');
    if (row >= 0) found.add(bucket(presentMark, groups[row] ?? unknownCode, 0));
  }
  addRuns(own, length, found);
  if (length > 0) addEnds(own, length, found);
  return Int32Array.from(found);
}

type Codes = Int32Array;
const at = (codes: Codes, i: number) => codes[i] ?? endMark;

/** Runs of one, two and three. */
function addRuns(own: Codes, length: number, found: Set<number>): void {
  for (let i = 0; i < length; i++) {
    const [a, b, c] = [at(own, i), at(own, i + 1), at(own, i + 2)];
    found.add(bucket(a, 0, 0));
    found.add(bucket(a, b, 0));
    if (i + 1 < length) found.add(bucket(a, b, c));
  }
}

/** How the run begins and ends. */
function addEnds(own: Codes, length: number, found: Set<number>): void {
  found.add(bucket(beginMark, at(own, 0), 0));
  found.add(bucket(beginMark, at(own, 0), at(own, 1)));
  found.add(bucket(beginMark + 100, at(own, 1), at(own, 2)));
  found.add(bucket(endMark, at(own, length - 1), 0));
}

/** Symbols and digits stand for themselves. */
function codeOf(word: string): number {
  if (/^[\p{L}\p{M}]/u.test(word)) return unknownCode;
  return symbolCodes + ((word.codePointAt(0) ?? 0) % 4096);
}

/** Hash of three codes, by multiplication and the finishing mix of MurmurHash3. */
function bucket(a: number, b: number, c: number): number {
  let h = Math.imul(a + 1, 0x9e3779b1) ^ Math.imul(b + 7, 0x85ebca77) ^ Math.imul(c + 13, 0xc2b2ae3d);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return (h ^ (h >>> 15)) & (stanceBuckets - 1);
}
