/** Words of a user's turn with where they stand and what stands before them. */

export interface Token {
  /** Lower case, with straight apostrophes; names of files and addresses are one word. */
  readonly word: string;
  readonly from: number;
  readonly to: number;
  /** What separates it from the word before: the end of a sentence, a comma or the like, or nothing. */
  readonly gap: 'end' | 'pause' | '';
}

/** Words that one negation takes in at most. */
export const longestPart = 60;

const tokenShape = /[\p{L}\p{N}]+(?:[._/@:'’-]+[\p{L}\p{N}]+)*/gu;

const gapOf = (between: string): Token['gap'] =>
  /[.!?;:\n]/.test(between) ? 'end' : /[,()–—"“”]|\s-\s/.test(between) ? 'pause' : '';

/** The words of a text in lower case, in order. */
export function tokensOf(lower: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const found of lower.matchAll(tokenShape)) {
    const gap = end === 0 ? 'end' : gapOf(lower.slice(end, found.index));
    const word = found[0].replaceAll('’', "'");
    end = found.index + found[0].length;
    tokens.push({ word, from: found.index, to: end, gap });
  }
  return tokens;
}
