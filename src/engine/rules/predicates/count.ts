import { met } from '../../actions/judging/met.ts';
import { countOf } from '../../actions/judging/quantities.ts';
import { maybe, number, phrase, say, texts } from '../wording/wording.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** How many things one call concerns. */
export interface CountPredicate {
  readonly is: 'count';
  readonly over: number;
  readonly of?: readonly string[] | undefined;
}

export const count: PredicateKind<CountPredicate> = {
  is: 'count',
  fields: { over: { type: 'number' }, of: { type: 'texts', optional: true } },
  wording: phrase(
    say('concerns more than'),
    number('over'),
    say('things at once'),
    maybe('of', phrase(say('named for'), texts('of'))),
  ),
  match({ context }, { over, of = [] }) {
    const found = countOf(context.call, of);
    return met(found > over, 1, `It concerns ${found} at once.`);
  },
};
