import { phrase, say, texts } from '../wording/wording.ts';
import { asCondition } from './as-condition.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** These characters stand in an argument: a flag, a scheme. */
export interface TextPredicate {
  readonly is: 'text';
  readonly texts: readonly string[];
}

export const text: PredicateKind<TextPredicate> = {
  is: 'text',
  fields: { texts: { type: 'texts' } },
  wording: phrase(say('has in its arguments the text'), texts('texts')),
  match: asCondition(({ texts: of }) => ({ test: 'literal', texts: of.map((one) => one.toLowerCase()) })),
};
