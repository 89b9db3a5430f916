import { testCondition } from '../../actions/judging/match.ts';
import { say } from '../wording/wording.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** The agent told the user, or showed it, before. */
export interface ToldPredicate {
  readonly is: 'told';
}

export const told: PredicateKind<ToldPredicate> = {
  is: 'told',
  fields: {},
  wording: say('was told or shown to the user before'),
  match: ({ context }) => testCondition(context, { test: 'told' }),
};
