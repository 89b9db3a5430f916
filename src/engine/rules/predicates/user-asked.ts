import { maybe, phrase, say, texts } from '../wording/wording.ts';
import { asCondition } from './as-condition.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** The user asked for it, in their own words. */
export interface UserAskedPredicate {
  readonly is: 'user_asked';
  /** What only reads has to be spoken of. */
  readonly about?: readonly string[] | undefined;
}

export const userAsked: PredicateKind<UserAskedPredicate> = {
  is: 'user_asked',
  fields: { about: { type: 'texts', optional: true } },
  wording: phrase(
    say('was asked for by the user'),
    maybe('about', phrase(say('with a word about'), texts('about'))),
  ),
  match: asCondition(({ about = [] }) => ({ test: 'user_asked', about: [...about] })),
};
