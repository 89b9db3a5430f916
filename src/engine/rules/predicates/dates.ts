import { met } from '../../actions/judging/met.ts';
import { choice, phrase, say, text } from '../wording/wording.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** The day on which the call is made lies in a span of the calendar; in the time zone of the machine. */
export interface DatesPredicate {
  readonly is: 'dates';
  /** Both `2026-12-20`, or both `12-20` for every year, or both `25` for every month; both days are part of it. */
  readonly first: string;
  readonly last: string;
  readonly where: 'within' | 'outside';
}

const shapes: readonly RegExp[] = [
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  /^(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  /^(?:0[1-9]|[12]\d|3[01])$/,
];

const two = (value: number) => String(value).padStart(2, '0');

/** The end of the ISO date that is as long as the bounds: days are compared as texts. */
const shownLike = (now: Date, bound: string) =>
  `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`.slice(-bound.length);

/** A span that ends before it begins goes over the turn of the year, or of the month. */
const lies = (day: string, first: string, last: string) =>
  first <= last ? day >= first && day <= last : day >= first || day <= last;

export const dates: PredicateKind<DatesPredicate> = {
  is: 'dates',
  fields: {
    first: { type: 'text' },
    last: { type: 'text' },
    where: { type: 'choice', of: ['within', 'outside'] },
  },
  refuse({ first, last }) {
    if (!shapes.some((shape) => shape.test(first) && shape.test(last)))
      return "'first' and 'last' must both be days such as `2026-12-20`, `12-20` (every year) or `25` (every month)";
    return first.length === 10 && first > last ? "'first' must not lie after 'last'" : undefined;
  },
  wording: phrase(
    choice('where', { within: 'falls in the days from', outside: 'falls outside of the days from' }),
    text('first'),
    say('to'),
    text('last'),
  ),
  match: ({ context }, { first, last, where }) =>
    met(lies(shownLike(context.now, first), first, last) === (where === 'within')),
};
