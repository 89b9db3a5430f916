/** What a call adds to a sum: the money or the quantities among its arguments, each by what it measures. */
import { type Call, readCall } from '../../actions/calls/call.ts';
import type { Leaf } from '../../actions/calls/leaves.ts';
import type { EvaluationContext } from '../../actions/judging/evaluation-context.ts';
import { amountOf, moneyIn } from '../../actions/judging/quantities.ts';
import { recordLeaves } from '../../actions/judging/records.ts';
import type { TraceStep } from '../../actions/types.ts';
import { latestAt, leavesAt } from '../comparing/field-path.ts';
import { type Measure, parseMeasure, unitOfName } from '../comparing/measure.ts';
import { currencyOf } from '../predicates/currency.ts';

/** A call with those before it. */
export type CallInTrace = Pick<EvaluationContext, 'call' | 'earlier'>;

/** What is added up. */
export interface Added {
  /** Paths of arguments; where there are none, the money of the call. */
  readonly of: readonly string[];
  /** The limit has a unit: what the name of an argument says of its unit (`size_gb`) counts then. */
  readonly hasUnit: boolean;
}

/** Sums by what they measure: a currency, `size` in bytes, `weight` in kilograms; plain numbers under an empty name. */
export type Sums = ReadonlyMap<string, number>;

const moneyKey = /amount|total|price|sum|value|cost|budget|payment|refund|fee|charge|salary|credit/i;

/** The currency that stands beside the value, in the same item of a list, or else that the call names. */
function currencyFor(call: Call, { path }: Leaf): string {
  const parent = path.slice(0, path.lastIndexOf('.') + 1);
  const beside = call.leaves.filter(
    (leaf) => leaf.path.startsWith(parent) && !leaf.path.slice(parent.length).includes('.'),
  );
  return currencyOf({ leaves: beside }) ?? currencyOf(call) ?? '';
}

/** A value without a unit of its own has the one that its name or the call says. */
function measured(leaf: Leaf, call: Call, hasUnit: boolean): Measure | undefined {
  const own = parseMeasure(leaf.text);
  if (own === undefined || own.kind !== '') return own;
  const [kind, factor] = (hasUnit ? unitOfName(leaf.key) : undefined) ?? ['', 1];
  if (kind !== '') return { value: own.value * factor, kind, factor };
  return moneyKey.test(leaf.key) ? { ...own, kind: currencyFor(call, leaf) } : own;
}

/** The money of the call, or what the latest answer about its thing says. */
function moneyOf(known: CallInTrace): readonly Measure[] {
  const value = amountOf(known.call) ?? moneyIn(recordLeaves(known));
  return value === undefined ? [] : [{ value, kind: currencyOf(known.call) ?? '', factor: 1 }];
}

/** Every value once, however many paths lead to it. */
function leavesOf(known: CallInTrace, of: readonly string[]): ReadonlySet<Leaf> {
  return new Set(
    of.flatMap((path) => {
      const own = leavesAt(known.call.leaves, path);
      return own.length > 0 ? own : (latestAt(known, [path]) ?? []);
    }),
  );
}

/**
 * What the call adds; empty where that is not known. A negative value counts as what it is without its sign, else it would
 * make room under a limit.
 */
export function amountsOf(known: CallInTrace, { of, hasUnit }: Added): Sums {
  const found =
    of.length === 0
      ? moneyOf(known)
      : [...leavesOf(known, of)].flatMap((leaf) => measured(leaf, known.call, hasUnit) ?? []);
  return addUp(found.map(({ kind, value }) => [kind, Math.abs(value)]));
}

/** Sums of floats differ from what people add up in digits that nobody wrote. */
export const rounded = (value: number): number => Number(value.toFixed(6));

/** Those of one kind together. */
export function addUp(amounts: Iterable<readonly [kind: string, value: number]>): Sums {
  const sums = new Map<string, number>();
  for (const [kind, value] of amounts) sums.set(kind, rounded((sums.get(kind) ?? 0) + value));
  return sums;
}

const mostEarlier = 400;

/** The last step of the agent with the calls before it, as an evaluation of the steps sees them. */
export function lastCall(steps: readonly TraceStep[]): CallInTrace | undefined {
  const last = steps.findLastIndex(({ role }) => role === 'agent');
  const step = steps[last];
  if (step === undefined) return undefined;
  const earlier = steps
    .slice(Math.max(0, last - mostEarlier), last)
    .filter(({ role, toolName }) => role === 'agent' && (toolName ?? '') !== '')
    .map(readCall);
  return { call: readCall(step), earlier };
}
