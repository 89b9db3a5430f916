import type { Expression } from '../form/form.ts';
import type { Called, Frame, Given, Machine } from './frame.ts';
import { clean, type Value } from './value.ts';

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
