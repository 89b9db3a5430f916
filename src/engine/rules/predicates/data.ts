import type { DataClass } from '../../actions/clauses.ts';
import { choices, flag, phrase, say } from '../wording/wording.ts';
import { asCondition } from './as-condition.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** How people call each kind. */
export const dataWords: Readonly<Record<DataClass, string>> = {
  secret: 'secrets',
  personal: 'personal data',
  contact: 'contact data',
  health: 'health data',
  card: 'card data',
  bank: 'bank data',
  source_code: 'source code',
  customer: 'customer data',
  confidential: 'confidential data',
};

/** Kinds of data that the call carries or names. */
export interface DataPredicate {
  readonly is: 'data';
  readonly kinds: readonly DataClass[];
  /** The data itself, by its shape, and not only a name for it. */
  readonly held?: true | undefined;
}

export const data: PredicateKind<DataPredicate> = {
  is: 'data',
  fields: {
    kinds: { type: 'choices', of: Object.keys(dataWords) },
    held: { type: 'flag', optional: true },
  },
  wording: phrase(
    say('carries or names'),
    choices('kinds', dataWords),
    flag('held', ', going by its shape alone'),
  ),
  match: asCondition(({ kinds, held = false }) => ({ test: 'data', classes: [...kinds], held })),
};
