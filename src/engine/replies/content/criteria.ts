import type { Criterion } from '../expectation.ts';
import { wordsOf } from '../normalise.ts';

export interface Met {
  readonly criterion: Criterion;
  readonly start: number;
  readonly end: number;
}

/**
 * Patterns come from data sets, which anybody may upload, and JavaScript's can take exponential time. They run on
 * pieces of lines, and forms that blow up are refused.
 */
const pieceCharacters = 400;
const overlap = 100;
const mostSearched = 20_000;
const mostRepeats = 3;

const nameOf = (criterion: Criterion) =>
  criterion.id ?? ('text' in criterion ? `“${criterion.text}”` : `/${criterion.pattern}/`);
export const namesOf = (criteria: readonly Criterion[]): string => criteria.map(nameOf).join(', ');

/** What makes a criterion unusable, as a sentence; undefined if it is fine. */
export function faultOf(criterion: Criterion): string | undefined {
  if ('text' in criterion)
    return wordsOf(criterion.text).trim() === '' ? `${nameOf(criterion)} has no letter or digit.` : undefined;
  if (criterion.pattern.length > 500) return 'A pattern has more than 500 characters.';
  const bare = criterion.pattern.replaceAll(/\\[^1-9k]|\[(?:\\.|[^\]\\])*\]/g, 'x');
  if (/\\[1-9k]/.test(bare))
    return `The pattern ${nameOf(criterion)} refers back to a group; write it without.`;
  if (
    /\([^()]*(?:[+*|]|\{\d+,?\d*\})[^()]*\)(?:[+*]|\{\d*,?\d*\})/.test(bare) ||
    /\)\)+(?:[+*]|\{)/.test(bare)
  )
    return `The pattern ${nameOf(criterion)} repeats a group that repeats or has alternatives; write it without.`;
  if ((bare.match(/[+*]|\{\d+,\d*\}/g) ?? []).length > mostRepeats)
    return `The pattern ${nameOf(criterion)} has more than ${mostRepeats} repetitions; split it into several criteria.`;
  try {
    void new RegExp(criterion.pattern, 'iu');
    return undefined;
  } catch (error) {
    return `The pattern ${nameOf(criterion)} is no regular expression: ${(error as Error).message}`;
  }
}

/** Where a reply meets a criterion. Text fits without regard to case, accents and punctuation, as whole words. */
export function find(text: string, criterion: Criterion): Met | undefined {
  if ('pattern' in criterion) return findPattern(text, criterion);
  const wanted = wordsOf(criterion.text).trim();
  const own = wordsOf(text);
  const isUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(wanted);
  const isThere = isUnspaced
    ? own.replaceAll(' ', '').includes(wanted.replaceAll(' ', ''))
    : own.includes(` ${wanted} `);
  if (!isThere) return undefined;
  const start = text.toLowerCase().indexOf(criterion.text.toLowerCase());
  return start < 0
    ? { criterion, start: 0, end: 0 }
    : { criterion, start, end: start + criterion.text.length };
}

function findPattern(text: string, criterion: Criterion & { pattern: string }): Met | undefined {
  const pattern = new RegExp(criterion.pattern, 'iu');
  let at = 0;
  for (const line of text.slice(0, mostSearched).split('\n')) {
    for (let from = 0; from === 0 || from + overlap < line.length; from += pieceCharacters - overlap) {
      const match = pattern.exec(line.slice(from, from + pieceCharacters));
      if (match === null) continue;
      const start = at + from + match.index;
      return { criterion, start, end: start + match[0].length };
    }
    at += line.length + 1;
  }
  return undefined;
}
