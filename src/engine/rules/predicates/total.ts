import { met, type Met } from '../../actions/judging/met.ts';
import type { Leaf } from '../../actions/calls/leaves.ts';
import type { EvaluationContext } from '../../actions/judging/evaluation-context.ts';
import { comparable, measureOf, type Operand } from '../comparing/compare.ts';
import { latestAt, leavesAt } from '../comparing/field-path.ts';
import { refuseGlob } from '../comparing/glob.ts';
import { parseMeasure } from '../comparing/measure.ts';
import { flag, maybe, phrase, say, texts } from '../wording/wording.ts';
import { valuesOf } from './operand-values.ts';
import { comparison, comparisonFields, refuseComparison } from './operand.ts';
import type { PredicateKind } from './predicate-kind.ts';

const holds = {
  over: (difference: number) => difference > 0,
  at_least: (difference: number) => difference >= 0,
  under: (difference: number) => difference < 0,
  at_most: (difference: number) => difference <= 0,
  is: (difference: number) => difference === 0,
  is_not: (difference: number) => difference !== 0,
} as const;

/** Values of the call, or of what is known of its thing, added up. */
export interface TotalPredicate {
  readonly is: 'total';
  /** Paths of the values. One that the call does not have is looked for in the latest answer about the same thing. */
  readonly of: readonly string[];
  readonly operator: keyof typeof holds;
  readonly value: Operand;
  /** The same arguments of earlier calls of the tool in the session are added. */
  readonly with_earlier?: true | undefined;
  /** Of those calls only the ones with the same value of each of these arguments. */
  readonly same?: readonly string[] | undefined;
}

/** Every value once, however many paths lead to it; undefined for a path without any. */
function ownLeaves(
  context: EvaluationContext,
  of: readonly string[],
): readonly (readonly Leaf[] | undefined)[] {
  const taken = new Set<Leaf>();
  return of.map((path) => {
    const own = leavesAt(context.call.leaves, path);
    const found = own.length > 0 ? own : latestAt(context, [path]);
    const fresh = found?.filter((leaf) => !taken.has(leaf));
    for (const leaf of fresh ?? []) taken.add(leaf);
    return fresh;
  });
}

function earlierLeaves(
  { call, earlier }: EvaluationContext,
  { of, same = [] }: TotalPredicate,
): readonly Leaf[] {
  const wanted = same.map((path) => [path, valuesAt(call.leaves, path)] as const);
  return earlier
    .filter(
      ({ toolName, leaves }) =>
        toolName === call.toolName &&
        wanted.every(([path, values]) => isSameOrUnsaid(values, valuesAt(leaves, path))),
    )
    .flatMap(({ leaves }) => [...new Set(of.flatMap((path) => leavesAt(leaves, path)))]);
}

const valuesAt = (leaves: readonly Leaf[], path: string) =>
  leavesAt(leaves, path).map(({ text }) => text.trim().toLowerCase());

/** A call that does not say whom it is for counts with all, else leaving that out would be a way around. */
const isSameOrUnsaid = (wanted: readonly string[], values: readonly string[]) =>
  wanted.length === 0 || values.length === 0 || values.some((one) => wanted.includes(one));

/** Sums of floats differ from what people add up in digits that nobody wrote. */
const rounded = (value: number) => Number(value.toFixed(6));

/** Whether the values together stand so to the limit. */
function compared(leaves: readonly Leaf[], limit: string | number, operator: keyof typeof holds): Met {
  const most = parseMeasure(limit);
  if (most === undefined) return undefined;
  const found = leaves.flatMap((leaf) => measureOf(leaf, most) ?? []);
  if (found.length === 0) return undefined;
  const [first] = found;
  if (found.some((one) => !comparable(one, most) || (first !== undefined && !comparable(one, first))))
    // Nobody can tell that amounts in several currencies keep below a limit in one.
    return met(
      operator === 'over' || operator === 'at_least',
      0.9,
      'Values in different units are added up.',
    );
  const sum = rounded(found.reduce((before, { value }) => before + value, 0));
  return met(holds[operator](rounded(sum - most.value)), 1, `Together it is ${sum}.`);
}

export const total: PredicateKind<TotalPredicate> = {
  is: 'total',
  fields: {
    of: { type: 'texts' },
    operator: { type: 'choice', of: Object.keys(holds) },
    value: comparisonFields.value,
    with_earlier: { type: 'flag', optional: true },
    same: { type: 'texts', optional: true },
  },
  refuse({ of, operator, value, with_earlier: withEarlier, same }) {
    if (same !== undefined && withEarlier !== true) return "'same' must stand with `with_earlier` only";
    if (
      typeof value === 'boolean' ||
      Array.isArray(value) ||
      (typeof value === 'object' && 'days_from_now' in value)
    )
      return "'value' must be a number, with a unit or without, or another argument";
    if (typeof value === 'string' && parseMeasure(value) === undefined)
      return "'value' must be a number, with a unit or without";
    const bad = [...of, ...(same ?? [])].map(refuseGlob).find((reason) => reason !== undefined);
    return bad === undefined
      ? refuseComparison({ path: of[0] ?? '', operator, value })
      : `'of' and 'same' ${bad}`;
  },
  wording: phrase(
    say('adds up'),
    texts('of', 'and'),
    say('to a total'),
    comparison,
    flag('with_earlier', ', with earlier calls of the tool'),
    maybe('same', phrase(say('for the same'), texts('same', 'and'))),
  ),
  match(at, predicate) {
    const { context } = at;
    const { of, operator, value, with_earlier: withEarlier } = predicate;
    const own = ownLeaves(context, of);
    // What is known is the least that it can be: of an unknown part only "more than" can be told.
    if (own.includes(undefined) && operator !== 'over' && operator !== 'at_least') return undefined;
    const leaves = own.flatMap((found) => found ?? []);
    if (leaves.length === 0) return undefined;
    const all = withEarlier === true ? [...leaves, ...earlierLeaves(context, predicate)] : leaves;
    for (const limit of valuesOf(value, at)) {
      const found = typeof limit === 'boolean' ? undefined : compared(all, limit, operator);
      if (found !== undefined) return found;
    }
    return undefined;
  },
};
