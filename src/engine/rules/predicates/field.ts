import { met } from '../../actions/judging/met.ts';
import { bare } from '../comparing/compare.ts';
import { latestAt, leavesAt } from '../comparing/field-path.ts';
import { refuseGlob } from '../comparing/glob.ts';
import { phrase, say, texts } from '../wording/wording.ts';
import { findAmong } from './operand-values.ts';
import { type Comparison, comparison, comparisonFields, refuseComparison } from './operand.ts';
import type { PredicateKind } from './predicate-kind.ts';

/**
 * A field of the thing that the call is about fulfils a comparison. It is looked for among the arguments of the call, and
 * where it is not there, in the latest earlier answer about the same thing.
 */
export interface FieldPredicate extends Omit<Comparison, 'path'> {
  readonly is: 'field';
  /** Names that the field may have, each with `*` for any characters: `age`, `*_age`. */
  readonly names: readonly string[];
}

const { operator, value } = comparisonFields;

export const field: PredicateKind<FieldPredicate> = {
  is: 'field',
  fields: { names: { type: 'texts' }, operator, value },
  refuse({ names, ...rest }) {
    const bad = names.map(refuseGlob).find((reason) => reason !== undefined);
    return bad === undefined ? refuseComparison({ ...rest, path: names[0] ?? '' }) : `'names' ${bad}`;
  },
  wording: phrase(say('is about something with the field'), texts('names'), comparison),
  match(at, { names, ...rest }) {
    const { context } = at;
    const own = names.flatMap((name) => leavesAt(context.call.leaves, name));
    const leaves = own.length > 0 ? own : (latestAt(context, names) ?? []);
    const found = findAmong(leaves, { ...rest, path: names[0] ?? '' }, at);
    return (
      found &&
      met(
        true,
        1,
        bare.has(rest.operator)
          ? `\`${found.path}\` is ${found.text === '' ? 'missing' : 'there'}.`
          : `\`${found.path}\` is "${found.text.slice(0, 80)}".`,
      )
    );
  },
};
