import { testCondition } from '../../actions/judging/match.ts';
import { phrase, say, texts } from '../wording/wording.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** These words are met in the call, in an earlier answer or in what the user says. */
export interface MentionedPredicate {
  readonly is: 'mentioned';
  readonly words: readonly string[];
}

export const mentioned: PredicateKind<MentionedPredicate> = {
  is: 'mentioned',
  fields: { words: { type: 'texts' } },
  wording: phrase(say('comes where the trace speaks of'), texts('words', 'and')),
  match: ({ context }, { words }) => testCondition(context, { test: 'mentioned', words: [...words] }),
};
