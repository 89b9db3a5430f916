import { namesThing } from '../../actions/judging/named-thing.ts';
import { flag, maybe, phrase, say, texts } from '../wording/wording.ts';
import { asCondition } from './as-condition.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** The user asked for it, in their own words. */
export interface UserAskedPredicate {
  readonly is: 'user_asked';
  /** What only reads has to be spoken of. */
  readonly about?: readonly string[] | undefined;
  /** And named what it is done to: "unless the user asked for that very backup". */
  readonly named?: true | undefined;
}

const asked = asCondition<UserAskedPredicate>(({ about = [] }) => ({
  test: 'user_asked',
  about: [...about],
}));

export const userAsked: PredicateKind<UserAskedPredicate> = {
  is: 'user_asked',
  fields: {
    about: { type: 'texts', optional: true },
    named: { type: 'flag', optional: true },
  },
  wording: phrase(
    say('was asked for by the user'),
    flag('named', 'by name'),
    maybe('about', phrase(say('with a word about'), texts('about'))),
  ),
  match: (at, predicate) =>
    predicate.named === true && !namesThing(at.context) ? undefined : asked(at, predicate),
};
