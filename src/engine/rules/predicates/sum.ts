import type { Call } from '../../actions/calls/call.ts';
import { met, type Met } from '../../actions/judging/met.ts';
import { countedKeys } from '../../actions/judging/repeats.ts';
import type { Operand } from '../comparing/compare.ts';
import { refuseGlob } from '../comparing/glob.ts';
import { type Measure, parseMeasure } from '../comparing/measure.ts';
import { type Added, addUp, amountsOf, type CallInTrace, rounded, type Sums } from '../matching/added.ts';
import type { SumBefore } from '../matching/judged-call.ts';
import { choice, choices, maybe, phrase, say, texts } from '../wording/wording.ts';
import { actNames, plainActs } from './act-words.ts';
import { valuesOf } from './operand-values.ts';
import { comparison, refuseComparison } from './operand.ts';
import type { PredicateKind } from './predicate-kind.ts';
import { countWindows } from './repeat.ts';

const sumWindows = countWindows.slice(1) as readonly Exclude<(typeof countWindows)[number], 'session'>[];
const operators = ['over', 'at_least'] as const;

/** What calls add up to over all sessions, this call among them, is more than a limit. */
export interface SumPredicate {
  readonly is: 'sum';
  /** Paths of arguments; where there are none, the money of the call. */
  readonly of?: readonly string[] | undefined;
  /** Where there are none, calls of the same tool. */
  readonly acts?: readonly string[] | undefined;
  /** For the same one of these: `customer`. */
  readonly per?: readonly string[] | undefined;
  readonly window: (typeof sumWindows)[number];
  readonly operator: (typeof operators)[number];
  /** A number, with a unit or without, or what is known of the user. */
  readonly value: Operand;
}

/** What is added up for the rule, which is the same for rules that differ in their limits. */
export function addedBy({ of = [], value }: SumPredicate): Added {
  const unit = typeof value === 'string' ? parseMeasure(value)?.kind : undefined;
  return { of: of.toSorted(), hasUnit: unit !== undefined && unit !== '' };
}

const isOfActs = (call: Call, acts: readonly string[], toolName: string) =>
  acts.length === 0 ? call.toolName === toolName : acts.some((act) => call.senses.has(act));

/** Of the session alone: what is known where nothing is kept of other sessions. */
function sumInSession({ call, earlier }: CallInTrace, predicate: SumPredicate): SumBefore {
  const { acts = [], per = [] } = predicate;
  const keys = countedKeys(call, per);
  // A call that does not say whom it is for counts with all others, else leaving that out would be a way around.
  const isSame = (theirs: readonly string[]) =>
    keys.length === 0 || theirs.length === 0 || theirs.some((key) => keys.includes(key));
  const amounts = earlier
    .filter((one) => isOfActs(one, acts, call.toolName) && isSame(countedKeys(one, per)))
    .map((one) => amountsOf({ call: one, earlier }, addedBy(predicate)));
  return {
    sums: addUp(amounts.flatMap((one) => [...one])),
    unknown: amounts.filter(({ size }) => size === 0).length,
  };
}

/** Together, in the own unit of what the limit measures; undefined where several units have no sum. */
function together(sums: Sums, { kind, factor }: Measure): number | undefined {
  const kinds = [...sums.keys()].filter((one) => one !== '');
  const isMixed = kind === '' ? kinds.length > 1 : kinds.some((one) => one !== kind);
  if (isMixed) return undefined;
  // A plain number is one of the limit's unit: 500 beside "500 EUR", 2 beside "3 GB".
  const known = kinds.reduce((sum, one) => sum + (sums.get(one) ?? 0), 0);
  return rounded(known + (sums.get('') ?? 0) * factor);
}

const unsure = 0.5;

export const sum: PredicateKind<SumPredicate> = {
  is: 'sum',
  fields: {
    of: { type: 'texts', optional: true },
    acts: { type: 'choices', of: actNames, optional: true },
    per: { type: 'texts', optional: true },
    window: { type: 'choice', of: sumWindows },
    operator: { type: 'choice', of: operators },
    value: { type: 'operand' },
  },
  refuse({ of = [], operator, value }) {
    const isOther = typeof value === 'object' && !Array.isArray(value) && !('user' in value);
    if (typeof value === 'boolean' || Array.isArray(value) || isOther)
      return "'value' must be a number, with a unit or without, or of the user";
    const bad = of.map(refuseGlob).find((reason) => reason !== undefined);
    return bad === undefined ? refuseComparison({ path: 'sum', operator, value }) : `'of' ${bad}`;
  },
  wording: phrase(
    say('adds up, with those of its kind before it,'),
    maybe('acts', phrase(say('to'), choices('acts', plainActs))),
    choice('window', Object.fromEntries(sumWindows.map((window) => [window, `within a ${window}`]))),
    maybe('per', phrase(say('for the same'), texts('per'))),
    maybe('of', phrase(say('by'), texts('of', 'and'))),
    say('to a total'),
    comparison,
  ),
  match(at, predicate) {
    const { context, sumBefore } = at;
    const { acts = [], per = [], window, operator, value } = predicate;
    if (!isOfActs(context.call, acts, context.call.toolName)) return undefined;
    const added = addedBy(predicate);
    const own = amountsOf(context, added);
    if (own.size === 0)
      return met(true, unsure, 'What it adds is not known, so that it counts nothing towards the limit.');
    const keys = countedKeys(context.call, per);
    const before =
      sumBefore?.({ tool: context.call.toolName, acts, keys, window, added }) ??
      sumInSession(context, predicate);
    const all = addUp([...own, ...before.sums]);
    for (const limit of valuesOf(value, at)) {
      const most = typeof limit === 'boolean' ? undefined : parseMeasure(limit);
      if (most !== undefined) return compared(all, most, { operator, window, unknown: before.unknown });
    }
    return undefined;
  },
};

function compared(
  sums: Sums,
  limit: Measure,
  { operator, window, unknown }: Pick<SumPredicate, 'operator' | 'window'> & Pick<SumBefore, 'unknown'>,
): Met {
  const found = together(sums, limit);
  // Nobody can tell that amounts in several currencies keep below a limit in one.
  if (found === undefined) return met(true, 0.9, 'Amounts in different units are added up.');
  const difference = rounded(found - limit.value);
  const left = unknown === 0 ? '' : ` What ${unknown} of them added is not known.`;
  return met(
    operator === 'over' ? difference > 0 : difference >= 0,
    1,
    `Together it is ${rounded(found / limit.factor)} within a ${window}.${left}`,
  );
}
