import { createContext, Script } from 'node:vm';
import type { Criterion } from '../expectation.ts';
import { wordsOf } from '../normalise.ts';

export interface Met {
  readonly criterion: Criterion;
  readonly start: number;
  readonly end: number;
}

/**
 * Patterns come from data sets, which anybody may upload, and JavaScript's can take exponential time. They run on
 * pieces of lines, forms that blow up are refused, and what takes long all the same is ended.
 */
const pieceCharacters = 400;
const overlap = 100;
const mostSearched = 20_000;
const mostRepeats = 3;
/** Parts that may be there or not, and groups with alternatives: each may double the ways to read a text. */
const mostChoices = 12;
const mostMs = 250;
const mostSlow = 10_000;

/** A pattern takes too long on the reply: whether it is met is not known. */
export class SlowPattern extends Error {
  override readonly name = 'SlowPattern';

  constructor(pattern: string) {
    super(`The pattern /${pattern}/ takes too long on this reply; write it with fewer repetitions.`);
  }
}

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
  if (repeatsChoices(bare))
    return `The pattern ${nameOf(criterion)} repeats a group that repeats or has alternatives; write it without.`;
  if ((bare.match(/[+*]|\{\d+,\d*\}/g) ?? []).length > mostRepeats)
    return `The pattern ${nameOf(criterion)} has more than ${mostRepeats} repetitions; split it into several criteria.`;
  if (choicesIn(bare) > mostChoices)
    return `The pattern ${nameOf(criterion)} has more than ${mostChoices} optional parts and groups with alternatives; split it into several criteria.`;
  try {
    void new RegExp(criterion.pattern, 'iu');
    return undefined;
  } catch (error) {
    return `The pattern ${nameOf(criterion)} is no regular expression: ${(error as Error).message}`;
  }
}

/** What repeats what stands before it, more than once; `{1}` does not. */
const repeat = /^(?:[+*]|\{(?!1\})\d*,?\d*\})/;

/** Whether a group that can be read in several ways is repeated: the ways multiply with each round. */
function repeatsChoices(bare: string): boolean {
  const isOpen: boolean[] = [];
  let isChoice = false;
  for (let at = 0; at < bare.length; at += 1) {
    const sign = bare[at] ?? '';
    if (sign === '(') {
      isOpen.push(isChoice);
      isChoice = false;
      // What tells the kind of the group is no quantifier.
      if (bare[at + 1] === '?') at += 1;
    } else if (sign === ')') {
      if (isChoice && repeat.test(bare.slice(at + 1, at + 12))) return true;
      isChoice ||= isOpen.pop() ?? false;
    } else isChoice ||= '+*?|{'.includes(sign);
  }
  return false;
}

/** A `?` after another quantifier makes it lazy, and one after `(` tells the group's kind. */
const choicesIn = (bare: string): number =>
  (bare.match(/(?<![(+*?}])\?|\{0?,1\}/g)?.length ?? 0) + (bare.match(/\([^()]*\|/g)?.length ?? 0);

/**
 * Where a reply meets a criterion. Text fits without regard to case, accents and punctuation, as whole words.
 * @throws SlowPattern
 */
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

const timed: { search?: () => Met | undefined } = {};
const context = createContext(timed);
const script = new Script('search()');
/** They are not tried again on other replies. */
const slow = new Set<string>();

function findPattern(text: string, criterion: Criterion & { pattern: string }): Met | undefined {
  const { pattern } = criterion;
  if (slow.has(pattern)) throw new SlowPattern(pattern);
  timed.search = () => searched(text, criterion);
  try {
    // Of all that Node has, only this ends a regular expression that is at work.
    return script.runInContext(context, { timeout: mostMs }) as Met | undefined;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    if (slow.size < mostSlow) slow.add(pattern);
    throw new SlowPattern(pattern);
  }
}

function searched(text: string, criterion: Criterion & { pattern: string }): Met | undefined {
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
