import { keptOn } from '../../actions/calls/kept-on.ts';
import type { Condition } from '../../actions/clauses.ts';
import { testCondition } from '../../actions/judging/match.ts';
import type { Met } from '../../actions/judging/met.ts';
import type { JudgedCall } from '../matching/judged-call.ts';

/**
 * Tries a predicate as a test of the matchers in `engine/actions`. What is tested for is made once for each rule and not
 * again with each call: some of the predicates are tried a hundred times for a call.
 * @param make the test that a predicate stands for
 */
export function asCondition<P extends object>(
  make: (predicate: P) => Condition,
): (at: JudgedCall, predicate: P) => Met {
  const made = keptOn<P, Condition>();
  return ({ context }, predicate) => {
    let condition = made.get(predicate);
    if (condition === undefined) made.set(predicate, (condition = make(predicate)));
    return testCondition(context, condition);
  };
}
