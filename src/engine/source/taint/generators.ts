import type { Expression, FunctionForm } from '../form/form.ts';
import { markName } from '../form/marks.ts';
import type { Frame, Machine, Outcome } from './frame.ts';
import { elementOf } from './elements.ts';
import { clean, join, type Value } from './value.ts';

type CallExpression = Extract<Expression, { is: 'call' }>;

/** Takes in what a generator gives out: `yield x` and `yield* xs` are read as calls of a function of that name. */
export function takeYielded(expression: CallExpression, machine: Machine, frame: Frame): Value | undefined {
  const { callee } = expression;
  if (callee.is !== 'name' || (callee.name !== 'yield' && callee.name !== 'yield*')) return undefined;
  const given = machine.given(expression.args, frame)[0]?.value ?? clean;
  // Paths are those of the generator's variables: they mean others where it is called.
  const { of: _, check: __, ...value } = callee.name === 'yield' ? given : elementOf(given);
  frame.yields = frame.yields === undefined ? value : join(frame.yields, value);
  return clean;
}

/** Functions that give out one value, which `with` then names. */
const isContext = ({ marks }: FunctionForm): boolean =>
  marks.some((mark) => /^(?:async)?contextmanager$/.test(markName(mark)));

/** What a call of a generator gives: something to go through. */
export function withYields(outcome: Outcome, { yields, fn }: Frame): Outcome {
  if (yields === undefined || fn === undefined) return outcome;
  return { ...outcome, value: isContext(fn) ? yields : { taints: [], fields: new Map([['*', yields]]) } };
}
