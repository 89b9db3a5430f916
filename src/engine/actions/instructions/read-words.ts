/**
 * Reads the words of a text and says what they are. The same few thousand words make up nearly all text, and a word met
 * before costs one look into a table. All that is read and written here stands in constant places of this module: with
 * tables that belong to an object, the same loop takes three times as long.
 */
import { bitsOfNumber, factsOf, is, slotOfNumber, type WordFacts } from './instruction-words.ts';
import { longestSentence } from './sentences.ts';
import { made, SentenceWords } from './sentence-words.ts';
import { isLetter, isUpper, letter, loadedUnits, role, roles } from './units.ts';

/** Words of the sentence that is being read. */
export const words = new SentenceWords(longestSentence + 4);

const {
  from: begins,
  end: ends,
  made: madeOf,
  bits: bitsOf,
  slots,
  tells,
  verbLow,
  verbHigh,
  nounLow,
  nounHigh,
} = words;

// Imported names are looked up each time; constants of the module itself cost nothing.
const { lower, upper, digit } = letter;
const { ofLetters, ofDigits, ofBoth } = made;
const { hasActs, mayTell } = is;
const noRole = role.none;
const [blank, apostrophe] = [32, 39];

/** Bounded: once there are so many words, new ones are looked at each time, until the table begins anew. */
const mostWords = 32_768;
const longest = 40;
const tableSize = 65_536;
/** Numbers of one word, side by side so that a look-up reads one line of the processor's cache. */
const entryLength = 16;
/** Places among the numbers of a word. The first is its id, and 0 where there is none. */
const [lowAt, highAt, lengthAt, bitsAt, slotAt, verbLowAt, verbHighAt, nounLowAt, nounHighAt] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9,
] as const;
const mostProbes = 12;
const entries = new Int32Array(entryLength * tableSize);
/** Of words of more than eight letters, by their id. */
const letters = new Uint8Array(mostWords * longest);
let next = 1;

/** Forgets everything once the table is full. */
export function renewWords(): void {
  if (next < mostWords) return;
  entries.fill(0);
  next = 1;
}

const placeFor = (high: number, low: number, length: number) => {
  const joined = Math.imul(high, 0x9e37_79b1) ^ Math.imul(low + length, 0x85eb_ca77);
  return (joined ^ (joined >>> 15)) >>> 0;
};

const unitAt = (units: Uint16Array, at: number): number => units[at] ?? 0;
const kindAt = (kinds: Uint8Array, unit: number): number => kinds[unit] ?? 0;

/**
 * Reads the words from `begin` on, over single blanks and marks without a role; where it stopped, which is `limit` at the
 * latest. It stops behind a word that may hold another one too.
 * @param mayPart whether the first word is such a one
 */
export function readWords(begin: number, limit: number, mayPart: boolean): number {
  const units = loadedUnits;
  const kinds = roles;
  let { count, all } = words;
  let at = begin;
  let unit = unitAt(units, at);
  let isLast = false;
  while (at < limit && !isLast) {
    const first = kindAt(kinds, unit);
    if (first < lower) {
      if (!isPassedOver(unit, unitAt(units, at + 1), first)) break;
      unit = unitAt(units, ++at);
      continue;
    }
    const from = at;
    // The last eight letters as two numbers, which tell words of up to eight letters apart.
    let high = 0;
    let low = unit | 32;
    let rest = 0;
    unit = unitAt(units, ++at);
    for (let kind = kindAt(kinds, unit); kind >= lower && at < limit; kind = kindAt(kinds, unit)) {
      rest |= kind;
      high = (high << 8) | (low >>> 24);
      low = (low << 8) | unit | 32;
      unit = unitAt(units, ++at);
    }
    const end = unit === apostrophe ? endOfSuffix(at, limit) : at;
    isLast = mayPart || (rest & upper) !== 0 || end > at;
    madeOf[count] = kindOf(first | rest, end > at);
    for (; at < end; at++) {
      high = (high << 8) | (low >>> 24);
      low = (low << 8) | unitAt(units, at) | 32;
    }
    unit = unitAt(units, at);
    begins[count] = from;
    ends[count] = at;
    all |= noteWord(count, from, at, high, low);
    count++;
  }
  words.count = count;
  words.all = all;
  words.mayPart = isLast;
  return at;
}

/** A blank before another one, or before the end, is for the caller to note, and so is a mark with a role. */
function isPassedOver(unit: number, next: number, kind: number): boolean {
  return unit === blank ? next > blank : kind === noRole;
}

function kindOf(all: number, hasSuffix: boolean): number {
  if (all < digit) return ofLetters;
  return all === digit && !hasSuffix ? ofDigits : ofBoth;
}

/** "don't" is one word: up to three letters after an apostrophe belong to it. */
function endOfSuffix(at: number, limit: number): number {
  const last = Math.min(limit, at + 4);
  let end = at + 1;
  while (end < last && isLetter(loadedUnits[end] ?? 0)) end++;
  return end > at + 1 ? end : at;
}

function noteNumber(at: number, from: number, end: number): number {
  const bits = bitsOfNumber(loadedUnits, from, end);
  bitsOf[at] = bits;
  return bits;
}

function noteWord(at: number, from: number, end: number, high: number, low: number): number {
  const table = entries;
  if (madeOf[at] === ofDigits) return noteNumber(at, from, end);
  const entry = madeOf[at] === ofLetters ? findWord(from, end - from, high, low) : -1;
  if (entry < 0) return meet(at, from, end, high, low);
  const bits = table[entry + bitsAt] ?? 0;
  bitsOf[at] = bits;
  slots[at] = table[entry + slotAt] ?? 0;
  if ((bits & mayTell) !== 0) tells[words.telling++] = at;
  if ((bits & hasActs) !== 0) {
    verbLow[at] = table[entry + verbLowAt] ?? 0;
    verbHigh[at] = table[entry + verbHighAt] ?? 0;
    nounLow[at] = table[entry + nounLowAt] ?? 0;
    nounHigh[at] = table[entry + nounHighAt] ?? 0;
  }
  return bits;
}

/** Where the entry of the word begins; -1 where it has none. */
function findWord(from: number, length: number, high: number, low: number): number {
  const table = entries;
  let place = placeFor(high, low, length);
  for (let probe = 0; probe < mostProbes; probe++, place++) {
    const entry = (place & (tableSize - 1)) * entryLength;
    if (
      table[entry + lowAt] === low &&
      table[entry + highAt] === high &&
      table[entry + lengthAt] === length &&
      (length <= 8 || isSpelt(table[entry] ?? 0, from, length - 8))
    )
      return entry;
    if (table[entry] === 0) return -1;
  }
  return -1;
}

/** Notes the slots of numbers: they are asked for in few sentences. */
export function noteSlotsOfNumbers(): void {
  for (let at = 0; at < words.count; at++)
    if (madeOf[at] === ofDigits) slots[at] = slotOfNumber(loadedUnits, begins[at] ?? 0, ends[at] ?? 0);
}

/** A word that the table does not know; its bits. Names with digits hardly come again, and are not kept. */
function meet(at: number, from: number, end: number, high: number, low: number): number {
  const word = String.fromCharCode(...loadedUnits.subarray(from, end)).toLowerCase();
  const facts = factsOf(word);
  note(at, facts);
  if (madeOf[at] === ofLetters && next < mostWords && word.length <= longest) keep(word, facts, high, low);
  return facts.bits;
}

function note(at: number, { bits, slot, verb, noun }: WordFacts): void {
  bitsOf[at] = bits;
  slots[at] = slot;
  if ((bits & mayTell) !== 0) tells[words.telling++] = at;
  if ((bits & is.hasActs) === 0) return;
  verbLow[at] = verb.low;
  verbHigh[at] = verb.high;
  nounLow[at] = noun.low;
  nounHigh[at] = noun.high;
}

function keep(word: string, { bits, slot, verb, noun }: WordFacts, high: number, low: number): void {
  let place = placeFor(high, low, word.length);
  for (let probe = 0; probe < mostProbes; probe++, place++) {
    const entry = (place & (tableSize - 1)) * entryLength;
    if (entries[entry] !== 0) continue;
    const id = next++;
    const acts = [verb.low, verb.high, noun.low, noun.high];
    entries.set([id, low, high, word.length, bits, slot, ...acts], entry);
    for (let at = 0; at < word.length; at++) letters[id * longest + at] = word.charCodeAt(at);
    return;
  }
}

/** Whether the first letters at `from` are those of the word with that id. */
function isSpelt(id: number, from: number, length: number): boolean {
  for (let at = 0; at < length; at++) {
    const unit = loadedUnits[from + at] ?? 0;
    if (letters[id * longest + at] !== (isUpper(unit) ? unit | 32 : unit)) return false;
  }
  return true;
}

/** Adds a word of a sentence that is no plain ASCII. */
export function addWord(word: string): void {
  const facts = factsOf(word);
  note(words.count++, facts);
  words.all |= facts.bits;
}
