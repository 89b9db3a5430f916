/** What a call of a framework or a library gives, where that is known. */
import type { Expression } from '../form/form.ts';
import { partOfRequest } from '../surface/views.ts';
import type { Called, Frame, Given, Machine } from './frame.ts';
import { requestRead } from './global-requests.ts';
import { libraryCall } from './library.ts';
import type { Value } from './value.ts';

/** Parts of the request at hand come before what functions of this name give of others. */
export function knownCall(
  expression: Expression,
  called: Called,
  args: readonly Given[],
  machine: Machine,
  frame: Frame,
): Value | undefined {
  const { object, method } = called;
  const read =
    object === undefined
      ? undefined
      : (requestRead(object, method, frame, expression) ?? partOfRequest(object, method, frame, expression));
  return read ?? libraryCall(expression, called, args, machine, frame);
}
