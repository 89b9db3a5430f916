import { testCondition } from '../../actions/judging/match.ts';
import { phrase, say, texts } from '../wording/wording.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** The user speaks of one of these. */
export interface UserSaidPredicate {
  readonly is: 'user_said';
  readonly words: readonly string[];
}

export const userSaid: PredicateKind<UserSaidPredicate> = {
  is: 'user_said',
  fields: { words: { type: 'texts' } },
  wording: phrase(say('follows words of the user about'), texts('words')),
  match: ({ context }, { words }) => testCondition(context, { test: 'user_said', words: [...words] }),
};
