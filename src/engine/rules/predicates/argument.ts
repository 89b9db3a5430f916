import { met } from '../../actions/judging/met.ts';
import { phrase, say, text } from '../wording/wording.ts';
import { findCompared } from './operand-values.ts';
import { type Comparison, comparison, comparisonFields, refuseComparison } from './operand.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** A value of the call at a path fulfils a comparison. */
export interface ArgumentPredicate extends Comparison {
  readonly is: 'argument';
}

export const argument: PredicateKind<ArgumentPredicate> = {
  is: 'argument',
  fields: comparisonFields,
  refuse: refuseComparison,
  wording: phrase(say('has an argument'), text('path'), comparison),
  match(at, predicate) {
    const found = findCompared(at.context.call.leaves, predicate, at);
    return found && met(true, 1, `\`${found.path}\` is "${found.text.slice(0, 80)}".`);
  },
};
