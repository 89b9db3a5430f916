import { testCondition } from '../../actions/judging/match.ts';
import { flag, oneWay, phrase, say, texts } from '../wording/wording.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** What the call or an earlier answer says of the thing: `closed`, `confirmed`. */
export interface StatePredicate {
  readonly is: 'state';
  readonly states: readonly string[];
  /** Where nothing is said, it is not so. */
  readonly strict?: true | undefined;
}

export const state: PredicateKind<StatePredicate> = {
  is: 'state',
  fields: { states: { type: 'texts' }, strict: { type: 'flag', optional: true } },
  wording: phrase(
    oneWay(
      [
        ({ strict }) => strict === true,
        phrase(flag('strict', 'concerns what is said to be'), texts('states')),
      ],
      [() => true, phrase(say('concerns what may be'), texts('states'))],
    ),
  ),
  match: ({ context }, { states, strict }) =>
    testCondition(context, { test: 'state', states: [...states], ...(strict === true && { strict }) }),
};
