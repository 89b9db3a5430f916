import { type OrderMap, reach } from './instruction-map.ts';
import { isBlank } from './units.ts';

/** Words that stand for something which the sentence before has named. */
const pointing = /\b(?:it|its|them|their|him|her)\b/i;
/** Marks after which the same order goes on: "note on it: …", "the file of Nordwind (NORD): …". */
const goingOn = new Set(Array.from(':([)]"–', (mark) => mark.charCodeAt(0)));
const mostAfter = 2;
/** The mark is among so many characters after the sentence, behind blanks. */
const mostBlanks = 4;

const isBlankUnit = (unit: number): boolean =>
  unit <= 32 ? isBlank(unit) : unit >= 128 && /\s/.test(String.fromCharCode(unit));

/** Whether one of those marks stands at `end` or behind blanks: it is asked behind each order, so by code units. */
function goesOnAt(text: string, end: number): boolean {
  const limit = Math.min(text.length, end + mostBlanks);
  for (let at = end; at < limit; at++) {
    const unit = text.charCodeAt(at);
    if (goingOn.has(unit)) return true;
    if (!isBlankUnit(unit)) return false;
  }
  return false;
}

const beginOf = ({ packed, from }: OrderMap, sentence: number): number => packed[from + 2 * sentence] ?? 0;
const endOf = ({ packed, from }: OrderMap, sentence: number): number => packed[from + 2 * sentence + 1] ?? 0;

/** Whether nothing but marks stands between two places: another line is another text. */
const isOneLine = (text: string, from: number, to: number): boolean => !text.slice(from, to).includes('\n');

/** Works out, once for each order, what else it speaks of, and notes it with the numbers of the order. */
function note(map: OrderMap, order: number): void {
  const { text, sentences, packed } = map;
  const sentence = packed[order] ?? 0;
  const begin = beginOf(map, sentence);
  let end = endOf(map, sentence);
  for (let next = sentence + 1; next <= Math.min(sentence + mostAfter, sentences - 1); next++) {
    if (!goesOnAt(text, end) || !isOneLine(text, end, beginOf(map, next))) break;
    end = endOf(map, next);
  }
  packed[order + reach.end] = end;
  packed[order + reach.begin] = begin;
  if (sentence === 0 || !pointing.test(text.slice(begin, endOf(map, sentence)))) return;
  if (isOneLine(text, endOf(map, sentence - 1), begin))
    packed[order + reach.begin] = beginOf(map, sentence - 1);
}

/**
 * Where the context of the order ends whose numbers begin at `order`: the order itself, what it goes on with behind a
 * colon or a bracket, and the sentence before where it points there ("Pay it now").
 */
export function contextEnd(map: OrderMap, order: number): number {
  if ((map.packed[order + reach.end] ?? 0) < 0) note(map, order);
  return map.packed[order + reach.end] ?? 0;
}

/** Where whatever the context of the order can be begins and ends, without a look at the text. */
export const widestBegin = (map: OrderMap, order: number): number =>
  beginOf(map, Math.max(0, (map.packed[order] ?? 0) - 1));
export const widestEnd = (map: OrderMap, order: number): number =>
  endOf(map, Math.min((map.packed[order] ?? 0) + mostAfter, map.sentences - 1));

/** Where that context begins. */
export function contextBegin(map: OrderMap, order: number): number {
  if ((map.packed[order + reach.end] ?? 0) < 0) note(map, order);
  return map.packed[order + reach.begin] ?? 0;
}

/** Where the order itself begins, with which its span does: the span ends where the context does. */
export const spanBegin = (map: OrderMap, order: number): number => beginOf(map, map.packed[order] ?? 0);
