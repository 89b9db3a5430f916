import { isBlank, isDigit, isLetter, isLower, isUpper, type Units, unitAt } from './units.ts';
import { verbSenses } from '../verbs.ts';

/** `External_Visit a website`, `USAChange the password`: an order glued to what stands before it. */
const unglue = (text: string) =>
  text.replaceAll(/([\p{L}\p{N}_%])(\p{Lu}\p{Ll}{2,14})(?=\s)/gu, (whole, before: string, word: string) =>
    verbSenses(word.toLowerCase()).length > 0 ? `${before}\n${word}` : whole,
  );

/** The text as its sentences are read, at most `longest` characters. */
export const evened = (text: string, longest: number): string =>
  unglue(text)
    .slice(0, longest)
    .replaceAll('\\n', '\n')
    .replaceAll('\r', '')
    .replaceAll(/\[[ xX]\]/g, ' ');

/** The one letter outside of ASCII that is an ASCII letter in lower case. */
const kelvin = 0x21_2a;
const code = (char: string) => char.charCodeAt(0);
const [backslash, smallN, carriageReturn] = [code('\\'), code('n'), code('\r')];
const [bracket, closing, smallX] = [code('['), code(']'), code('x')];
const joiners = new Set([code('_'), code('%')]);

/** Whether a word with a capital begins here that stands alone at its end. */
function isGlued(units: Units, at: number, length: number): boolean {
  if (!isUpper(unitAt(units, at))) return false;
  let end = at + 1;
  while (isLower(unitAt(units, end))) end++;
  const next = unitAt(units, end);
  return end < length && (next >= 128 || (end - at > 2 && end - at < 16 && isBlank(next)));
}

function isBox(units: Units, at: number): boolean {
  const inner = unitAt(units, at + 1);
  return unitAt(units, at + 2) === closing && (inner === 32 || (inner | 32) === smallX);
}

/** Whether the mark at `at` is one that {@link evened} may take away. May say yes too often, never too seldom. */
export function mustEvenMark(units: Units, at: number, length: number): boolean {
  const unit = unitAt(units, at);
  if (unit === backslash) return unitAt(units, at + 1) === smallN;
  if (unit === bracket) return isBox(units, at);
  if (unit === carriageReturn || unit === kelvin) return true;
  return (unit >= 128 || joiners.has(unit)) && isGlued(units, at + 1, length);
}

/** Whether a capital in the word from `from` to `end` begins a word of its own, glued to what stands before it. */
export function mustPart(units: Units, from: number, end: number, length: number): boolean {
  for (let at = Math.max(1, from); at < end; at++) {
    if (!isUpper(unitAt(units, at))) continue;
    const before = unitAt(units, at - 1);
    if ((isLetter(before) || isDigit(before)) && isGlued(units, at, length)) return true;
  }
  return false;
}
