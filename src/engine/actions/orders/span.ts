import type { OrderMap } from './order-map.ts';

/** Words that stand for something which the sentence before has named. */
const pointing = /\b(?:it|its|them|their|him|her)\b/i;
/** Marks after which the same order goes on: "note on it: …", "the file of Nordwind (NORD): …". */
const goesOn = /^\s*[:([)\]"–]/;
const mostAfter = 2;

const boundsOf = ({ packed, from }: OrderMap, sentence: number): Stretch => [
  packed[from + 2 * sentence] ?? 0,
  packed[from + 2 * sentence + 1] ?? 0,
];

/** Whether nothing but marks stands between two places: another line is another text. */
const isOneLine = (text: string, from: number, to: number): boolean => !text.slice(from, to).includes('\n');

/** Where a text begins and ends. */
type Stretch = readonly [begin: number, end: number];

/** An order with what it goes on with behind a colon or a bracket. */
export function spanOf(map: OrderMap, sentence: number): Stretch {
  const { text, sentences } = map;
  const [begin, first] = boundsOf(map, sentence);
  let end = first;
  for (let next = sentence + 1; next <= Math.min(sentence + mostAfter, sentences - 1); next++) {
    const [start, stop] = boundsOf(map, next);
    if (!goesOn.test(text.slice(end, end + 4)) || !isOneLine(text, end, start)) break;
    end = stop;
  }
  return [begin, end];
}

/** The same with the sentence before, where the order points there: "Pay it now". */
export function contextOf(map: OrderMap, sentence: number): Stretch {
  const [begin, end] = spanOf(map, sentence);
  if (sentence === 0 || !pointing.test(map.text.slice(...boundsOf(map, sentence)))) return [begin, end];
  const [before, endBefore] = boundsOf(map, sentence - 1);
  return [isOneLine(map.text, endBefore, begin) ? before : begin, end];
}
