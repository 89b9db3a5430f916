import { testCondition } from '../../actions/judging/match.ts';
import { choice, phrase, texts } from '../wording/wording.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** Files that the call touches. */
export interface PathPredicate {
  readonly is: 'path';
  readonly where: 'under' | 'outside';
  readonly prefixes: readonly string[];
}

export const path: PredicateKind<PathPredicate> = {
  is: 'path',
  fields: { where: { type: 'choice', of: ['under', 'outside'] }, prefixes: { type: 'texts' } },
  wording: phrase(
    choice('where', { under: 'touches a path below', outside: 'touches a path outside of' }),
    texts('prefixes'),
  ),
  match: ({ context }, { where, prefixes }) =>
    testCondition(context, { test: 'path', where, prefixes: [...prefixes] }),
};
