/** Conditions, needs and exceptions of a sentence as tests: limits, times, yeses of people, and what is on record. */
import { root, textWords } from '../../../actions/words.ts';
import type { Thing } from '../../predicates/thing.ts';
import type { Expression } from '../../rule-form.ts';
import { consentOf } from './consent-text.ts';
import { keysOf, type Limit, limitTest, readLimits } from './limits.ts';
import { type Moments, readMoments } from './moments.ts';
import { tellingIn } from './named-words.ts';

const joined = (all: readonly Expression[], join: (all: readonly Expression[]) => Expression) =>
  all.length < 2 ? all[0] : join(all);

/** All of them; undefined where there are none. */
export const allOf = (all: readonly Expression[]): Expression | undefined =>
  joined(all, (list) => ({ all: list }));
/** One of them; undefined where there are none. */
export const anyOf = (all: readonly Expression[]): Expression | undefined =>
  joined(all, (list) => ({ any: list }));

/** Things by their words, one for each item of a list. */
export function namesIn(text: string): Thing[] {
  return text
    .split(/,|\b(?:and|or|nor)\b|"/)
    .map((part) => tellingIn(part))
    .filter((words) => words.length > 0)
    .map((words) => ({ words: words.slice(0, 4) }));
}

export interface Bounded {
  readonly limits: readonly Limit[];
  readonly tests: readonly Expression[];
  /** The text without them. */
  readonly rest: string;
}

/**
 * Limits and times of a text. "Between 8 and 18 o'clock" is a time: where there is one, it is read first.
 * @param readLate reads the times of what the limits left
 */
export function boundsIn(text: string, readLate: (left: string) => Moments = readMoments): Bounded {
  const timed = readMoments(text);
  const { limits, rest } = readLimits(timed.tests.length > 0 ? timed.rest : text);
  if (timed.tests.length > 0) return { limits, tests: timed.tests, rest };
  return { limits, ...readLate(rest) };
}

const mostWords = 6;
const mostNames = 3;

/** Limits and times as they are said; undefined where there are none. */
function boundsOf({ limits, tests, rest }: Bounded, names = tellingIn(rest)): Expression | undefined {
  const own = limits.filter((one) => keysOf(one).length === 0);
  return allOf([...own.map((one) => limitTest(one, 'said', names.slice(0, mostNames))), ...tests]);
}

const denies = /\b(?:not|no|never|without|nobody|lacks?)\b/;

/** A condition of a rule ("if the amount is over 500"): limits and times as they are said, else what is on record. */
export function conditionOf(text: string): Expression | undefined {
  const bounded = boundsIn(text);
  return boundsOf(bounded) ?? recordOf(bounded.rest);
}

/** "Has been verified", "there is a receipt", "is not insured". */
function recordOf(text: string, words: readonly string[] = tellingIn(text)): Expression | undefined {
  if (words.length === 0) return undefined;
  const positive: Expression = { is: 'on_record', words: words.slice(0, mostWords) };
  return denies.test(text) ? { not: positive } : positive;
}

type IsOwn = (word: string) => boolean;

/** Who or where says little of what is so. */
const parties = new Set(
  'user customer client person people conversation session call same employee party patient member guest case file ticket way hand'
    .split(' ')
    .map(root),
);

/** "Two editors have read it", "three signatures". */
const countShape =
  /^(?:the )?(two|three|four|five|\d+) (?!of\b|days?\b|hours?\b|weeks?\b|months?\b)([a-z-]{3,})/;

function needItem(text: string, isOwn: IsOwn): Expression | undefined {
  const bounded = boundsIn(text.replace(countShape, 'at least $1 $2'));
  const all = tellingIn(bounded.rest);
  const own = all.filter(isOwn);
  const words = own.length > 0 ? own : all;
  return (
    boundsOf(bounded, words) ??
    consentOf(bounded.rest, words.slice(0, mostWords)) ??
    recordOf(bounded.rest, words)
  );
}

/** "The user asked for that very backup", "the subscriber asks for it". */
const askedShape =
  /\b(?:users?|customers?|clients?|subscribers?|guests?|patients?|they|he|she|i|you)\b.*\b(?:ask(?:s|ed)?|request(?:s|ed)?|want(?:s|ed)?|wish(?:es|ed)?)\b(?! not)|\b(?:asked|requested) (?:for|to|by)\b|\bat (?:the|their|his|her) (?:user's |customer's )?request\b/;
const leading = /^(?:that|there (?:is|are)|you have|we have|it has|they have)\s+/;

/**
 * What has to be so before a call may go on: parts joined by "and" each, by "or" one of them.
 * @param scope words of what the rule is about: they say nothing of what is needed
 */
export function needOf(text: string, scope: readonly string[] = []): Expression | undefined {
  const roots = new Set([...parties, ...scope.flatMap((name) => name.split(' ')).map(root)]);
  const isOwn: IsOwn = (word) => !roots.has(root(word));
  const plain = text.replace(leading, '').replaceAll(/\b(?:both|either)\b\s*/g, '');
  if (askedShape.test(plain))
    return { any: [{ is: 'user_asked' }, { is: 'on_record', words: ['requested'] }] };
  const isEither = /\bor\b/.test(plain);
  const items = plain
    .split(isEither ? /,|\bor\b/ : /\band\b|,\s*(?=[a-z]+\b)/)
    .filter((one) => textWords(one).length > 0)
    .flatMap((part) => needItem(part.trim(), isOwn) ?? []);
  return isEither ? anyOf(items) : allOf(items);
}

/** To whom, by whom or where alone: names, or bounds. */
export function onlyOf(text: string): Expression | undefined {
  const bounded = boundsIn(text);
  const bounds = boundsOf(bounded, []);
  const things = namesIn(bounded.rest);
  return bounds ?? (things.length === 0 ? undefined : { is: 'resource', things });
}

const placeShape = /^(?:to|for|in|from|with|by|on|at|into)\b/;
const longestName = 3;

/** "Except to the police", "unless they have agreed". */
export function exceptionOf(text: string): Expression | undefined {
  const bounded = boundsIn(text);
  const bounds = boundsOf(bounded);
  if (bounds !== undefined) return bounds;
  const { rest } = bounded;
  const need = needOf(rest);
  const things = namesIn(rest);
  const isNamed = things.length > 0 && (placeShape.test(rest) || rest.split(' ').length <= longestName);
  return anyOf([
    ...(need === undefined ? [] : [need]),
    ...(isNamed ? [{ is: 'resource', things } as const] : []),
  ]);
}
