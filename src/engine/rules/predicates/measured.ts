import { met } from '../../actions/judging/met.ts';
import { unitName } from '../comparing/units.ts';
import { measuredIn } from '../matching/measures-of.ts';
import { maybe, phrase, say, text, texts } from '../wording/wording.ts';
import { boundFields, type Bounds, bounds, isWithinBounds, refuseBounds } from './bounds.ts';
import type { PredicateKind } from './predicate-kind.ts';

/**
 * A quantity of the call lies within the bounds, in whatever unit the call gives it: 720 `hours` are more than 7 days, and
 * `from` and `to` make a time. Where the call has none, the latest answer about its thing is asked.
 */
export interface MeasuredPredicate extends Bounds {
  readonly is: 'measured';
  readonly unit?: string | undefined;
  /** Words by which it may be named. */
  readonly of?: readonly string[] | undefined;
}

export const measured: PredicateKind<MeasuredPredicate> = {
  is: 'measured',
  fields: { ...boundFields, unit: { type: 'text', optional: true }, of: { type: 'texts', optional: true } },
  refuse: (predicate) =>
    refuseBounds(predicate) ??
    (predicate.unit === undefined || unitName(predicate.unit) === predicate.unit
      ? undefined
      : "'unit' must be a unit such as `hours`, `kg`, `percent` or `euros`"),
  wording: phrase(
    say('measures'),
    bounds,
    maybe('unit', phrase(say('in'), text('unit'))),
    maybe('of', phrase(say('of'), texts('of'))),
  ),
  match({ scene }, { unit, of = [], ...limits }) {
    const found = measuredIn(scene, of, unit);
    return found && met(isWithinBounds(found.value, limits), 1, `\`${found.name}\` is ${Number(found.value.toFixed(2))}${unit === undefined ? '' : ` ${unit}`}.`);
  },
};
