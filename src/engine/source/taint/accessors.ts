/** Methods that Java's compiler or a library makes of fields: parts of a record, and what Lombok writes. */
import { type Called, type Frame, type Given, type Machine } from './frame.ts';
import { propertyOf } from './properties.ts';
import { type ClassValue, clean, type FunctionValue, type Value } from './value.ts';

const decapitalised = (name: string): string => `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`;

/** The field that a method without a body of its own reads or sets; undefined where the class has none of that name. */
function fieldOfMethod({ object, method }: Called, prefix: RegExp): string | undefined {
  const fields = object?.instance?.form.fields ?? [];
  const names = [method, decapitalised(method.replace(prefix, ''))];
  return names.find((name) => fields.some((field) => field.name === name));
}

const isOfJava = (called: Called, { module: { grammar } }: Frame): boolean =>
  grammar === 'java' && called.object?.instance !== undefined && called.callee.fn === undefined;

/** `request.path()` of a record and `request.getPath()`: what the field holds. */
export function readField(
  called: Called,
  args: readonly Given[],
  machine: Machine,
  frame: Frame,
): Value | undefined {
  if (args.length > 0 || called.object === undefined || !isOfJava(called, frame)) return undefined;
  const name = fieldOfMethod(called, /^(?:get|is)(?=[A-Z])/);
  return name === undefined ? undefined : propertyOf(called.object, name, machine);
}

/** `request.setPath(path)` */
export function setFieldByMethod(
  called: Called,
  args: readonly Given[],
  machine: Machine,
  frame: Frame,
): Value | undefined {
  const [given] = args;
  const { objectExpression: object, method } = called;
  if (args.length !== 1 || given === undefined || object === undefined || !method.startsWith('set'))
    return undefined;
  const name = isOfJava(called, frame) ? fieldOfMethod(called, /^set(?=[A-Z])/) : undefined;
  if (name === undefined) return undefined;
  const { at, end } = object;
  machine.assign({ is: 'member', object, property: name, at, end }, given.value, frame);
  return clean;
}

/** Blocks that run when a class is loaded, or an object of it is made. */
export const initializersOf = (cls: ClassValue): FunctionValue[] =>
  cls.form.methods
    .filter(({ name }) => name === '_initializer')
    .map((fn) => ({ fn, module: cls.module, around: cls.around, self: { taints: [], instance: cls } }));
