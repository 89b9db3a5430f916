/** What the judge of tool results reads in a passage, as places in a table of weights. */
import type { Tokens } from './passages.ts';
import { hashOf, roles, type Word } from './words.ts';

/** Size of the table; a power of two. */
export const buckets = 1 << 20;

const mix = (a: number, b: number): number => {
  let h = Math.imul(a ^ Math.imul(b, 0x9e3779b1), 0x85ebca6b);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  return (h ^ (h >>> 13)) & (buckets - 1);
};

const mixThree = (a: number, b: number, c: number): number => mix(Math.imul(a, 31) ^ (b >>> 1), c);

/** Kinds of features; each kind weighs the same in short and long passages. */
const kinds = { word: 1, pair: 2, ending: 3, class: 4, classes: 5, beside: 6, form: 7, role: 8 } as const;

/** Features of one group weigh the same within a passage. */
const groups = {
  word: 0,
  ending: 1,
  pair: 2,
  class: 3,
  beside: 4,
  classes: 5,
  role: 6,
  twoRoles: 7,
  threeRoles: 8,
  reader: 9,
  called: 10,
  opening: 11,
  openingClass: 12,
  length: 13,
} as const;
export const groupCount = 14;

/** Called with the place of a feature and its group: whole numbers, for which no memory is needed. */
export type Take = (place: number, group: number) => void;

const share = (weight: number, count: number) => weight / Math.sqrt(Math.max(4, count));

/** How much there is of each feature of a group; what is the same for all passages stands here. */
const amounts = new Float64Array(groupCount);
amounts[groups.reader] = 0.5;
amounts[groups.called] = 0.6;
amounts[groups.opening] = 0.4;
amounts[groups.openingClass] = 0.3;
amounts[groups.length] = 0.4;

type Words = readonly Word[];
const wordAt = (words: Words, at: number): Word => words[at] as Word;

function weighWords(count: number): void {
  const single = share(1, count);
  amounts[groups.word] = single;
  amounts[groups.ending] = single * 0.5;
  amounts[groups.pair] = share(1, 2 * count);
}

/** What stands behind the last word of a passage, in the place of a word. */
const nothing = 1;
const placeOfPair = (hash: number, next: number): number => mixThree(hash, next, kinds.pair);
const placeOfPairApart = (hash: number, next: number): number => mixThree(hash, next, kinds.pair + 8);

/** Words one by one, in pairs, with one between them, and their endings. */
function takeWords(words: Words, from: number, to: number, take: Take): void {
  weighWords(to - from);
  for (let i = from; i < to; i++) {
    const { hash, ending } = wordAt(words, i);
    take(mix(hash, kinds.word), groups.word);
    if (ending !== 0) take(mix(ending, kinds.ending), groups.ending);
    const next = i + 1 < to ? wordAt(words, i + 1).hash : nothing;
    take(placeOfPair(hash, next), groups.pair);
    if (i + 2 < to) take(placeOfPairApart(hash, wordAt(words, i + 2).hash), groups.pair);
  }
}

const none = -1;

function sumUp(sums: Int32Array, before: number, weights: Int8Array, place: number): void {
  sums[before + 4] = (sums[before] ?? 0) + (place === none ? 0 : (weights[place] ?? 0));
}

/**
 * What the words of any passage of a text weigh together. Each word stands in two or three passages: summed up from the
 * beginning of the text on, it is looked up once.
 */
export class WordSums {
  readonly #words: Words;
  readonly #weights: Int8Array;
  /** Of all words before each place, of their endings, of their pairs, and of those with a word between them. */
  readonly #sums: Int32Array;

  constructor({ words }: Tokens, weights: Int8Array) {
    this.#words = words;
    this.#weights = weights;
    const sums = new Int32Array(4 * (words.length + 1));
    for (let i = 0; i < words.length; i++) {
      const { hash, ending } = wordAt(words, i);
      const next = i + 1 < words.length ? placeOfPair(hash, wordAt(words, i + 1).hash) : none;
      const apart = i + 2 < words.length ? placeOfPairApart(hash, wordAt(words, i + 2).hash) : none;
      sumUp(sums, 4 * i, weights, mix(hash, kinds.word));
      sumUp(sums, 4 * i + 1, weights, ending === 0 ? none : mix(ending, kinds.ending));
      sumUp(sums, 4 * i + 2, weights, next);
      sumUp(sums, 4 * i + 3, weights, apart);
    }
    this.#sums = sums;
  }

  /** Adds what {@link featuresOf} would tell of the words from `from` to before `to`. */
  add(from: number, to: number, sums: Int32Array): void {
    const last = this.#weights[placeOfPair(wordAt(this.#words, to - 1).hash, nothing)] ?? 0;
    sums[groups.word] = (sums[groups.word] ?? 0) + this.#between(0, from, to);
    sums[groups.ending] = (sums[groups.ending] ?? 0) + this.#between(1, from, to);
    sums[groups.pair] =
      (sums[groups.pair] ?? 0) + this.#between(2, from, to - 1) + this.#between(3, from, to - 2) + last;
  }

  #between(kind: number, from: number, to: number): number {
    return to > from ? (this.#sums[4 * to + kind] ?? 0) - (this.#sums[4 * from + kind] ?? 0) : 0;
  }
}

/** The classes of the words of a passage, in order: the words' places, and the numbers of the classes. */
interface Hits {
  readonly at: readonly number[];
  readonly id: readonly number[];
}

/** Filled anew for each passage: an answer has many, and nothing of one is needed for the next. */
const hits = { at: [] as number[], id: [] as number[] } satisfies Hits;

function hitsIn(words: Words, from: number, to: number): Hits {
  const { at, id } = hits;
  at.length = id.length = 0;
  for (let i = from; i < to; i++)
    for (const each of wordAt(words, i).classes) {
      at.push(i);
      id.push(each);
    }
  return hits;
}

/** Classes, and the words beside them. */
function takeClasses(words: Words, hits: Hits, [from, to]: readonly [number, number], take: Take): void {
  const count = hits.at.length;
  amounts[groups.class] = share(1.2, count);
  amounts[groups.beside] = share(0.8, 2 * count);
  for (let i = 0; i < count; i++) {
    const at = hits.at[i] as number;
    const id = hits.id[i] as number;
    take(mix(id + 1, kinds.class), groups.class);
    if (at > from) take(mixThree(wordAt(words, at - 1).hash, id + 1, kinds.beside), groups.beside);
    if (at + 1 < to) take(mixThree(wordAt(words, at + 1).hash, id + 1, kinds.beside + 8), groups.beside);
  }
}

/** How far apart two words of classes may stand to count as a pair, in words, and how many of them are looked at. */
const reach = 16;
const mostBehind = 10;

/** Classes of different words near each other, in their order. */
function takePairs({ at, id }: Hits, take: Take): void {
  let count = 0;
  for (let i = 0; i < at.length; i++) {
    const last = Math.min(at.length, i + 1 + mostBehind);
    for (let j = i + 1; j < last; j++) {
      const gap = (at[j] as number) - (at[i] as number);
      if (gap > reach) break;
      if (gap === 0) continue;
      count++;
      take(mixThree((id[i] as number) + 1000, (id[j] as number) + 7, kinds.classes), groups.classes);
    }
  }
  amounts[groups.classes] = share(1.6, count);
}

const readerBit = 1;
/** Signs behind whoever is spoken to. */
const called = new Set([',', ':', '：', '，', '–', '—', '-', '!', '、'].map(hashOf));

/** The roles in a passage, as bits, and those of words that stand behind a reader: it may be told to do them. */
function rolesIn(words: Words, from: number, to: number): { present: number; ordered: number } {
  let present = 0;
  let ordered = 0;
  for (let i = from; i < to; i++) {
    const own = wordAt(words, i).roles;
    if ((present & readerBit) !== 0) ordered |= own;
    present |= own;
  }
  return { present, ordered };
}

const found = new Uint8Array(roles.length);

/** Which roles occur, and which occur together, two and three at a time. They are few, so each has seen many examples. */
function takeRoles(words: Words, from: number, to: number, take: Take): void {
  const { present, ordered } = rolesIn(words, from, to);
  let count = 0;
  for (let role = 0; role < roles.length; role++) if ((present & (1 << role)) !== 0) found[count++] = role;
  amounts[groups.role] = share(1.2, count);
  amounts[groups.twoRoles] = share(1.4, (count * (count - 1)) / 2);
  amounts[groups.threeRoles] = share(1.2, (count * (count - 1) * (count - 2)) / 6);
  for (let a = 0; a < count; a++) {
    const one = found[a] as number;
    take(mix(one, kinds.role), groups.role);
    if ((ordered & (1 << one)) !== 0) take(mix(one, kinds.role + 8), groups.role);
    for (let b = a + 1; b < count; b++) {
      const two = one * 32 + (found[b] as number);
      take(mix(two, kinds.role + 16), groups.twoRoles);
      for (let c = b + 1; c < count; c++)
        take(mix(two * 32 + (found[c] as number), kinds.role + 24), groups.threeRoles);
    }
  }
}

/** Whether a reader is spoken to: it stands near the beginning, with a sign behind it. */
function takeCall(words: Words, from: number, to: number, take: Take): void {
  const near = Math.min(to, from + 8);
  let reader = from;
  while (reader < near && (wordAt(words, reader).roles & readerBit) === 0) reader++;
  if (reader === near) return;
  take(mix(Math.min(4, reader - from), kinds.role + 32), groups.reader);
  for (let i = reader + 1; i < Math.min(to, reader + 6); i++)
    if (called.has(wordAt(words, i).hash)) take(mix(i - reader < 3 ? 1 : 2, kinds.role + 40), groups.called);
}

/** How a passage opens, and how long it is. */
function takeForm(words: Words, from: number, to: number, take: Take): void {
  const { hash, classes } = wordAt(words, from);
  take(mix(hash, kinds.form), groups.opening);
  for (const id of classes) take(mix(id + 1, kinds.form + 8), groups.openingClass);
  take(mix(Math.min(6, Math.floor(Math.log2(to - from + 1))), kinds.form + 16), groups.length);
}

/**
 * All features of the passage of words from `from` to before `to`.
 * @returns how much there is of each feature, by its group; the same array with each call
 */
export function featuresOf(tokens: Tokens, from: number, to: number, take: Take): Float64Array {
  takeWords(tokens.words, from, to, take);
  return otherFeaturesOf(tokens, from, to, take);
}

/** The same without the words by themselves and in pairs, which {@link WordSums} sums up. */
export function otherFeaturesOf({ words }: Tokens, from: number, to: number, take: Take): Float64Array {
  const hits = hitsIn(words, from, to);
  weighWords(to - from);
  takeClasses(words, hits, [from, to], take);
  takePairs(hits, take);
  takeRoles(words, from, to, take);
  takeCall(words, from, to, take);
  takeForm(words, from, to, take);
  return amounts;
}
