import { leavesOf } from '../../actions/calls/leaves.ts';
import { met } from '../../actions/judging/met.ts';
import { phrase, say, text } from '../wording/wording.ts';
import { type Comparison, comparison, comparisonFields, findCompared, refuseComparison } from './operand.ts';
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
  match({ user, scene }, predicate) {
    if (user === undefined) return undefined;
    const known = leavesOf({ ...user.attributes, id: user.id });
    return met(findCompared(known, predicate, scene) !== undefined);
  },
};
