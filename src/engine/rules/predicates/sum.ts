import type { Call } from '../../actions/calls/call.ts';
import { met, type Met } from '../../actions/judging/met.ts';
import { countedKeys } from '../../actions/judging/repeats.ts';
import type { Operand } from '../comparing/compare.ts';
import { refuseGlob } from '../comparing/glob.ts';
import { type Measure, parseMeasure } from '../comparing/measure.ts';
import {
  type Added as AddedBy,
  addUp,
  amountsOf,
  type CallInTrace,
  rounded,
  type Sums,
} from '../matching/added.ts';
import { sayEarlier } from '../matching/earlier-call.ts';
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
export function addedBy({ of = [], value }: SumPredicate): AddedBy {
  const unit = typeof value === 'string' ? parseMeasure(value)?.kind : undefined;
  return { of: of.toSorted(), hasUnit: unit !== undefined && unit !== '' };
}

const isOfActs = (call: Call, acts: readonly string[], toolName: string) =>
  acts.length === 0 ? call.toolName === toolName : acts.some((act) => call.senses.has(act));

/** Of the session alone: what is known where nothing is kept of other sessions. */
function sumInSession({ call, earlier }: CallInTrace, predicate: SumPredicate): SumBefore {
  const { acts = [], per = [] } = predicate;
  const keys = countedKeys(call, per);
  const found = earlier
    .filter((one) => isOfActs(one, acts, call.toolName))
    .map((one) => ({
      theirs: countedKeys(one, per),
      amounts: amountsOf({ call: one, earlier }, addedBy(predicate)),
    }));
  // A call that does not say whom it is for counts with all others, else leaving that out would be a way around.
  const same = found.filter(({ theirs }) => keys.length === 0 || theirs.some((key) => keys.includes(key)));
  const ofNobody = found.filter(({ theirs }) => keys.length > 0 && theirs.length === 0);
  const added = (some: typeof found) => addUp(some.flatMap(({ amounts }) => [...amounts]));
  return {
    sums: added(same),
    ofNobody: added(ofNobody),
    unknown: [...same, ...ofNobody].filter(({ amounts }) => amounts.size === 0).length,
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
    for (const limit of valuesOf(value, at)) {
      const most = typeof limit === 'boolean' ? undefined : parseMeasure(limit);
      if (most !== undefined) return compared({ own, before }, most, { operator, window });
    }
    return undefined;
  },
};

interface Added {
  readonly own: Sums;
  readonly before: SumBefore;
}

/**
 * Of calls that name nobody only what can be added up with the rest: else one of them in another currency would stop
 * everybody's calls.
 */
function ofNobodyWith({ own, before }: Added, limit: Measure): { fits: Sums; left: readonly string[] } {
  const all = [...(before.ofNobody ?? [])];
  const known =
    limit.kind === '' ? [...own.keys(), ...before.sums.keys()].find((kind) => kind !== '') : limit.kind;
  const most = all.filter(([kind]) => kind !== '').toSorted(([, a], [, b]) => b - a)[0]?.[0];
  const kept = known ?? most;
  return {
    fits: new Map(all.filter(([kind]) => kind === '' || kind === kept)),
    left: all.flatMap(([kind]) => (kind === '' || kind === kept ? [] : [kind])),
  };
}

/** In which of several units something was added, and by which call. */
function saidUnits({ own, before: { sums, latest } }: Added): string {
  const said = (of: Sums, by: (kind: string) => string) =>
    [...of].map(([kind, amount]) => `${amount}${kind === '' ? '' : ` ${kind}`} ${by(kind)}`);
  const earlier = (kind: string) => {
    const call = latest?.get(kind);
    return call === undefined ? 'before it' : `before it, the latest by ${sayEarlier(call)}`;
  };
  return [...said(own, () => 'by this call'), ...said(sums, earlier)].join(', ');
}

/** The latest of the calls that were added to it. */
function saidLatest({ sums, latest = new Map() }: SumBefore, limit: Measure): string {
  const [kind, call] =
    [...latest]
      .filter(([of]) => sums.has(of) || of === limit.kind || of === '')
      .toSorted(([, a], [, b]) => Number(b.at) - Number(a.at))[0] ?? [];
  if (call === undefined) return '';
  const amount = call.amount === undefined ? '' : `${call.amount}${kind === '' ? '' : ` ${kind}`} by `;
  return ` The latest before it is ${amount}${sayEarlier(call)}.`;
}

function compared(
  added: Added,
  limit: Measure,
  { operator, window }: Pick<SumPredicate, 'operator' | 'window'>,
): Met {
  const { own, before } = added;
  const { fits, left } = ofNobodyWith(added, limit);
  const found = together(addUp([...own, ...before.sums, ...fits]), limit);
  // Nobody can tell that amounts in several currencies keep below a limit in one.
  if (found === undefined)
    return met(true, 0.9, `Amounts in different units are added up: ${saidUnits(added)}.`);
  const difference = rounded(found - limit.value);
  const unknown = before.unknown === 0 ? '' : ` What ${before.unknown} of them added is not known.`;
  const others =
    left.length === 0 ? '' : ` What calls that name nobody added in ${left.join(', ')} is left out.`;
  return met(
    operator === 'over' ? difference > 0 : difference >= 0,
    1,
    `Together it is ${rounded(found / limit.factor)} within a ${window}.${saidLatest(before, limit)}${unknown}${others}`,
  );
}
