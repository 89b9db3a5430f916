import { met } from '../../actions/judging/met.ts';
import { evidenceOf } from '../matching/evidence.ts';
import { flag, phrase, say, texts } from '../wording/wording.ts';
import type { PredicateKind } from './predicate-kind.ts';

/**
 * The call, an answer before it or a step before it says that something is so: `released: true`, a `status` of
 * "received", a check that did not fail. Words of the user say nothing here.
 */
export interface OnRecordPredicate {
  readonly is: 'on_record';
  readonly words: readonly string[];
  /** It is said that it is not so, which is more than that nothing is said. */
  readonly denied?: true | undefined;
}

export const onRecord: PredicateKind<OnRecordPredicate> = {
  is: 'on_record',
  fields: { words: { type: 'texts' }, denied: { type: 'flag', optional: true } },
  wording: phrase(
    say('has on record'),
    flag('denied', 'the contrary of'),
    texts('words', 'and'),
  ),
  match: ({ scene }, { words, denied }) =>
    met(evidenceOf(scene, words) === (denied === true ? 'no' : 'yes')),
};
