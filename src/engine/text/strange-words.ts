import type { Mapped } from './mapped.ts';
import type { Vocabulary } from './vocabulary.ts';
import { UnitReader } from './word-table.ts';

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

const reader = new UnitReader();

/** Several steps need the result for the same text; cached as long as the text exists. */
const found = new WeakMap<Mapped, StrangeWords>();

export function strangeWordsOf(mapped: Mapped, vocabulary: Vocabulary): StrangeWords {
  const known = found.get(mapped);
  if (known !== undefined) return known;
  const { text } = mapped;
  const units = reader.read(text);
  const strange: StrangeWord[] = [];
  let runs = 0;
  for (let at = 0; at < units.length;) {
    const end = lettersEnd(units, at);
    if (end - at >= 4) {
      runs++;
      if (!vocabulary.knowsAt(units, at, end, commonWords)) strange.push({ word: text.slice(at, end), at });
    }
    at = end + 1;
  }
  const result = { strange, runs };
  found.set(mapped, result);
  return result;
}

/** Where the run of lowercase letters that begins at `from` ends. */
export function lettersEnd(units: Uint16Array, from: number): number {
  let at = from;
  while (at < units.length) {
    const unit = units[at] ?? 0;
    if (unit < 97 || unit > 122) break;
    at++;
  }
  return at;
}
