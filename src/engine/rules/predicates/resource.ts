import { flag, phrase, say } from '../wording/wording.ts';
import { asCondition } from './as-condition.ts';
import type { PredicateKind } from './predicate-kind.ts';
import { type Thing, things, toPhrase } from './thing.ts';

/** The call concerns one of these things, as far as it or an earlier answer says. */
export interface ResourcePredicate {
  readonly is: 'resource';
  readonly things: readonly Thing[];
  /** An id of it among the arguments is enough. */
  readonly party?: true | undefined;
  /** Not only as where something goes to. */
  readonly source?: true | undefined;
}

export const resource: PredicateKind<ResourcePredicate> = {
  is: 'resource',
  fields: {
    things: { type: 'things' },
    party: { type: 'flag', optional: true },
    source: { type: 'flag', optional: true },
  },
  wording: phrase(
    say('concerns'),
    things('things'),
    flag('party', ', be it by an id alone'),
    flag('source', ', and not only as where it goes'),
  ),
  match: asCondition(({ things: of, party, source }) => ({
    test: 'about',
    phrases: of.map(toPhrase),
    ...(party === true && { party }),
    ...(source === true && { source }),
  })),
};
