import { testCondition } from '../../actions/judging/match.ts';
import { maybe, phrase, say, texts } from '../wording/wording.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** A value of the call stands in the answer of a step that looked these up. */
export interface LookedUpPredicate {
  readonly is: 'looked_up';
  readonly words?: readonly string[] | undefined;
}

export const lookedUp: PredicateKind<LookedUpPredicate> = {
  is: 'looked_up',
  fields: { words: { type: 'texts', optional: true } },
  wording: phrase(
    say('names what an earlier step found'),
    maybe('words', phrase(say('among'), texts('words'))),
  ),
  match: ({ context }, { words = [] }) => testCondition(context, { test: 'listed', words: [...words] }),
};
