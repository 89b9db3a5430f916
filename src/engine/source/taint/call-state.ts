import type { Given, Outcome } from './frame.ts';
import { clean, type FunctionValue, isTainted, type Value } from './value.ts';

const noParts: ReadonlyMap<string, number> = new Map();
/** What is said of a call of which nothing is known. */
export const unknown: Outcome = {
  value: clean,
  always: [],
  yes: [],
  no: [],
  parts: { always: noParts, yes: noParts, no: noParts },
  around: { always: [], yes: [] },
};

/** Without the paths of the caller's variables: they mean others here. */
export const moved = (value: Value): Value => {
  if (value.of === undefined && value.check === undefined) return value;
  const { of: _, check: __, ...rest } = value;
  return rest;
};

/** Whether somebody else chose anything of what a function is called with. */
export const hasInput = (fn: FunctionValue, args: readonly Given[]): boolean =>
  args.some(({ value }) => isTainted(value)) || isTainted(fn.self ?? clean);
