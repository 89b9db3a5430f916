import { met } from '../../actions/judging/met.ts';
import { phrase, say, text } from '../wording/wording.ts';
import { findCompared, userLeaves } from './operand-values.ts';
import { type Comparison, comparison, comparisonFields, refuseComparison } from './operand.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** What is known of the user whom the agent acts for fulfils a comparison. */
export interface UserAttributePredicate extends Comparison {
  readonly is: 'user';
}

export const userAttribute: PredicateKind<UserAttributePredicate> = {
  is: 'user',
  fields: comparisonFields,
  refuse: refuseComparison,
  wording: phrase(say('is made for a user with'), text('path'), comparison),
  match: (at, predicate) =>
    at.user === undefined ? undefined : met(findCompared(userLeaves(at), predicate, at) !== undefined),
};
