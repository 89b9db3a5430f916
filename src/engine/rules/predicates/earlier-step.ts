import { testCondition } from '../../actions/judging/match.ts';
import { choices, flag, maybe, phrase, say } from '../wording/wording.ts';
import { actNames, plainActs } from './act-words.ts';
import type { PredicateKind } from './predicate-kind.ts';
import { type Thing, things, toPhrase } from './thing.ts';

/** A step before this one did that. */
export interface EarlierStepPredicate {
  readonly is: 'earlier_step';
  readonly acts?: readonly string[] | undefined;
  readonly things?: readonly Thing[] | undefined;
  /** Most of the words have to be met. */
  readonly most?: true | undefined;
  /** The agent may have said it as well. */
  readonly said?: true | undefined;
  /** It has to have come to its end. */
  readonly done?: true | undefined;
}

export const earlierStep: PredicateKind<EarlierStepPredicate> = {
  is: 'earlier_step',
  fields: {
    acts: { type: 'choices', of: actNames, optional: true },
    things: { type: 'things', optional: true },
    most: { type: 'flag', optional: true },
    said: { type: 'flag', optional: true },
    done: { type: 'flag', optional: true },
  },
  wording: phrase(
    say('comes after a step'),
    maybe('acts', phrase(say('to'), choices('acts', plainActs))),
    maybe('things', phrase(say('about'), things('things'))),
    flag('most', ', with most of these words'),
    flag('done', ', which came to its end'),
    flag('said', ', or after the agent said so'),
  ),
  match: ({ context }, { acts = [], things: of = [], most, said, done }) =>
    testCondition(context, {
      test: 'earlier',
      senses: [...acts],
      phrases: of.map(toPhrase),
      ...(most === true && { wantsMost: true }),
      ...(said === true && { said }),
      ...(done === true && { done }),
    }),
};
