import { testCondition } from '../../actions/judging/match.ts';
import { phrase, say, texts } from '../wording/wording.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** What is named so is nought, empty or false. */
export interface NothingOfPredicate {
  readonly is: 'nothing_of';
  readonly words: readonly string[];
}

export const nothingOf: PredicateKind<NothingOfPredicate> = {
  is: 'nothing_of',
  fields: { words: { type: 'texts' } },
  wording: phrase(say('comes where there is none of'), texts('words', 'and')),
  match: ({ context }, { words }) => testCondition(context, { test: 'lacks', words: [...words] }),
};
