import { type Mapped, MappedWriter } from './mapped.ts';
import { strangeWordsOf } from './strange-words.ts';
import { type Vocabulary, beginningLength } from './vocabulary.ts';
import { UnitReader } from './word-table.ts';

const isLetter = (unit: number) =>
  (unit >= 97 && unit <= 122) || (unit >= 0xdf && unit !== 0xf7 && unit < 0x2000);

/** Letters, and what stands in for letters in words written with digits and signs. */
const isLetterLike = (unit: number) =>
  isLetter(unit) || (unit >= 48 && unit <= 57) || unit === 64 || unit === 36;

const isSpace = (unit: number) => unit === 32 || (unit >= 9 && unit <= 13) || unit === 0xa0;

const leastLetters = 4;

/** A run of single letters with one separator between them. */
interface Run {
  end: number;
  letters: number[];
  /** Numbers of letters after which a wider gap says that a word ends. */
  breaks: Set<number>;
}

/** A run that is none, since most of it are digits and signs; a later part of it may be one. */
interface Rejected {
  letters: readonly number[];
  /** How many real letters there are from each letter on. */
  real: Int32Array;
}

/** Finds the runs of one text, from its beginning on, in linear time. */
class RunFinder {
  readonly #text: string;
  /** By separator: without it, a row of digits would be read again from each of them. */
  readonly #rejected = new Map<number, Rejected>();

  constructor(text: string) {
    this.#text = text;
  }

  /** The run of separated letters that begins at `at`, if there is one of at least four letters. */
  runAt(at: number): Run | undefined {
    const separator = this.#text.charCodeAt(at + 1);
    if (!isSeparator(separator) || isLetterLike(this.#text.charCodeAt(at - 1))) return undefined;
    if (this.#isWithinRejected(at, separator)) return undefined;
    const run: Run = { end: at + 1, letters: [at], breaks: new Set() };
    for (;;) {
      const next = nextLetter(this.#text, run.end, separator);
      if (next === undefined) break;
      if (next.wide) run.breaks.add(run.letters.length);
      run.letters.push(next.at);
      run.end = next.at + 1;
    }
    const rejected = { letters: run.letters, real: this.#realFrom(run.letters) };
    if (isRun(rejected, 0)) return run;
    this.#rejected.set(separator, rejected);
    return undefined;
  }

  #isWithinRejected(at: number, separator: number): boolean {
    const known = this.#rejected.get(separator);
    if (known === undefined || at > (known.letters.at(-1) ?? -1)) return false;
    const number = indexOf(known.letters, at);
    return number >= 0 && !isRun(known, number);
  }

  #realFrom(letters: readonly number[]): Int32Array {
    const real = new Int32Array(letters.length + 1);
    for (let number = letters.length - 1; number >= 0; number--)
      real[number] = (real[number + 1] ?? 0) + Number(isLetter(this.#text.charCodeAt(letters[number] ?? 0)));
    return real;
  }
}

/** Whether the letters from this one on are a run: at least four, and at least half of them real ones. */
const isRun = ({ letters, real }: Rejected, from: number): boolean =>
  letters.length - from >= leastLetters && (real[from] ?? 0) * 2 >= letters.length - from;

/** The place of a value in a sorted list; -1 if it is not in it. */
function indexOf(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === value ? low : -1;
}

const isSeparator = (unit: number) => unit > 0 && !isLetterLike(unit) && unit !== 10 && !(unit > 0x2100);

/** The next single letter after a separator at `from`; `wide` where spaces stand between as well. */
function nextLetter(
  text: string,
  from: number,
  separator: number,
): { at: number; wide: boolean } | undefined {
  let at = from;
  let spaces = 0;
  let separators = 0;
  while (at - from < 6) {
    const unit = text.charCodeAt(at);
    if (unit === separator) separators++;
    else if (isSpace(unit)) spaces++;
    else break;
    at++;
  }
  const wide = isSpace(separator) ? separators + spaces > 1 : spaces > 0;
  if (separators + spaces === 0 || !isLetterLike(text.charCodeAt(at))) return undefined;
  return isLetterLike(text.charCodeAt(at + 1)) ? undefined : { at, wide };
}

/** Joins letters that were set apart (`k i l l`, `k.i.l.l`); undefined when there are none. Linear. */
export function joinSpaced(source: Mapped): Mapped | undefined {
  const { text } = source;
  if (!hasSpaced(text)) return undefined;
  const out = new MappedWriter(text.length);
  const runs = new RunFinder(text);
  let changed = false;
  for (let at = 0; at < text.length; at++) {
    const run = isLetterLike(text.charCodeAt(at)) ? runs.runAt(at) : undefined;
    if (run === undefined) {
      out.put(text.charCodeAt(at), source.starts[at] ?? 0, source.ends[at] ?? 0);
      continue;
    }
    changed = true;
    putRun(source, run, out);
    at = run.end - 1;
  }
  return changed ? out.finish() : undefined;
}

/** A quick look before the slow one: two single letters with one sign between them, twice over. */
function hasSpaced(text: string): boolean {
  let streak = 0;
  let run = 0;
  for (let at = 0; at <= text.length; at++) {
    if (isLetterLike(text.charCodeAt(at))) {
      run++;
      continue;
    }
    if (run > 0) streak = run === 1 ? streak + 1 : 0;
    if (streak >= leastLetters) return true;
    run = 0;
  }
  return false;
}

function putRun(source: Mapped, run: Run, out: MappedWriter): void {
  run.letters.forEach((at, number) => {
    const start = source.starts[at] ?? 0;
    if (run.breaks.has(number)) out.put(32, start, start);
    out.put(source.text.charCodeAt(at), start, source.ends[at] ?? 0);
  });
}

const shortestJoined = 9;
const longestJoined = 2000;
const leastJoined = 0.1;
const longCompound = 18;
const longestWord = 18;
const cutAmong = 20_000;

/** Splits words run together (`ignoreallrules`) where nearly all of it is ordinary words; undefined when none is. */
export function splitJoined(source: Mapped, vocabulary: Vocabulary): Mapped | undefined {
  const found = strangeWordsOf(source, vocabulary).strange.flatMap(({ word, at }) => {
    if (word.length < shortestJoined) return [];
    const piece = word.slice(0, longestJoined);
    const cuts = bestCuts(piece, vocabulary);
    return cuts === undefined ? [] : { at, length: piece.length, cuts };
  });
  if (found.length === 0) return undefined;
  const letters = found.reduce((sum, { length }) => sum + length, 0);
  // A compound here and there is no disguise, and a view of its own would cost as much as the text.
  if (letters < source.text.length * leastJoined && !found.some(({ length }) => length >= longCompound))
    return undefined;
  const out = new MappedWriter(source.text.length + 64);
  let copied = 0;
  for (const { at, length, cuts } of found) {
    copyRange(source, copied, at, out);
    putCut(source, at, cuts, out);
    copied = at + length;
  }
  copyRange(source, copied, source.text.length, out);
  return out.finish();
}

/** Copies units `from` to `to` of the source. */
export function copyRange(source: Mapped, from: number, to: number, out: MappedWriter): void {
  for (let at = from; at < to; at++)
    out.put(source.text.charCodeAt(at), source.starts[at] ?? 0, source.ends[at] ?? 0);
}

function putCut(source: Mapped, from: number, cuts: readonly number[], out: MappedWriter): void {
  let begin = from;
  for (const cut of cuts) {
    const end = from + cut;
    if (begin > from) out.put(32, source.starts[begin] ?? 0, source.starts[begin] ?? 0);
    copyRange(source, begin, end, out);
    begin = end;
  }
}

/** Cost of a letter that belongs to no ordinary word: a name in the middle must not hide the rest. */
const strangeLetterCost = 9;
const mostStrange = 0.2;
const reader = new UnitReader();

/**
 * Where the likeliest row of ordinary words ends its words (shortest path, cost of a word = log of its rank),
 * or undefined when too many letters are left over, or it is a row of scraps.
 */
function bestCuts(word: string, vocabulary: Vocabulary): number[] | undefined {
  const cost = new Float64Array(word.length + 1).fill(Infinity);
  const from = new Int32Array(word.length + 1);
  cost[0] = 0;
  const offer = (begin: number, end: number, step: number) => {
    const total = (cost[begin] ?? 0) + step;
    if (total >= (cost[end] ?? 0)) return;
    cost[end] = total;
    from[end] = begin;
  };
  const units = reader.read(word);
  for (let begin = 0; begin < word.length; begin++) {
    offer(begin, begin + 1, strangeLetterCost);
    const farthest = Math.min(word.length, begin + reachFrom(units, begin, vocabulary));
    for (let end = begin + 1; end <= farthest; end++)
      offer(begin, end, wordCost(units, begin, end, vocabulary));
  }
  const cuts: number[] = [];
  for (let at = word.length; at > 0; at = from[at] ?? 0) cuts.push(at);
  return goodCuts(word, cuts.reverse());
}

/** How many letters a frequent word that begins here may have. */
const reachFrom = (units: Uint16Array, begin: number, vocabulary: Vocabulary): number =>
  vocabulary.hasBeginning(units, begin) ? longestWord : beginningLength - 1;

/** Joins single letters in a row into one piece; undefined when the pieces are no good reading. */
function goodCuts(word: string, cuts: readonly number[]): number[] | undefined {
  const single = (at: number) =>
    (cuts[at] ?? 0) - (cuts[at - 1] ?? 0) === 1 && !/[ai]/.test(word.charAt((cuts[at] ?? 0) - 1));
  const strange = cuts.filter((_, at) => single(at)).length;
  const joined = cuts.filter((_, at) => !(single(at) && at + 1 < cuts.length && single(at + 1)));
  const isGood =
    joined.length > 1 && strange <= word.length * mostStrange && word.length / joined.length >= 3;
  return isGood ? joined : undefined;
}

const a = 97;
const i = 105;

function wordCost(units: Uint16Array, begin: number, end: number, vocabulary: Vocabulary): number {
  if (end - begin === 1) return units[begin] === a || units[begin] === i ? 9 : Infinity;
  const id = vocabulary.idAt(units, begin, end);
  if (id < 0 || id >= cutAmong) return Infinity;
  if (end - begin === 2 && id > 150) return Infinity;
  return Math.log(id + 10) + 2;
}
