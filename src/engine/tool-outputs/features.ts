/** What the judge of tool results reads in a passage, as places in a table of weights. */
import type { Tokens } from './passages.ts';
import { hashOf, roles, type Word } from './words.ts';

/** Size of the table; a power of two. */
export const buckets = 1 << 18;

const mix = (a: number, b: number): number => {
  let h = Math.imul(a ^ Math.imul(b, 0x9e3779b1), 0x85ebca6b);
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  return (h ^ (h >>> 13)) & (buckets - 1);
};

const mixThree = (a: number, b: number, c: number): number => mix(Math.imul(a, 31) ^ (b >>> 1), c);

/** Kinds of features; each kind weighs the same in short and long passages. */
const kinds = { word: 1, pair: 2, ending: 3, class: 4, classes: 5, beside: 6, form: 7, role: 8 } as const;

/** Called with the place of a feature and how much there is of it. */
export type Take = (place: number, value: number) => void;

const share = (weight: number, count: number) => weight / Math.sqrt(Math.max(4, count));

type Words = readonly Word[];
const wordAt = (words: Words, at: number): Word => words[at] as Word;

/** Words one by one, in pairs, with one between them, and their endings. */
function takeWords(words: Words, from: number, to: number, take: Take): void {
  const single = share(1, to - from);
  const pair = share(1, 2 * (to - from));
  for (let i = from; i < to; i++) {
    const { hash, ending } = wordAt(words, i);
    take(mix(hash, kinds.word), single);
    if (ending !== 0) take(mix(ending, kinds.ending), single * 0.5);
    const next = i + 1 < to ? wordAt(words, i + 1).hash : 1;
    take(mixThree(hash, next, kinds.pair), pair);
    if (i + 2 < to) take(mixThree(hash, wordAt(words, i + 2).hash, kinds.pair + 8), pair);
  }
}

/** The classes of the words of a passage, in order: the word's place, and the number of the class. */
function hitsIn(words: Words, from: number, to: number): [number, number][] {
  const hits: [number, number][] = [];
  for (let i = from; i < to; i++) for (const id of wordAt(words, i).classes) hits.push([i, id]);
  return hits;
}

type Hit = readonly [at: number, id: number];
type Hits = readonly Hit[];

/** Classes, and the words beside them. */
function takeClasses(words: Words, hits: Hits, [from, to]: readonly [number, number], take: Take): void {
  const single = share(1.2, hits.length);
  const beside = share(0.8, 2 * hits.length);
  for (const [at, id] of hits) {
    take(mix(id + 1, kinds.class), single);
    if (at > from) take(mixThree(wordAt(words, at - 1).hash, id + 1, kinds.beside), beside);
    if (at + 1 < to) take(mixThree(wordAt(words, at + 1).hash, id + 1, kinds.beside + 8), beside);
  }
}

/** How far apart two words of classes may stand to count as a pair, in words, and how many of them are looked at. */
const reach = 16;
const mostBehind = 10;

/** Called with the places in `hits` of each pair of classes of different words near each other. */
function eachPair(hits: Hits, each: (first: number, second: number) => void): void {
  for (let i = 0; i < hits.length; i++) {
    const [at] = hits[i] as Hit;
    const last = Math.min(hits.length, i + 1 + mostBehind);
    for (let j = i + 1; j < last; j++) {
      const gap = (hits[j] as Hit)[0] - at;
      if (gap > reach) break;
      if (gap > 0) each(i, j);
    }
  }
}

/** Classes of different words near each other, in their order. */
function takePairs(hits: Hits, take: Take): void {
  let count = 0;
  eachPair(hits, () => count++);
  const value = share(1.6, count);
  eachPair(hits, (i, j) =>
    take(mixThree((hits[i] as Hit)[1] + 1000, (hits[j] as Hit)[1] + 7, kinds.classes), value),
  );
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

/** Which roles occur, and which occur together, two and three at a time. They are few, so each has seen many examples. */
function takeRoles(words: Words, from: number, to: number, take: Take): void {
  const { present, ordered } = rolesIn(words, from, to);
  const found: number[] = [];
  for (let role = 0; role < roles.length; role++) if ((present & (1 << role)) !== 0) found.push(role);
  const count = found.length;
  const single = share(1.2, count);
  const double = share(1.4, (count * (count - 1)) / 2);
  const triple = share(1.2, (count * (count - 1) * (count - 2)) / 6);
  for (let a = 0; a < count; a++) {
    const one = found[a] as number;
    take(mix(one, kinds.role), single);
    if ((ordered & (1 << one)) !== 0) take(mix(one, kinds.role + 8), single);
    for (let b = a + 1; b < count; b++) {
      const two = one * 32 + (found[b] as number);
      take(mix(two, kinds.role + 16), double);
      for (let c = b + 1; c < count; c++) take(mix(two * 32 + (found[c] as number), kinds.role + 24), triple);
    }
  }
}

/** Whether a reader is spoken to: it stands near the beginning, with a sign behind it. */
function takeCall(words: Words, from: number, to: number, take: Take): void {
  const near = Math.min(to, from + 8);
  let reader = from;
  while (reader < near && (wordAt(words, reader).roles & readerBit) === 0) reader++;
  if (reader === near) return;
  take(mix(Math.min(4, reader - from), kinds.role + 32), 0.5);
  for (let i = reader + 1; i < Math.min(to, reader + 6); i++)
    if (called.has(wordAt(words, i).hash)) take(mix(i - reader < 3 ? 1 : 2, kinds.role + 40), 0.6);
}

/** How a passage opens, and how long it is. */
function takeForm(words: Words, from: number, to: number, take: Take): void {
  const { hash, classes } = wordAt(words, from);
  take(mix(hash, kinds.form), 0.4);
  for (const id of classes) take(mix(id + 1, kinds.form + 8), 0.3);
  take(mix(Math.min(6, Math.floor(Math.log2(to - from + 1))), kinds.form + 16), 0.4);
}

/** All features of the passage of words from `from` to before `to`. */
export function featuresOf({ words }: Tokens, from: number, to: number, take: Take): void {
  const hits = hitsIn(words, from, to);
  takeWords(words, from, to, take);
  takeClasses(words, hits, [from, to], take);
  takePairs(hits, take);
  takeRoles(words, from, to, take);
  takeCall(words, from, to, take);
  takeForm(words, from, to, take);
}
