import { remade } from './built.ts';
import type { Expression } from '../form/form.ts';
import { type Called, type Frame, type Given, type Machine, stepped } from './frame.ts';
import { joinTaints } from './taints.ts';
import { allTaints, clean, isTainted, type Value } from './value.ts';

/** A call of a function that is known. */
export interface Call {
  expression: Expression;
  called: Called;
  args: readonly Given[];
  machine: Machine;
  frame: Frame;
}

/** What it gives; undefined where that is not known in this case. */
export type Model = (call: Call) => Value | undefined;

export const valueAt = ({ args }: Call, at: number): Value => args[at]?.value ?? clean;

/** The same value in another guise, so that what is checked of one holds for the other. */
export const sameThing: Model = (call) => {
  const { called, args, frame, expression } = call;
  const from = called.object !== undefined && isTainted(called.object) ? called.object : valueAt(call, 0);
  const rest = args.slice(1).map(({ value }) => allTaints(value));
  const taints = remade(stepped(joinTaints([allTaints(from), ...rest]), frame, expression));
  return { taints, ref: `${called.name}()`, ...(from.of === undefined ? {} : { of: from.of }) };
};
