import { FeatureReader } from '../../src/engine/text/features.ts';
import { fold } from '../../src/engine/text/fold.ts';
import { tokenise } from '../../src/engine/text/tokens.ts';
import type { LabelledRow } from './rows.ts';

/** A row as the models see it: the tokens of its first 4,000 characters. */
export interface Example {
  words: string[];
  labels: Int8Array;
  source: string;
}

const mostCharacters = 4000;

export const toWords = (text: string): string[] => tokenise(fold(text.slice(0, mostCharacters)).text).words;

/** Strings are copied and shared: a token cut from a text would keep the whole text in memory. */
class WordPool {
  readonly #pool = new Map<string, string>();

  keep(words: readonly string[]): string[] {
    return words.map((word) => {
      const known = this.#pool.get(word);
      if (known !== undefined) return known;
      const own = Buffer.from(word, 'utf16le').toString('utf16le');
      this.#pool.set(own, own);
      return own;
    });
  }
}

export function toExamples(rows: readonly LabelledRow[]): Example[] {
  const pool = new WordPool();
  return rows.map(({ text, labels, source }) => ({ words: pool.keep(toWords(text)), labels, source }));
}

/** Feature bucket numbers of many examples, one after the other. */
export interface FeatureTable {
  ids: Int32Array;
  /** Offset of the features of example i; entry `count` ends the last one. */
  from: Float64Array;
  /** How many of the features are words and word pairs. */
  wordCounts: Int32Array;
}

const mostTokens = 800;

export function toFeatures(examples: readonly Example[]): FeatureTable {
  const reader = new FeatureReader();
  let ids = new Int32Array(1 << 24);
  const from = new Float64Array(examples.length + 1);
  const wordCounts = new Int32Array(examples.length);
  let length = 0;
  examples.forEach(({ words }, i) => {
    reader.read(reader.know(words.slice(0, mostTokens)), 0, Math.min(mostTokens, words.length));
    if (length + reader.length > ids.length) {
      const larger = new Int32Array(ids.length * 2);
      larger.set(ids);
      ids = larger;
    }
    ids.set(reader.ids.subarray(0, reader.length), length);
    length += reader.length;
    from[i + 1] = length;
    wordCounts[i] = reader.wordCount;
  });
  return { ids: ids.subarray(0, length), from, wordCounts };
}

/** Weight of each source: a source with more than `full` rows has the total weight of `full` rows. */
export function sourceWeights(examples: readonly Example[], full: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { source } of examples) counts.set(source, (counts.get(source) ?? 0) + 1);
  return new Map([...counts].map(([source, count]) => [source, Math.min(1, full / count)]));
}
