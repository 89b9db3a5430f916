import { RelatedWords } from './related-words.ts';
import { isWord } from './sentence-units.ts';
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
  #related: RelatedWords | undefined;

  /** @param rows the row of each name behind the first `own` ones */
  constructor(names: readonly string[], own: number, rows: Uint16Array) {
    this.names = names;
    this.#vocabulary = new Vocabulary(names);
    this.#own = own;
    this.#rows = rows;
  }

  /** The row of a word, or -1. */
  row(word: string): number {
    return this.#rowOf(this.#vocabulary.id(word));
  }

  /** The row of a word, or of the word that it is most likely a form of; -1 where there is neither. */
  rowOfForm(word: string): number {
    const row = this.row(word);
    if (row >= 0 || !isWord(word)) return row;
    this.#related ??= new RelatedWords(this.names);
    return this.#rowOf(this.#related.find(word));
  }

  #rowOf(id: number): number {
    return id < this.#own ? id : (this.#rows[id - this.#own] ?? -1);
  }
}
