/** Objects of Go's types: what is made one of them, and what methods show of the one that they are called on. */
import type { Expression, FunctionForm } from '../form/form.ts';
import type { Called, Frame, Given } from './frame.ts';
import { type ClassValue, type FunctionValue, isTainted, type Value } from './value.ts';

/** `Params(arguments)` is what it is given, as a value of the type; undefined for any other call. */
export function convertedTo(
  cls: ClassValue,
  { isNew }: Extract<Expression, { is: 'call' }>,
  [first]: readonly Given[],
  { module }: Frame,
): Value | undefined {
  if (module.grammar !== 'go' || isNew || first === undefined) return undefined;
  return { ...first.value, instance: cls };
}

/** Methods that are there to tell whether their object is as it should be. */
const tests =
  /^(?:is|check|verify)?_?(?:valid|allowed|known|supported|safe|ok)\w*$|^(?:check|verify|sanitize)$/i;

const withReceiver = new WeakMap<FunctionForm, FunctionForm>();

/** The method as a function whose first parameter is its receiver, so that what it shows of it is known to the caller. */
function asFunction(fn: FunctionForm, receiver: string): FunctionForm {
  let made = withReceiver.get(fn);
  if (made === undefined) {
    const target = { is: 'name' as const, name: receiver, at: fn.at, end: fn.at };
    made = { ...fn, parameters: [{ target }, ...fn.parameters] };
    withReceiver.set(fn, made);
  }
  return made;
}

/** `if err := input.Validate(); err != nil`: a method that tests what it is called on, with that as its first argument. */
export function withTestedObject(
  fn: FunctionValue,
  { method, object, objectExpression: expression }: Called,
  args: readonly Given[],
): { fn: FunctionValue; args: readonly Given[] } {
  const { receiver } = fn.fn;
  const isOther = receiver === undefined || fn.module.grammar !== 'go' || !tests.test(method);
  if (isOther || object === undefined || expression === undefined || !isTainted(object)) return { fn, args };
  return {
    fn: { ...fn, fn: asFunction(fn.fn, receiver) },
    args: [{ value: object, expression, isSpread: false }, ...args],
  };
}
