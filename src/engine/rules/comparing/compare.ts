import type { Leaf } from '../../actions/calls/leaves.ts';
import { matchesGlob } from './glob.ts';
import { type Measure, parseDate, parseMeasure, unitOfName } from './measure.ts';
import { isInNetwork, parseNetwork } from './network.ts';

export type Plain = string | number | boolean;

/** Another argument of the call, or what earlier answers say of the same thing under that name. */
export interface OtherValue {
  readonly argument: string;
  /** A factor: 1.05 for "five percent more". */
  readonly times?: number | undefined;
  /** Added, after the factor; negative to take away. */
  readonly plus?: number | undefined;
  /** Of a date: so many days later; negative for earlier. */
  readonly days?: number | undefined;
}

/** A day counted from the one on which the call is made: 0 is today, -14 two weeks ago. */
export interface RelativeDay {
  readonly days_from_now: number;
}

/** What the caller of the guard says of the user whom the agent acts for: `id`, or one of the attributes. */
export interface OfUser {
  readonly user: string;
}

/** What a value is compared with: one of the rule, a list of them, another value of the call, a day, or the user's. */
export type Operand = Plain | readonly Plain[] | OtherValue | RelativeDay | OfUser;

/** Each with the words that it has in a sentence. A value that cannot be compared fulfils none but `not …`. */
export const operators = {
  exists: 'that is there',
  empty: 'that is empty or missing',
  is: 'that is',
  is_not: 'that is not',
  in: 'that is one of',
  not_in: 'that is none of',
  like: 'that is like',
  not_like: 'that is not like',
  contains: 'that contains',
  stands_in: 'that stands in',
  over: 'of more than',
  at_least: 'of at least',
  under: 'of less than',
  at_most: 'of at most',
  longer: 'with more characters than',
  shorter: 'with fewer characters than',
  more_words: 'with more words than',
  fewer_words: 'with fewer words than',
  before: 'that is before',
  after: 'that is after',
  in_network: 'that lies in the network',
  beyond_network: 'that reaches beyond the network',
  covers_network: 'that takes in the network',
} as const;

export type Operator = keyof typeof operators;

/** Those that say all by themselves. */
export const bare: ReadonlySet<string> = new Set(['exists', 'empty']);

/** Shorter texts stand in anything. */
const leastPart = 3;

const isEmpty = ({ text }: Leaf) => /^\s*(?:null|none)?\s*$/i.test(text);

const sameText = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();

function isSame({ text }: Leaf, value: Plain): boolean {
  if (sameText(text, String(value))) return true;
  if (typeof value === 'string' && parseDate(value) !== undefined)
    return isDay(value) && parseDate(text.trim()) !== undefined && text.trim().startsWith(value);
  const [own, other] = [parseMeasure(text), typeof value === 'boolean' ? undefined : parseMeasure(value)];
  return own !== undefined && other !== undefined && comparable(own, other) && own.value === other.value;
}

/** A bare number takes the unit of the other: `amount: 500` beside "500 EUR". */
export const comparable = (a: Measure, b: Measure) => a.kind === b.kind || a.kind === '' || b.kind === '';

function order(leaf: Leaf, value: Plain, holds: (difference: number) => boolean): boolean {
  if (typeof value === 'boolean') return false;
  const limit = parseMeasure(value);
  const own = limit && measureOf(leaf, limit);
  return own !== undefined && limit !== undefined && comparable(own, limit) && holds(own.value - limit.value);
}

/** `weight_kg: 900` beside "2 tonnes": where the limit has a unit, the name of the argument may say the value's; else it is the same. */
export function measureOf({ text, key }: Leaf, limit: Measure): Measure | undefined {
  const own = parseMeasure(text);
  if (own === undefined || own.kind !== '' || limit.kind === '') return own;
  const [kind, factor] = unitOfName(key) ?? [limit.kind, limit.factor];
  return { value: own.value * factor, kind, factor };
}

const orderLengths = ({ text }: Leaf, value: Plain, holds: (difference: number) => boolean): boolean =>
  typeof value === 'number' && holds(text.length - value);

const wordShape = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu;

const orderWords = ({ text }: Leaf, value: Plain, holds: (difference: number) => boolean): boolean =>
  typeof value === 'number' && holds((text.match(wordShape)?.length ?? 0) - value);

/** A day is compared with the day of a moment: "2026-11-20" is not before "2026-11-20T08:00". */
const isDay = (value: string) => value.length === 10;

function orderDates({ text }: Leaf, value: Plain, holds: (difference: number) => boolean): boolean {
  const said = text.trim();
  const shown = isDay(String(value)) ? said.slice(0, 10) : said;
  const [own, limit] = [parseDate(shown), parseDate(String(value))];
  return own !== undefined && limit !== undefined && holds(own - limit);
}

function network({ text }: Leaf, value: Plain, holds: (isIn: boolean, takesIn: boolean) => boolean): boolean {
  const [own, other] = [parseNetwork(text), parseNetwork(String(value))];
  return own !== undefined && other !== undefined && holds(isInNetwork(own, other), isInNetwork(other, own));
}

const tests: Readonly<
  Record<
    Exclude<Operator, 'exists' | 'empty' | 'is_not' | 'not_in' | 'not_like'>,
    (leaf: Leaf, value: Plain) => boolean
  >
> = {
  is: isSame,
  in: isSame,
  like: ({ text }, value) => matchesGlob(String(value), text.trim()),
  contains: ({ text }, value) => text.toLowerCase().includes(String(value).toLowerCase()),
  stands_in: ({ text }, value) =>
    text.trim().length >= leastPart && String(value).toLowerCase().includes(text.trim().toLowerCase()),
  over: (leaf, value) => order(leaf, value, (difference) => difference > 0),
  at_least: (leaf, value) => order(leaf, value, (difference) => difference >= 0),
  under: (leaf, value) => order(leaf, value, (difference) => difference < 0),
  at_most: (leaf, value) => order(leaf, value, (difference) => difference <= 0),
  longer: (leaf, value) => orderLengths(leaf, value, (difference) => difference > 0),
  shorter: (leaf, value) => orderLengths(leaf, value, (difference) => difference < 0),
  more_words: (leaf, value) => orderWords(leaf, value, (difference) => difference > 0),
  fewer_words: (leaf, value) => orderWords(leaf, value, (difference) => difference < 0),
  before: (leaf, value) => orderDates(leaf, value, (difference) => difference < 0),
  after: (leaf, value) => orderDates(leaf, value, (difference) => difference > 0),
  in_network: (leaf, value) => network(leaf, value, (isIn) => isIn),
  beyond_network: (leaf, value) => network(leaf, value, (isIn) => !isIn),
  covers_network: (leaf, value) => network(leaf, value, (_, takesIn) => takesIn),
};

const negated: Readonly<Record<string, 'is' | 'in' | 'like'>> = {
  is_not: 'is',
  not_in: 'in',
  not_like: 'like',
};

/**
 * The first of the values that fulfils the comparison. Of a list one is enough, also for `not …`: a single recipient
 * who is none of those allowed is one too many.
 */
export function findFulfilling(
  leaves: readonly Leaf[],
  operator: Operator,
  values: readonly Plain[],
): Leaf | undefined {
  if (operator === 'exists') return leaves.find((leaf) => !isEmpty(leaf));
  const positive = negated[operator];
  if (positive !== undefined)
    return leaves.find((leaf) => !isEmpty(leaf) && !values.some((value) => tests[positive](leaf, value)));
  const test = tests[operator as keyof typeof tests];
  return leaves.find((leaf) => values.some((value) => test(leaf, value)));
}

/** Whether there is nothing to compare. */
export const isMissing = (leaves: readonly Leaf[]): boolean => leaves.every(isEmpty);
