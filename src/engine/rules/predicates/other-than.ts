import { phrase, say, texts } from '../wording/wording.ts';
import { asCondition } from './as-condition.ts';
import type { PredicateKind } from './predicate-kind.ts';
import { type Thing, things, toPhrase } from './thing.ts';

/** A value that is named for one of these is none of those things. */
export interface OtherThanPredicate {
  readonly is: 'other_than';
  readonly slot: readonly string[];
  readonly things: readonly Thing[];
}

export const otherThan: PredicateKind<OtherThanPredicate> = {
  is: 'other_than',
  fields: { slot: { type: 'texts' }, things: { type: 'things' } },
  wording: phrase(say('has for'), texts('slot'), say('something else than'), things('things')),
  match: asCondition(({ slot, things: of }) => ({
    test: 'differs',
    slot: [...slot],
    phrases: of.map(toPhrase),
  })),
};
