const shortest = 5;
const leastShared = 4;
/** Share of the longer word that both must begin with. */
const sharedPart = 0.7;
/** Words before and behind the place in alphabetical order that are compared. */
const neighbours = 3;

/** Numbers of words that begin alike, in the order of their code units once they have been asked for. */
interface Family {
  numbers: number[];
  isSorted: boolean;
}

/** Finds the word of a vocabulary that a word not in it is most likely a form of: the one with the same beginning. */
export class RelatedWords {
  readonly #words: readonly string[];
  /** By the letters that related words share at least: to sort the whole vocabulary would hold up the first text. */
  readonly #families = new Map<string, Family>();

  constructor(words: readonly string[]) {
    this.#words = words;
    words.forEach((word, number) => {
      if (word.length < leastShared) return;
      const beginning = word.slice(0, leastShared);
      const family = this.#families.get(beginning);
      if (family === undefined) this.#families.set(beginning, { numbers: [number], isSorted: false });
      else family.numbers.push(number);
    });
  }

  /**
   * The number of the word that shares the longest beginning with `word`, of several the one nearest in length; -1 where
   * that is less than seven tenths of the longer one. Time: logarithm of the words that begin alike.
   */
  find(word: string): number {
    const family = this.#familyOf(word);
    const place = this.#placeOf(word, family);
    let best = { number: -1, shared: 0, difference: Infinity };
    for (const number of family.slice(Math.max(0, place - neighbours), place + neighbours)) {
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

  #familyOf(word: string): readonly number[] {
    const family = word.length < shortest ? undefined : this.#families.get(word.slice(0, leastShared));
    if (family === undefined) return [];
    if (!family.isSorted) {
      const words = this.#words;
      family.numbers.sort((a, b) => ((words[a] ?? '') < (words[b] ?? '') ? -1 : 1));
      family.isSorted = true;
    }
    return family.numbers;
  }

  /** Where `word` would stand among them. */
  #placeOf(word: string, family: readonly number[]): number {
    let [low, high] = [0, family.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#words[family[middle] ?? 0] ?? '') < word) low = middle + 1;
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
