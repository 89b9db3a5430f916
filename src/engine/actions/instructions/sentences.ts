import { Buffer } from 'node:buffer';
import {
  isLetter,
  isLower,
  isUpper,
  role as kindsOfRoles,
  roles as rolesOfUnits,
  type Units,
  unitAt,
} from './units.ts';

// Imported names are looked up each time; constants of the module itself cost nothing.
const [role, roles] = [kindsOfRoles, rolesOfUnits];

/** What stands where a sentence may end: nothing of that, a plain end, one after which a list or an order comes, a bracket. */
export const ends = { not: -1, plain: 0, colon: 1, bracket: 2 } as const;

/** The longest sentence, in UTF-16 code units; what runs on is cut. */
export const longestSentence = 1200;
export const mostSentences = 1500;

const isSpace = (unit: number) => unit <= 32;
const isUpperLetter = (char: string) => char !== char.toLowerCase() && char === char.toUpperCase();
const isLowerLetter = (char: string) => char !== char.toUpperCase() && char === char.toLowerCase();
const isAnyUpper = (unit: number) => (unit < 128 ? isUpper(unit) : isUpperLetter(String.fromCharCode(unit)));
const isAnyLower = (unit: number) => (unit < 128 ? isLower(unit) : isLowerLetter(String.fromCharCode(unit)));

/** A new line ends a sentence, unless the next line is the folded rest of it (indented, no list mark, no key). */
function endsAtNewline(text: string, units: Units, at: number): boolean {
  let next = at + 1;
  while (units[next] === 32 || units[next] === 9) next++;
  if (next - at <= 2) return true;
  const rest = text.slice(next, next + 40);
  return rest === '' || /^(?:[-*•\n<]|\d+[.)]|[\w ]{1,20}:(?:\s|$))/.test(rest);
}

/** What may stand right after the end of a sentence. */
const closing = new Uint8Array(128);
for (const char of `"')]<`) closing[char.charCodeAt(0)] = 1;
const colon = 58;
const ideographicStop = 0x30_02;

/** Whether the mark at `at` ends a sentence: by what comes right after it. */
function endsAtMark(units: Units, at: number, length: number): boolean {
  const next = unitAt(units, at + 1);
  if (isSpace(next) || at + 1 >= length || closing[next] === 1) return true;
  if (units[at] === colon || !isAnyUpper(next) || isAnyUpper(unitAt(units, at - 1))) return false;
  return at + 2 >= length || isAnyLower(unitAt(units, at + 2));
}

/** Up to four letters as one number. */
const packed = (word: string) => Buffer.from(word).reduce((all, unit) => (all << 8) | unit, 0);
const shortened = new Set(
  'dr mr mrs ms mme prof jr sr inc ltd vs dept tel nr bzw sig dra ref resp ext'.split(' ').map(packed),
);
const dot = 46;

/** "Dr. Okafor": the dot belongs to the word. */
function isShortened(units: Units, at: number): boolean {
  if (units[at] !== dot || units[at + 1] !== 32) return false;
  let letters = 0;
  let from = at;
  for (; from > 0 && isLetter(unitAt(units, from - 1)); from--) {
    if (at - from === 4) return false;
    letters |= (unitAt(units, from - 1) | 32) << (8 * (at - from));
  }
  return from < at && shortened.has(letters);
}

const endOfMark = (units: Units, at: number, length: number, end: number) =>
  endsAtMark(units, at, length) ? end : ends.not;

/** What kind of end stands here, if any. */
export function endAt(text: string, units: Units, at: number): number {
  const unit = unitAt(units, at);
  const is = roles[unit];
  if (is === role.closer)
    return isShortened(units, at) ? ends.not : endOfMark(units, at, text.length, ends.plain);
  if (is === role.wall) return ends.plain;
  if (is === role.bracket || is === role.parenthesis) return ends.bracket;
  if (is === role.colon) return endOfMark(units, at, text.length, ends.colon);
  if (is === role.newline) return endsAtNewline(text, units, at) ? ends.plain : ends.not;
  if (is === role.dash) return isDash(units, at) ? ends.colon : ends.not;
  return unit === ideographicStop ? endOfMark(units, at, text.length, ends.plain) : ends.not;
}

/** A dash between spaces. */
const isDash = (units: Units, at: number) => units[at + 1] === 32 && at > 0 && isSpace(unitAt(units, at - 1));

const spaces = /\s{2,}|[^\S ]/g;

/** A stretch of a text as the sentence that it is: one blank between words, none around them. */
export const pieceOf = (text: string, from: number, to: number): string =>
  text.slice(from, to).replaceAll(spaces, ' ').trim();
