import type { Effect } from '../../actions/clauses.ts';
import { choices, phrase, say } from '../wording/wording.ts';
import { asCondition } from './as-condition.ts';
import type { PredicateKind } from './predicate-kind.ts';

const effectWords: Readonly<Record<Effect, string>> = {
  read: 'to read',
  write: 'to write',
  delete: 'to delete',
  egress: 'to send something out',
  execute: 'to run something',
  pay: 'to move money',
  grant: 'to give rights',
  authenticate: 'to sign in',
};
const effectNames = Object.keys(effectWords);

/** What the call does to the world, whatever its name. */
export interface EffectPredicate {
  readonly is: 'effect';
  readonly effects: readonly Effect[];
}

export const effect: PredicateKind<EffectPredicate> = {
  is: 'effect',
  fields: { effects: { type: 'choices', of: effectNames } },
  wording: phrase(say('has the effect'), choices('effects', effectWords)),
  match: asCondition(({ effects }) => ({ test: 'effect', effects: [...effects] })),
};
