/** What is compared, and what that shows. */
import type { Expression } from '../form/form.ts';
import { subsetCheck } from './characters.ts';
import { comparisonCheck, factsOf, firstLetterCheck, membershipCheck } from './checks.ts';
import { firstLetterOf, letterIn } from './first-letters.ts';
import type { Frame, Machine } from './frame.ts';
import { measured } from './rounds.ts';
import { normalisedBit } from './shown.ts';
import { textOf } from './texts.ts';
import { allTaints, type Check, clean, isTainted, type Value } from './value.ts';

type Binary = Extract<Expression, { is: 'binary' }>;

/** `set(args) - ALLOWED`: where nothing is in it, all of them are the author's. */
function differenceOf(
  { left: written }: Binary,
  [left, right]: readonly [Value, Value],
  machine: Machine,
): Value | undefined {
  const check = subsetCheck(written, left, right, machine);
  return check && { taints: allTaints(left), holdsOne: { yes: [], no: check.yes } };
}

/** `arg[0] === '-'` */
function beginningCheck(
  { operator, left, right }: Binary,
  machine: Machine,
  frame: Frame,
): Check | undefined {
  const isEqual = /^={2,3}$/.test(operator);
  if (!isEqual && !/^!={1,2}$/.test(operator)) return undefined;
  const letter = letterIn(right);
  const text = letter === undefined ? undefined : firstLetterOf(left);
  if (text === undefined) return undefined;
  const check = firstLetterCheck(machine.evaluate(text, frame), letter, machine);
  return check === undefined || isEqual ? check : { yes: check.no, no: check.yes };
}

/** `args.length > 0`, `len(name) == 0`: nothing is in it. */
function emptinessCheck(
  { operator, left, right }: Binary,
  machine: Machine,
  frame: Frame,
): Check | undefined {
  const isNone = right.is === 'literal' && right.value === 0;
  const text = isNone && /^(?:>|!={1,2}|={2,3})$/.test(operator) ? measured(left) : undefined;
  const [path] = text === undefined ? [] : (machine.evaluate(text, frame).of ?? []);
  if (path === undefined) return undefined;
  const empty: Check['yes'] = [{ path: path.split('\0'), bits: ~normalisedBit, isEmpty: true }];
  return operator.startsWith('==') ? { yes: empty, no: [] } : { yes: [], no: empty };
}

/** `root in path.parents` of Python: a path in its shortest form lies within what is among the folders above it. */
function parentsCheck({ right }: Binary, machine: Machine, frame: Frame): Check | undefined {
  if (right.is !== 'member' || right.property !== 'parents') return undefined;
  const path = machine.evaluate(right.object, frame);
  const taints = allTaints(path);
  if (taints.length === 0 || taints.some(({ cleared }) => (cleared & normalisedBit) === 0)) return undefined;
  return { yes: factsOf(path, machine.rules.bitOf('path-traversal'), machine), no: [] };
}

/** `path.parent == root` of Python: a path in its shortest form that lies in a folder of the author's. */
function parentCheck(
  { operator, left: first, right: second }: Binary,
  [left, right]: readonly [Value, Value],
  machine: Machine,
  frame: Frame,
): Check | undefined {
  const isOf = (each: Expression) => each.is === 'member' && each.property === 'parent';
  const [asked, folder] = isOf(first) ? [first, right] : [second, left];
  if (!/^[=!]=$/.test(operator) || asked.is !== 'member' || !isOf(asked) || isTainted(folder))
    return undefined;
  const path = machine.evaluate(asked.object, frame);
  const taints = allTaints(path);
  if (taints.length === 0 || taints.some(({ cleared }) => (cleared & normalisedBit) === 0)) return undefined;
  const facts = factsOf(path, machine.rules.bitOf('path-traversal'), machine);
  return operator === '==' ? { yes: facts, no: [] } : { yes: [], no: facts };
}

const heldCheck = (
  expression: Binary,
  [left, right]: readonly [Value, Value],
  machine: Machine,
  frame: Frame,
): Check => parentsCheck(expression, machine, frame) ?? membershipCheck(left, right, machine);

/** What a comparison shows; undefined where it is none, or shows nothing. */
function checkOfComparison(
  expression: Binary,
  [left, right]: readonly [Value, Value],
  machine: Machine,
  frame: Frame,
): Check | undefined {
  if (expression.operator === '<=') return subsetCheck(expression.left, left, right, machine);
  return (
    beginningCheck(expression, machine, frame) ??
    parentCheck(expression, [left, right], machine, frame) ??
    comparisonCheck(expression, [left, right], machine) ??
    emptinessCheck(expression, machine, frame)
  );
}

/** Comparison, membership and arithmetic. */
export function comparedValue(expression: Binary, left: Value, machine: Machine, frame: Frame): Value {
  const { operator } = expression;
  const right = machine.evaluate(expression.right, frame);
  if (operator === 'in') return { taints: [], check: heldCheck(expression, [left, right], machine, frame) };
  if (operator === 'not in') {
    const { yes, no } = heldCheck(expression, [left, right], machine, frame);
    return { taints: [], check: { yes: no, no: yes } };
  }
  const check = checkOfComparison(expression, [left, right], machine, frame);
  if (check !== undefined) return { taints: [], check };
  const others = operator === '-' ? differenceOf(expression, [left, right], machine) : undefined;
  if (others !== undefined) return others;
  // `base / name` of Python's paths; `a ?? b`; arithmetic has no text.
  if (operator === '/' || operator === '|' || operator === '@') {
    const path = left.ref?.startsWith('pathlib.') === true ? { ref: left.ref } : {};
    return { ...textOf([left, right], machine, true), ...path };
  }
  return clean;
}
