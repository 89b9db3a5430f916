/** What rules a weakness out of a call as a whole, whatever it is given. */
import { checksEntries } from './archive-guards.ts';
import type { Called, Frame, Given, Machine } from './frame.ts';
import { isGuardedRequest } from './guarded-connections.ts';

interface Call {
  called: Called;
  args: readonly Given[];
  at: number;
}

/** A request whose connection checks its address, or an archive whose entries were looked at before. */
export function isRuledOut(
  rule: string,
  { called, args, at }: Call,
  machine: Machine,
  frame: Frame,
): boolean {
  if (rule === 'server-side-request-forgery') return isGuardedRequest(called, args, machine);
  return rule === 'path-traversal' && checksEntries(called, frame, at);
}
