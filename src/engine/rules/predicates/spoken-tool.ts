import { choice, phrase, texts } from '../wording/wording.ts';
import { asCondition } from './as-condition.ts';
import type { PredicateKind } from './predicate-kind.ts';

/** The call is of a tool of this name, or a value of it names the thing: `id_rsa`, `get_ticket`. */
export interface SpokenToolPredicate {
  readonly is: 'spoken_tool';
  readonly where: 'in' | 'not_in';
  readonly names: readonly string[];
}

export const spokenTool: PredicateKind<SpokenToolPredicate> = {
  is: 'spoken_tool',
  fields: { where: { type: 'choice', of: ['in', 'not_in'] }, names: { type: 'texts' } },
  wording: phrase(choice('where', { in: 'is or names', not_in: 'is another tool than' }), texts('names')),
  match: asCondition(({ where, names }) => ({
    test: 'tool',
    where,
    names: names.map((name) => name.toLowerCase()),
  })),
};
