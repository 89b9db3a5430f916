import { testCondition } from '../../actions/judging/match.ts';
import { maybe, phrase, say, texts } from '../wording/wording.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** The same was done to the same thing before, or a tool said that it is already so. */
export interface DoneAgainPredicate {
  readonly is: 'done_again';
  readonly states?: readonly string[] | undefined;
}

export const doneAgain: PredicateKind<DoneAgainPredicate> = {
  is: 'done_again',
  fields: { states: { type: 'texts', optional: true } },
  wording: phrase(
    say('does the same to the same thing again'),
    maybe('states', phrase(say(', or to what is already'), texts('states'))),
  ),
  match: ({ context }, { states = [] }) => testCondition(context, { test: 'again', states: [...states] }),
};
