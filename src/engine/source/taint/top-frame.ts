import type { SourceModule } from '../modules.ts';
import type { Frame, Machine } from './frame.ts';
import { Scope } from './scope.ts';

/** Where what stands at the top of a module is evaluated: outside all functions, among its own names. */
export const topFrame = (module: SourceModule, machine: Machine): Frame => ({
  module,
  scope: new Scope(machine.topOf(module)),
  self: undefined,
  fn: undefined,
  exits: [],
  depth: 0,
});
