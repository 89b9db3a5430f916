/** What an operand stands for at a call, and which values fulfil a comparison with it. */
import { leavesOf, type Leaf } from '../../actions/calls/leaves.ts';
import {
  findFulfilling,
  isMissing,
  type Operand,
  type OtherValue,
  type Plain,
} from '../comparing/compare.ts';
import { latestAt, leavesAt } from '../comparing/field-path.ts';
import { parseDate, parseMeasure } from '../comparing/measure.ts';
import type { EvaluationContext } from '../../actions/judging/evaluation-context.ts';
import type { JudgedCall } from '../matching/judged-call.ts';
import type { Comparison } from './operand.ts';

/** An ISO date without the time. */
const isoDay = (day: Date) =>
  `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`;

/** The day in the time zone of the machine; reckoned at noon, which no change of clocks moves to another day. */
const dayFrom = (from: Date, days: number) =>
  isoDay(new Date(from.getFullYear(), from.getMonth(), from.getDate() + days, 12));

function laterDay(text: string, days: number): readonly Plain[] {
  const day = text.trim().slice(0, 10);
  return parseDate(day) === undefined ? [] : [dayFrom(new Date(`${day}T12:00:00`), days)];
}

/** The value of the call, or of what is known of its thing, as the rule shifts it. */
function otherValues(
  { argument, times, plus, days }: OtherValue,
  context: EvaluationContext,
): readonly Plain[] {
  const own = leavesAt(context.call.leaves, argument);
  const found = own.length > 0 ? own : (latestAt(context, [argument]) ?? []);
  if (days !== undefined) return found.flatMap(({ text }) => laterDay(text, days));
  if (times === undefined && plus === undefined) return found.map(({ text }) => text);
  return found.flatMap(({ text }) => {
    const measure = parseMeasure(text);
    return measure === undefined ? [] : [measure.value * (times ?? 1) + (plus ?? 0)];
  });
}

/** What the operand stands for at this call; empty where that is not known. */
export function valuesOf(value: Operand, at: JudgedCall): readonly Plain[] {
  if (typeof value !== 'object') return [value];
  if ('days_from_now' in value) return [dayFrom(at.context.now, value.days_from_now)];
  if ('user' in value) return leavesAt(userLeaves(at), value.user).map(({ text }) => text);
  return 'argument' in value ? otherValues(value, at.context) : value;
}

/** What the caller of the guard says of the user; nothing of somebody unknown. */
export const userLeaves = ({ user }: JudgedCall): readonly Leaf[] =>
  user === undefined ? [] : leavesOf({ ...user.attributes, id: user.id });

const missing = (path: string): Leaf => ({ path, key: path, text: '', number: undefined });

/**
 * The value that fulfils it; undefined where none does.
 * @param found the values that are compared
 * @param at the judged call, for an operand that is one of its values, a day or about its user
 */
export function findAmong(
  found: readonly Leaf[],
  { path, operator, value }: Comparison,
  at: JudgedCall,
): Leaf | undefined {
  if (operator === 'empty') return isMissing(found) ? (found[0] ?? missing(path)) : undefined;
  if (value === undefined) return findFulfilling(found, operator, []);
  const values = valuesOf(value, at);
  // Somebody unknown is nobody whom a value could name.
  if (values.length === 0 && operator === 'is_not' && typeof value === 'object' && 'user' in value)
    return findFulfilling(found, operator, []);
  // With nothing to compare with, "not the same" would hold for anything.
  return values.length === 0 ? undefined : findFulfilling(found, operator, values);
}

/** As `findAmong`, of the values at the path. */
export const findCompared = (
  leaves: readonly Leaf[],
  comparison: Comparison,
  at: JudgedCall,
): Leaf | undefined => findAmong(leavesAt(leaves, comparison.path), comparison, at);
