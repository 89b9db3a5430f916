import { testCondition } from '../../actions/judging/match.ts';
import { say } from '../wording/wording.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** The call does more than look something up. */
export interface ChangesPredicate {
  readonly is: 'changes';
}

export const changes: PredicateKind<ChangesPredicate> = {
  is: 'changes',
  fields: {},
  wording: say('does more than look something up'),
  match: ({ context }) => testCondition(context, { test: 'acts' }),
};
