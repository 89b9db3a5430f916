import { Vocabulary } from './vocabulary.ts';

/**
 * The words that have a row of a table: each word its own, and words of other languages that of the English word that
 * they mean.
 */
export class KnownWords {
  /** Words with a row of their own, by row, then those that stand for one of these. */
  readonly names: readonly string[];
  readonly #vocabulary: Vocabulary;
  readonly #own: number;
  readonly #rows: Uint16Array;

  /** @param rows the row of each name behind the first `own` ones */
  constructor(names: readonly string[], own: number, rows: Uint16Array) {
    this.names = names;
    this.#vocabulary = new Vocabulary(names);
    this.#own = own;
    this.#rows = rows;
  }

  /** The row of a word, or -1. */
  row(word: string): number {
    const id = this.#vocabulary.id(word);
    return id < this.#own ? id : (this.#rows[id - this.#own] ?? -1);
  }
}
