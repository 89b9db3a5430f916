/** Signs that a number of the sentence was lost, or taken for a number of something else. */
import { nounSenses, verbSenses } from '../../../actions/verbs.ts';
import { isGrammatical, numberOf, wordsOf } from '../sentence-words.ts';
import { joined, listOf, quoted, type Seen } from './seen.ts';

const numbersIn = (value: unknown): number[] =>
  typeof value === 'number'
    ? [value]
    : typeof value === 'string'
      ? (value.match(/\d+(?:\.\d+)?/g) ?? []).map(Number)
      : typeof value === 'object' && value !== null
        ? Object.values(value).flatMap(numbersIn)
        : [];

/** Hours are kept as minutes of the day; "more than 3" may be kept as over 2 or at least 4. */
const isKept = (number: number, kept: readonly number[]) =>
  kept.some((one) => Math.abs(one - number) <= 1.01 || one === number * 60 || one === (number + 12) * 60);

export function lostNumbers({ sentence, form }: Seen): string | undefined {
  const kept = numbersIn(form);
  const lost = wordsOf(sentence).filter(({ plain }) => {
    const number = numberOf(plain);
    // "In one call", "the official one".
    return number !== undefined && plain !== 'one' && !isKept(number, kept);
  });
  const numbers = listOf(lost.map(({ text }) => text));
  if (numbers.length === 0) return undefined;
  return numbers.length === 1
    ? `The number ${quoted(numbers)} has no place in the rule.`
    : `The numbers ${joined(numbers)} have no place in the rule.`;
}

/** "24 tonnes" looked for under the name "with": the word that says what is measured was not found. */
export function strangeMeasure({ all }: Seen): string | undefined {
  const named = all.flatMap((one) =>
    one.is === 'quantity' || one.is === 'count'
      ? (one.of ?? [])
      : one.is === 'repeat'
        ? (one.per ?? [])
        : one.is === 'other_than'
          ? one.slot
          : [],
  );
  const strange = named.filter(
    (word) => isGrammatical(word) || (verbSenses(word).length > 0 && nounSenses(word).length === 0),
  );
  return strange.length === 0 ? undefined : `${quoted(listOf(strange))} was taken for what is measured.`;
}

const ofSums = new Set(['action', 'changes', 'effect', 'sum', 'approval']);

/** "$5,000 of refunds for tulips per day": refunds for anything else are added up as well. */
export function widerSum({ when }: Seen): string | undefined {
  const others = when.filter(({ is }) => !ofSums.has(is));
  return when.some(({ is }) => is === 'sum') && others.length > 0
    ? 'What is added up is every call of these acts, whatever else the rule says of the call.'
    : undefined;
}

const measures =
  /^(?:percent(?:age)?|discount|rate|second|minute|hour|day|week|month|year|tonne|kg|kilo|kilometre|metre|mile|degree|euro|dollar)s?$/;

/** "At most 60 days ahead", read as 60 things at once. */
export const measureAsCount = ({ all }: Seen): string | undefined =>
  all.some((one) => one.is === 'count' && one.of?.some((word) => measures.test(word)) === true)
    ? 'A time, a share or a measure was read as a number of things.'
    : undefined;
