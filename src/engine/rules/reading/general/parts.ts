/** The tests of one frame: when it is broken, what has to be so, and what is excepted. */
import type { Predicate } from '../../predicates/catalog.ts';
import { countWindows } from '../../predicates/repeat.ts';
import type { Expression } from '../../rule-form.ts';
import { boundsIn, conditionOf, exceptionOf, needOf, onlyOf } from './clauses-of.ts';
import type { Frame } from './frames.ts';
import { keysOf, type Limit, limitTest, windowOf } from './limits.ts';
import { readMoments } from './moments.ts';
import { type Named, namedIn, tellingIn } from './named-words.ts';
import { operationOf, scopeOf, tailTests } from './scope.ts';

export interface Parts {
  readonly when: Expression[];
  readonly requires: Expression[];
  readonly unless: Expression[];
}

const mostNames = 5;
const wordsOf = (names: readonly string[]) => names.flatMap((name) => name.split(' ')).slice(0, mostNames);

/** Counts of more are sizes: "at most 500 per page". */
const largestCount = 100;
const money = /^(?:euros?|dollars?|pounds?|francs?|eur|usd|gbp|chf)$/;

const isCount = (limit: Limit): boolean =>
  limit.unit === undefined &&
  limit.value < largestCount &&
  (windowOf(limit) !== undefined || keysOf(limit).length > 0);

/** "Three restarts of a service per hour". */
function countTest(limit: Limit): Expression {
  const keys = keysOf(limit);
  const over = limit.bound === 'over' || limit.bound === 'atmost' ? limit.value : limit.value - 1;
  const words = tellingIn(limit.noun);
  const named = words.length > 0 && { words };
  const window = countWindows.find((one) => one === windowOf(limit)) ?? 'session';
  const repeated: Predicate = { is: 'repeat', over, ...(keys.length > 0 && { per: keys }), ...named, window };
  return words.length === 0 ? repeated : { any: [repeated, { is: 'measured', over, of: words }] };
}

/** A limit that breaks the rule: a count of calls where it is "per" something and has no unit, else a quantity. */
function limitBroken(limit: Limit, { things }: Named, as: 'said' | 'broken'): Expression {
  if (isCount(limit)) return countTest(limit);
  const isTotal = limit.unit !== undefined && money.test(limit.unit) && windowOf(limit) !== undefined;
  return isTotal ? { is: 'amount', over: limit.value, total: true } : limitTest(limit, as, wordsOf(things));
}

/**
 * Whether the limit says where the rule begins ("above 5,000 requires …") or where it is broken ("at most 5,000"). Where
 * something is needed besides, only "at most" and the like are limits to keep to.
 */
function senseOf({ bound, isSaid }: Limit, { need, only, isLimit }: Frame): 'said' | 'broken' {
  if (isSaid === true && isLimit !== true) return 'said';
  if (need !== undefined || only !== undefined) return bound === 'atmost' ? 'broken' : 'said';
  return isLimit === true || bound === 'atmost' || bound === 'atleast' ? 'broken' : 'said';
}

function rangeTest({ value, to, unit }: Limit, { things }: Named): Expression {
  const of = wordsOf(things);
  return {
    is: 'measured',
    atleast: value,
    ...(to !== undefined && { atmost: to }),
    ...(unit !== undefined && { unit }),
    ...(of.length > 0 && { of }),
  };
}

const joined = (...conditions: readonly (string | undefined)[]): string | undefined =>
  conditions.filter((one) => one !== undefined).join(' and ') || undefined;

/** What stands in brackets and has a number in it may be a time. */
function withAsides(rest: string, asides: readonly string[]): string {
  return [rest, ...asides.filter((one) => /\d/.test(one))].join(' ');
}

/** What the sentence wants: a need, or the only ones to whom or by whom; undefined where it was not understood. */
function demandsOf(frame: Frame, named: Named): Expression[] | undefined {
  const { need, only } = frame;
  const wanted = [
    ...(need === undefined ? [] : [needOf(need, [...named.things, ...named.verbs])]),
    ...(only === undefined ? [] : [onlyOf(only)]),
  ];
  return wanted.includes(undefined) ? undefined : wanted.flatMap((one) => one ?? []);
}

/**
 * The tests of a frame; undefined where it names no operation, or wants something that is not understood.
 * @param topic what stands before a colon
 * @param asides what stands in brackets
 */
export function partsOf(frame: Frame, topic: string, asides: readonly string[]): Parts | undefined {
  const scope = scopeOf(frame.scope);
  const {
    limits,
    tests: times,
    rest,
  } = boundsIn(scope.text, (left) => readMoments(withAsides(left, asides)));
  const named = namedIn(rest, topic);
  const operation = operationOf(named, frame.text);
  const demands = demandsOf(frame, named);
  if (operation === undefined || demands === undefined) return undefined;
  const condition = joined(frame.condition, scope.relation);
  const isBound = demands.length > 0 || limits.length > 0 || times.length > 0 || condition !== undefined;
  const ranges = limits.filter(({ to }) => to !== undefined).map((one) => rangeTest(one, named));
  const broken = limits
    .filter(({ to }) => to === undefined)
    .map((one) => limitBroken(one, named, senseOf(one, frame)));
  const tested = condition === undefined ? undefined : conditionOf(condition);
  const except = frame.except === undefined ? undefined : exceptionOf(frame.except);
  // "Pick-up times lie between 6:00 and 20:00", "are changed on Tuesdays": a time that is kept to.
  const [before, kept] = frame.isLimit === true ? [[], times] : [times, []];
  return {
    when: [
      operation,
      ...tailTests(named, isBound),
      ...(scope.isOutside ? [{ is: 'destination', where: 'outside' } as const] : []),
      ...broken,
      ...before,
      ...(tested === undefined ? [] : [tested]),
    ],
    requires: [...ranges, ...kept, ...demands],
    unless: except === undefined ? [] : [except],
  };
}
