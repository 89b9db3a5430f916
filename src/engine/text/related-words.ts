const shortest = 5;
const leastShared = 4;
/** Share of the longer word that both must begin with. */
const sharedPart = 0.7;
/** Words before and behind the place in alphabetical order that are compared. */
const neighbours = 3;

/** Finds the word of a vocabulary that a word not in it is most likely a form of: the one with the same beginning. */
export class RelatedWords {
  readonly #words: readonly string[];
  /** Numbers of the words in the order of their code units. */
  readonly #order: Uint32Array;

  constructor(words: readonly string[]) {
    this.#words = words;
    this.#order = Uint32Array.from(words.keys()).sort((a, b) =>
      (words[a] ?? '') < (words[b] ?? '') ? -1 : 1,
    );
  }

  /**
   * The number of the word that shares the longest beginning with `word`, of several the one nearest in length; -1 where
   * that is less than seven tenths of the longer one. Time: logarithm of the vocabulary.
   */
  find(word: string): number {
    if (word.length < shortest) return -1;
    const place = this.#placeOf(word);
    let best = { number: -1, shared: 0, difference: Infinity };
    for (let at = Math.max(0, place - neighbours); at < place + neighbours && at < this.#order.length; at++) {
      const number = this.#order[at] ?? 0;
      const other = this.#words[number] ?? '';
      const shared = sharedBeginning(word, other);
      const difference = Math.abs(word.length - other.length);
      const longer = Math.max(word.length, other.length);
      if (shared < Math.max(leastShared, Math.ceil(sharedPart * longer))) continue;
      if (shared > best.shared || (shared === best.shared && difference < best.difference))
        best = { number, shared, difference };
    }
    return best.number;
  }

  /** Where `word` would stand in the order. */
  #placeOf(word: string): number {
    let [low, high] = [0, this.#order.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#words[this.#order[middle] ?? 0] ?? '') < word) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function sharedBeginning(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return length;
}
