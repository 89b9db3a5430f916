/** Buckets of each of the two blocks: words with pairs of words, and pieces of words. */
const bucketBits = 17;
export const buckets = 1 << bucketBits;

/** What a word adds to a text's features. */
export interface WordFeatures {
  hash: number;
  /** Its row in the vector table, as the reader's owner counts them. */
  row: number;
  /** Buckets of the pieces of four and five letters, boundary marks included; empty for symbols. */
  pieces: Int32Array;
}

const fnvStart = 0x811c9dc5;

/** FNV-1a over UTF-16 units. */
function hashWord(word: string): number {
  let hash = fnvStart;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** The finishing mix of MurmurHash3: FNV leaves its high bits poor. */
function mix(hash: number): number {
  let h = hash;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

const bucketOf = (hash: number) => mix(hash) & (buckets - 1);

/** The bucket of a single word. */
export const bucketOfWord = (word: string): number => bucketOf(hashWord(word));

const pieceSizes = [4, 5] as const;

function piecesOf(word: string): Int32Array {
  if (word.length < 2 || !/^[\p{L}\p{M}]/u.test(word)) return new Int32Array(0);
  const marked = `^${word}$`;
  const found = new Set<number>();
  for (const size of pieceSizes)
    for (let at = 0; at + size <= marked.length; at++)
      found.add(buckets + bucketOf(hashWord(marked.slice(at, at + size))));
  return Int32Array.from(found);
}

const noPieces = new Int32Array(0);
const mostRemembered = 60_000;

/** A number for a word outside the vocabulary, spread evenly. */
export const strangeWordHash = (word: string): number => mix(hashWord(word) ^ 0x5bd1e995);

/**
 * Turns token rows into bucket numbers: which words, pairs of neighbouring words and pieces of words occur.
 * Keeps what it knows of words it met, so one instance should be kept for many texts.
 */
export class FeatureReader {
  readonly #known = new Map<string, WordFeatures>();
  readonly #stamps = new Uint32Array(buckets * 2);
  readonly #rowOf: (word: string) => number;
  #stamp = 0;
  /** Buckets found by the last `read`: words and pairs first, then pieces. */
  ids = new Int32Array(4096);
  wordCount = 0;
  length = 0;

  constructor(rowOf: (word: string) => number = () => -1) {
    this.#rowOf = rowOf;
  }

  /** What each word adds; made once for a text whose parts are read several times. */
  know(words: readonly string[]): WordFeatures[] {
    return words.map((word) => this.#word(word));
  }

  #word(word: string): WordFeatures {
    const known = this.#known.get(word);
    if (known !== undefined) return known;
    const features = { hash: hashWord(word), row: this.#rowOf(word), pieces: piecesOf(word) };
    if (this.#known.size >= mostRemembered) this.#known.clear();
    this.#known.set(word, features);
    return features;
  }

  #add(id: number): void {
    if (this.#stamps[id] === this.#stamp) return;
    this.#stamps[id] = this.#stamp;
    if (this.length === this.ids.length) {
      const larger = new Int32Array(this.length * 2);
      larger.set(this.ids);
      this.ids = larger;
    }
    this.ids[this.length++] = id;
  }

  /** Reads tokens `from` to `to`; the result stands in `ids` until the next call. */
  read(words: readonly WordFeatures[], from: number, to: number): void {
    this.#stamp = (this.#stamp + 1) >>> 0;
    this.length = 0;
    let before = 0x9e3779b9;
    for (let at = from; at < to; at++) {
      const hash = words[at]?.hash ?? 0;
      this.#add(bucketOf(hash));
      this.#add(bucketOf((Math.imul(before, 31) + hash) | 0));
      before = hash;
    }
    this.#add(bucketOf((Math.imul(before, 31) + 0x7f4a7c15) | 0));
    this.wordCount = this.length;
    for (let at = from; at < to; at++) {
      const pieces = words[at]?.pieces ?? noPieces;
      for (let i = 0; i < pieces.length; i++) this.#add(pieces[i] ?? 0);
    }
  }
}
