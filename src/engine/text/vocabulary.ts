import { UnitReader, WordTable } from './word-table.ts';

/** The words that the model knows, most frequent first: tells words from letters put together. */
export class Vocabulary {
  readonly words: readonly string[];
  readonly #table: WordTable;
  readonly #reader = new UnitReader();
  #byLetters: WordsByLetters | undefined;
  /** The first letters of the frequent words that have at least as many. */
  #beginnings: WordTable | undefined;

  constructor(words: readonly string[]) {
    this.words = words;
    this.#table = new WordTable(words);
  }

  /** Place of the word in the order of frequency, or -1. */
  id(word: string): number {
    return this.#table.find(this.#reader.read(word), 0, word.length);
  }

  /** As `id`, of what stands in `units` from `from` to `to`. */
  idAt(units: Uint16Array, from: number, to: number): number {
    return this.#table.find(units, from, to);
  }

  knows(word: string, among: number = this.words.length): boolean {
    const id = this.id(word);
    return id >= 0 && id < among;
  }

  /** As `knows`, of what stands in `units` from `from` to `to`. */
  knowsAt(units: Uint16Array, from: number, to: number, among: number): boolean {
    const id = this.#table.find(units, from, to);
    return id >= 0 && id < among;
  }

  /**
   * Whether a frequent word of `beginningLength` letters or more begins with those at `at`: spares looking for each of
   * them.
   */
  hasBeginning(units: Uint16Array, at: number): boolean {
    this.#beginnings ??= new WordTable(
      this.words
        .slice(0, beginningsAmong)
        .filter((word) => word.length >= beginningLength)
        .map((word) => word.slice(0, beginningLength)),
    );
    return this.#beginnings.find(units, at, Math.min(units.length, at + beginningLength)) >= 0;
  }

  /** The most frequent word made of the same letters, with the same first and last one. */
  unscrambled(units: Uint16Array): string | undefined {
    this.#byLetters ??= new WordsByLetters(this.words);
    return this.#byLetters.find(units);
  }
}

const beginningsAmong = 20_000;
export const beginningLength = 4;
const unscrambleAmong = 16_000;
const longestScrambled = 18;

/** Frequent words by their first letter, sorted middle letters and last letter. */
class WordsByLetters {
  readonly #words: readonly string[];
  readonly #keys: WordTable;
  readonly #key = new Uint16Array(longestScrambled);

  constructor(words: readonly string[]) {
    this.#words = words
      .slice(0, unscrambleAmong)
      .filter((word) => word.length >= 4 && word.length <= longestScrambled);
    const reader = new UnitReader();
    this.#keys = new WordTable(
      this.#words.map((word) => String.fromCharCode(...this.#sorted(reader.read(word)))),
    );
  }

  find(units: Uint16Array): string | undefined {
    if (units.length > longestScrambled) return undefined;
    return this.#words[this.#keys.find(this.#sorted(units), 0, units.length)];
  }

  /** All letters but the first and the last in their order: so few that each is put in its place by hand. */
  #sorted(units: Uint16Array): Uint16Array {
    const key = this.#key;
    const last = units.length - 1;
    for (let i = 0; i <= last; i++) {
      const unit = units[i] ?? 0;
      let at = i;
      if (i < last) for (; at > 1 && (key[at - 1] ?? 0) > unit; at--) key[at] = key[at - 1] ?? 0;
      key[at] = unit;
    }
    return key.subarray(0, units.length);
  }
}
