import type { Leaf } from '../../actions/calls/leaves.ts';
import { matchesGlob } from './glob.ts';
import { type Measure, parseDate, parseMeasure } from './measure.ts';
import { isInNetwork, parseNetwork } from './network.ts';

export type Plain = string | number | boolean;

/** What a value is compared with: a value of the rule, a list of them, or an argument of the call. */
export type Operand = Plain | readonly Plain[] | { readonly argument: string };

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
  over: 'of more than',
  at_least: 'of at least',
  under: 'of less than',
  at_most: 'of at most',
  before: 'that is before',
  after: 'that is after',
  in_network: 'that lies in the network',
  beyond_network: 'that reaches beyond the network',
  covers_network: 'that takes in the network',
} as const;

export type Operator = keyof typeof operators;

/** Those that say all by themselves. */
export const bare: ReadonlySet<string> = new Set(['exists', 'empty']);

const isEmpty = ({ text }: Leaf) => /^\s*(?:null|none)?\s*$/i.test(text);

const sameText = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();

function isSame({ text }: Leaf, value: Plain): boolean {
  if (sameText(text, String(value))) return true;
  const [own, other] = [parseMeasure(text), typeof value === 'boolean' ? undefined : parseMeasure(value)];
  return own !== undefined && other !== undefined && comparable(own, other) && own.value === other.value;
}

/** A bare number takes the unit of the other: `amount: 500` beside "500 EUR". */
const comparable = (a: Measure, b: Measure) => a.kind === b.kind || a.kind === '' || b.kind === '';

function order(leaf: Leaf, value: Plain, holds: (difference: number) => boolean): boolean {
  if (typeof value === 'boolean') return false;
  const [own, limit] = [parseMeasure(leaf.text), parseMeasure(value)];
  return own !== undefined && limit !== undefined && comparable(own, limit) && holds(own.value - limit.value);
}

function orderDates({ text }: Leaf, value: Plain, holds: (difference: number) => boolean): boolean {
  const [own, limit] = [parseDate(text.trim()), parseDate(String(value))];
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
  like: ({ text }, value) => matchesGlob(String(value), text.trim().slice(0, 4000)),
  contains: ({ text }, value) => text.toLowerCase().includes(String(value).toLowerCase()),
  over: (leaf, value) => order(leaf, value, (difference) => difference > 0),
  at_least: (leaf, value) => order(leaf, value, (difference) => difference >= 0),
  under: (leaf, value) => order(leaf, value, (difference) => difference < 0),
  at_most: (leaf, value) => order(leaf, value, (difference) => difference <= 0),
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
