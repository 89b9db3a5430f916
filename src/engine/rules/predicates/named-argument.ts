import { testCondition } from '../../actions/judging/match.ts';
import { phrase, say, texts } from '../wording/wording.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** There is an argument for this, or a value says so: a reason, a ticket number. */
export interface NamedArgumentPredicate {
  readonly is: 'named_argument';
  readonly words: readonly string[];
}

export const namedArgument: PredicateKind<NamedArgumentPredicate> = {
  is: 'named_argument',
  fields: { words: { type: 'texts' } },
  wording: phrase(say('says something for'), texts('words', 'and')),
  match: ({ context }, { words }) => testCondition(context, { test: 'argument', words: [...words] }),
};
