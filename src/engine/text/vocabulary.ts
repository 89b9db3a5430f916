/** The words that the model knows, most frequent first: tells words from letters put together. */
export class Vocabulary {
  readonly words: readonly string[];
  readonly #ids: ReadonlyMap<string, number>;
  /** Frequent words by their first letter, sorted middle letters and last letter. */
  #byLetters: ReadonlyMap<string, string> | undefined;
  /** The first letters of the frequent words that have at least as many. */
  #beginnings: ReadonlySet<string> | undefined;

  constructor(words: readonly string[]) {
    this.words = words;
    this.#ids = new Map(words.map((word, id) => [word, id]));
  }

  /** Place of the word in the order of frequency, or -1. */
  id(word: string): number {
    return this.#ids.get(word) ?? -1;
  }

  knows(word: string, among: number = this.words.length): boolean {
    const id = this.#ids.get(word);
    return id !== undefined && id < among;
  }

  /** Whether a frequent word of `beginningLength` letters or more begins with these: spares looking for each of them. */
  hasBeginning(letters: string): boolean {
    this.#beginnings ??= new Set(
      this.words
        .slice(0, beginningsAmong)
        .filter((word) => word.length >= beginningLength)
        .map((word) => word.slice(0, beginningLength)),
    );
    return this.#beginnings.has(letters);
  }

  /** The most frequent word made of the same letters, with the same first and last one. */
  unscrambled(word: string): string | undefined {
    this.#byLetters ??= indexByLetters(this.words);
    return this.#byLetters.get(lettersKey(word));
  }
}

const beginningsAmong = 20_000;
export const beginningLength = 4;
const unscrambleAmong = 16_000;

function lettersKey(word: string): string {
  const middle = Array.from(word.slice(1, -1)).sort().join('');
  return word.charAt(0) + middle + word.charAt(word.length - 1);
}

function indexByLetters(words: readonly string[]): Map<string, string> {
  const index = new Map<string, string>();
  for (const word of words.slice(0, unscrambleAmong)) {
    if (word.length < 4 || word.length > 18) continue;
    const key = lettersKey(word);
    if (!index.has(key)) index.set(key, word);
  }
  return index;
}
