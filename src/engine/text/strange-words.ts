import type { Mapped } from './mapped.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A run of four or more plain letters that is no common word. */
export interface StrangeWord {
  word: string;
  at: number;
}

export interface StrangeWords {
  strange: readonly StrangeWord[];
  /** Number of all runs of four or more letters. */
  runs: number;
}

const commonWords = 25_000;

/** Several steps ask for the same text; what was found is kept as long as the text is. */
const found = new WeakMap<Mapped, StrangeWords>();

export function strangeWordsOf(mapped: Mapped, vocabulary: Vocabulary): StrangeWords {
  const known = found.get(mapped);
  if (known !== undefined) return known;
  const { text } = mapped;
  const strange: StrangeWord[] = [];
  let runs = 0;
  for (let at = 0; at < text.length;) {
    const end = lettersEnd(text, at);
    if (end - at >= 4) {
      runs++;
      const word = text.slice(at, end);
      if (!vocabulary.knows(word, commonWords)) strange.push({ word, at });
    }
    at = end + 1;
  }
  const result = { strange, runs };
  found.set(mapped, result);
  return result;
}

function lettersEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const unit = text.charCodeAt(at);
    if (unit < 97 || unit > 122) break;
    at++;
  }
  return at;
}
