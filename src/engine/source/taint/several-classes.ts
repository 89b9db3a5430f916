/** Classes of which a program picks one while it runs: of a table that they are put into, or of a list. */
import type { Frame, Given, Machine } from './frame.ts';
import { clean, type FunctionValue, join, type Value } from './value.ts';

/** An object of the class that is called, or of any of several that may be meant. */
export function objectOf(
  { cls, classes = [] }: Value,
  args: readonly Given[],
  { machine, frame, at }: { machine: Machine; frame: Frame; at: number },
): Value {
  if (cls === undefined) return clean;
  return classes.reduce(
    (made, each) => join(made, machine.construct(each, args, frame, at)),
    machine.construct(cls, args, frame, at),
  );
}

/** Methods of Python that are given the class in place of an object. */
const takesClass = /^(?:__init_subclass__|__class_getitem__|__new__)$/;

/** What such a method calls `cls`: the class, which can be called, with what is known of its objects. */
export function classAsSelf(owner: Value, { fn, module }: FunctionValue): Value {
  const { cls } = owner;
  if (cls === undefined) return owner;
  const isOfClass =
    takesClass.test(fn.name) || fn.marks.some((mark) => mark.is === 'name' && mark.name === 'classmethod');
  return module.grammar === 'python' && isOfClass
    ? { taints: [], instance: cls, cls }
    : { taints: [], instance: cls };
}
