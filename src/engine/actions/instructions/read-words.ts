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

const { from: begins, end: ends, made: madeOf, bits: bitsOf, slots, verbLow, verbHigh, nounLow, nounHigh } = words;

// Imported names are looked up each time; constants of the module itself cost nothing.
const { lower, upper, digit } = letter;
const { ofLetters, ofDigits, ofBoth } = made;
const { hasActs } = is;
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

const numberAt = (numbers: Int32Array, at: number): number => numbers[at] ?? 0;

/**
 * Reads the words from `begin` on, over single blanks and marks without a role; where it stopped, which is `limit` at the
 * latest. It stops behind a word that may hold another one too.
 * @param mayPart whether the first word is such a one
 */
export function readWords(begin: number, limit: number, mayPart: boolean): number {
  const units = loadedUnits;
  const kinds = roles;
  const table = entries;
  let { count, all } = words;
  let at = begin;
  let unit = units[at] ?? 0;
  let isLast = false;
  while (at < limit && !isLast) {
    const first = kinds[unit] ?? 0;
    if (first < lower) {
      const after = units[at + 1] ?? 0;
      // A blank before another one, or before the end, is noted by the caller.
      if (unit === blank ? after <= blank : first !== noRole) break;
      unit = after;
      at++;
      continue;
    }
    const from = at;
    // The last eight letters as two numbers, which tell words of up to eight letters apart.
    let high = 0;
    let low = unit | 32;
    let rest = 0;
    unit = units[++at] ?? 0;
    for (let kind = kinds[unit] ?? 0; kind >= lower && at < limit; kind = kinds[unit] ?? 0) {
      rest |= kind;
      high = (high << 8) | (low >>> 24);
      low = (low << 8) | unit | 32;
      unit = units[++at] ?? 0;
    }
    let of: number = ofLetters;
    if ((first | rest) >= digit) of = (first | rest) === digit ? ofDigits : ofBoth;
    isLast = mayPart || (rest & upper) !== 0;
    // "don't" is one word: up to three letters after an apostrophe belong to it.
    if (unit === apostrophe && at + 1 < limit && isLetter(units[at + 1] ?? 0)) {
      const end = Math.min(limit, at + 4);
      do {
        high = (high << 8) | (low >>> 24);
        low = (low << 8) | unit | 32;
        unit = units[++at] ?? 0;
      } while (at < end && isLetter(unit));
      if (of === ofDigits) of = ofBoth;
      isLast = true;
    }
    begins[count] = from;
    madeOf[count] = of;
    if (of === ofDigits) {
      const bits = bitsOfNumber(units, from, at);
      bitsOf[count] = bits;
      ends[count] = at;
      all |= bits;
    } else {
      const length = at - from;
      let place = placeFor(high, low, length);
      let entry = -1;
      if (of === ofLetters)
        for (let probe = 0; probe < mostProbes; probe++, place++) {
          const looked = (place & (tableSize - 1)) * entryLength;
          if (
            table[looked + lowAt] === low &&
            table[looked + highAt] === high &&
            table[looked + lengthAt] === length &&
            (length <= 8 || isSpelt(numberAt(table, looked), from, length - 8))
          ) {
            entry = looked;
            break;
          }
          if (table[looked] === 0) break;
        }
      if (entry < 0) {
        all |= meet(count, { from, end: at, high, low, isKept: of === ofLetters });
      } else {
        const bits = numberAt(table, entry + bitsAt);
        bitsOf[count] = bits;
        slots[count] = numberAt(table, entry + slotAt);
        if ((bits & hasActs) !== 0) {
          verbLow[count] = numberAt(table, entry + verbLowAt);
          verbHigh[count] = numberAt(table, entry + verbHighAt);
          nounLow[count] = numberAt(table, entry + nounLowAt);
          nounHigh[count] = numberAt(table, entry + nounHighAt);
        }
        all |= bits;
      }
    }
    count++;
    if (unit !== blank || at >= limit) continue;
    const after = units[at + 1] ?? 0;
    if (after <= blank) break;
    unit = after;
    at++;
  }
  words.count = count;
  words.all = all;
  words.mayPart = isLast;
  return at;
}

/** Notes the slots of numbers: they are asked for in few sentences. */
export function noteSlotsOfNumbers(): void {
  for (let at = 0; at < words.count; at++)
    if (madeOf[at] === ofDigits) slots[at] = slotOfNumber(loadedUnits, numberAt(begins, at), numberAt(ends, at));
}

interface Met {
  readonly from: number;
  readonly end: number;
  readonly high: number;
  readonly low: number;
  /** Names with digits hardly come again. */
  readonly isKept: boolean;
}

/** A word that the table does not know; its bits. */
function meet(at: number, { from, end, high, low, isKept }: Met): number {
  const word = String.fromCharCode(...loadedUnits.subarray(from, end)).toLowerCase();
  const facts = factsOf(word);
  note(at, facts);
  if (isKept && next < mostWords && word.length <= longest) keep(word, facts, high, low);
  return facts.bits;
}

function note(at: number, { bits, slot, verb, noun }: WordFacts): void {
  bitsOf[at] = bits;
  slots[at] = slot;
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
