/** Which words of a sentence a part of a predicate looks for: its names, its acts, its values. */
import { implied } from '../../actions/rules/rule-action.ts';
import { sameThings } from '../../actions/things.ts';
import { nounSenses, verbSenses } from '../../actions/verbs.ts';
import { nameWords, root } from '../../actions/words.ts';
import { parseMeasure } from '../comparing/measure.ts';
import type { Thing } from '../predicates/thing.ts';
import { numberOf, quantityWords, timeWords, type Word } from './sentence-words.ts';

/** Whether the predicate looks for what the word says. */
export type Taker = (word: Word) => boolean;

export const never: Taker = () => false;

export const anyOf =
  (...takers: readonly Taker[]): Taker =>
  (word) =>
    takers.some((takes) => takes(word));

/** The words themselves, in any of their forms, or another name of the same thing. */
export function byWords(words: readonly string[] = []): Taker {
  const roots = new Set(words.flatMap((text) => text.toLowerCase().split(/[\s_-]+/)).map(root));
  return ({ plain }) => roots.has(root(plain)) || [...sameThings(plain)].some((same) => roots.has(same));
}

/** Characters that stand in one of the values as they are. */
export const byText =
  (values: readonly string[] = []): Taker =>
  ({ plain }) =>
    plain.length > 1 && values.some((value) => value.toLowerCase().includes(plain.replace(/^@/, '')));

/** Of globs such as `renew_pres*` the last word is only begun. */
const leastBegun = 4;

const wordsIn = (names: readonly string[]) =>
  names.flatMap((name) => nameWords(name.replaceAll(/[*.[\]]/g, ' ')));

/** The words of names such as `customer_id` or `issue_gift_card`, in any of their forms. */
export function byNames(names: readonly string[] = []): Taker {
  const begun = names
    .flatMap((name) => (name.endsWith('*') ? wordsIn([name]).slice(-1) : []))
    .filter((word) => word.length >= leastBegun);
  const words = wordsIn(names);
  const takes = anyOf(byText(names), byWords([...words, ...words.map((word) => `${word}s`)]));
  return (word) => takes(word) || begun.some((start) => word.plain.startsWith(start));
}

/** Names of tools also say what is done, for which there are other verbs. */
export const byTools = (names: readonly string[] = []): Taker =>
  anyOf(byNames(names), byActs([...new Set(wordsIn(names).flatMap((word) => [...verbSenses(word)]))]));

const comparative = new Set([
  'older',
  'younger',
  'earlier',
  'later',
  'longest',
  'earliest',
  'higher',
  'within',
]);

/** A value, or what is compared with one: its texts, its numbers, and the words of comparing. */
export function byValue(value: unknown, operator?: string): Taker {
  const values = Array.isArray(value) ? (value as unknown[]) : [value];
  const texts = values.filter((one) => typeof one === 'string');
  const numbers = values.filter((one) => typeof one === 'number');
  const compares = operator !== undefined && /^(?:over|at_|under|before|after)/.test(operator);
  return anyOf(
    byText([JSON.stringify(value ?? '')]),
    byNames(texts),
    byNumbers(numbers),
    ...texts.map(byMeasure),
    compares ? anyOf(among(quantityWords), among(comparative)) : never,
  );
}

/** "Trading hours" as a thing that the call is to name: the hour itself is then not looked at. */
export const byThings = (things: readonly Thing[] = []): Taker => {
  const exact = things.flatMap((thing) => thing.exact ?? []);
  const takes = anyOf(byWords([...things.flatMap(({ words }) => words), ...exact]), byText(exact));
  return (word) => !(timeWords.has(word.plain) && word.plain !== 'business') && takes(word);
};

/** Verbs that say in which direction, or which outcome: an act that is wider than they are reads them wrongly. */
export const narrow = new Set(
  `raise increase lower decrease reduce downgrade upgrade reject decline deny dismiss waive promote demote shorten extend`
    .split(/\s+/)
    .map(root),
);

const impliedBy = (acts: readonly string[]) =>
  new Set(acts.flatMap((act) => (implied[act] ?? '').split(' ')).map(root));

export function byActs(acts: readonly string[] = []): Taker {
  const nouns = impliedBy(acts);
  return ({ plain }) =>
    (!narrow.has(root(plain)) &&
      [...verbSenses(plain), ...nounSenses(plain)].some((sense) => acts.includes(sense))) ||
    nouns.has(root(plain));
}

export const byFragments = (fragments: readonly string[]): Taker => {
  return ({ plain }) => fragments.some((fragment) => plain.startsWith(fragment));
};

export function byNumbers(values: readonly (number | undefined)[]): Taker {
  return ({ plain }) => {
    const number = numberOf(plain);
    return (
      number !== undefined && values.some((value) => value !== undefined && Math.abs(value - number) < 1e-6)
    );
  };
}

/** "$5,000", "5,000 USD", "3 GB": the number and the unit. */
export function byMeasure(value: unknown): Taker {
  const measure = typeof value === 'string' || typeof value === 'number' ? parseMeasure(value) : undefined;
  if (measure === undefined) return byText([JSON.stringify(value)]);
  const numbers = byNumbers([measure.value / measure.factor]);
  const unit = String(value)
    .replaceAll(/[\d.,\s-]/g, '')
    .toLowerCase();
  return anyOf(numbers, ({ plain }) => unit !== '' && plain === unit);
}

export const among =
  (set: ReadonlySet<string>): Taker =>
  ({ plain }) =>
    set.has(plain);
