import type { FactName } from '../../actions/clauses.ts';
import { factTexts } from '../../actions/rules/rule-summary.ts';
import { choices, phrase } from '../wording/wording.ts';
import { asCondition } from './as-condition.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** What the trace itself shows: an injection, a disguised command, a tunnel. */
export interface SignalPredicate {
  readonly is: 'signal';
  readonly signals: readonly FactName[];
}

export const signal: PredicateKind<SignalPredicate> = {
  is: 'signal',
  fields: { signals: { type: 'choices', of: Object.keys(factTexts) } },
  wording: phrase(choices('signals', factTexts)),
  match: asCondition(({ signals }) => ({ test: 'fact', facts: [...signals] })),
};
