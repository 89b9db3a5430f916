import { flag, phrase, say, texts } from '../wording/wording.ts';
import { boundFields, type Bounds, bounds, refuseBounds } from './bounds.ts';
import { asCondition } from './as-condition.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** A quantity that is named for one of these words lies within the bounds. */
export interface QuantityPredicate extends Bounds {
  readonly is: 'quantity';
  readonly of: readonly string[];
  /** By how many percent a value of the call differs from what it was. */
  readonly relative?: true | undefined;
}

const tiny = (value: number) => Math.max(1e-9, Math.abs(value) * 1e-9);

export const quantity: PredicateKind<QuantityPredicate> = {
  is: 'quantity',
  fields: { ...boundFields, of: { type: 'texts' }, relative: { type: 'flag', optional: true } },
  refuse: refuseBounds,
  wording: phrase(say('has'), bounds, flag('relative', 'percent of change'), say('for'), texts('of')),
  match: asCondition(({ of, over, atleast, under, atmost, relative }) => {
    const low = over ?? (atleast === undefined ? undefined : atleast - tiny(atleast));
    const high = under ?? (atmost === undefined ? undefined : atmost + tiny(atmost));
    return {
      test: 'number',
      of: [...of],
      ...(low !== undefined && { over: low }),
      ...(high !== undefined && { under: high }),
      ...(relative === true && { relative }),
    };
  }),
};
