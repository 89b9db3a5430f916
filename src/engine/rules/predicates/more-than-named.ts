import { testCondition } from '../../actions/judging/match.ts';
import { phrase, say, texts } from '../wording/wording.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** The quantity of the call is more than the one that is named so. */
export interface MoreThanNamedPredicate {
  readonly is: 'more_than_named';
  readonly words: readonly string[];
}

export const moreThanNamed: PredicateKind<MoreThanNamedPredicate> = {
  is: 'more_than_named',
  fields: { words: { type: 'texts' } },
  wording: phrase(say('is for more than what is named for'), texts('words', 'and')),
  match: ({ context }, { words }) => testCondition(context, { test: 'exceeds', of: [...words] }),
};
