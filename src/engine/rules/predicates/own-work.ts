import { testCondition } from '../../actions/judging/match.ts';
import { say } from '../wording/wording.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** The agent made it itself in an earlier step. */
export interface OwnWorkPredicate {
  readonly is: 'own_work';
}

export const ownWork: PredicateKind<OwnWorkPredicate> = {
  is: 'own_work',
  fields: {},
  wording: say('concerns what the agent itself made before'),
  match: ({ context }) => testCondition(context, { test: 'own' }),
};
