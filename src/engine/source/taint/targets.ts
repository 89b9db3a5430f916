import type { Expression, FunctionForm, Parameter, Target } from '../form/form.ts';
import { readProperty } from './caller-tokens.ts';
import { isModelClass } from './fields-of-models.ts';
import { propertyOf } from './properties.ts';
import { isClosedType } from '../form/closed-types.ts';
import { checkSinks } from './sinks.ts';
import { checkInput } from './started-shells.ts';
import { type Frame, type Given, isSelf, type Machine, pathOf, stepped } from './frame.ts';
import { type ClassValue, clean, cleared, fieldOf, isTainted, join, type Value, withField } from './value.ts';

/** Makes the names on the left variables of the function at hand. */
export function declareNames(target: Target, frame: Frame): void {
  if (target.is === 'name') frame.scope.declare(target.name);
  else if (target.is === 'fields') for (const { target: part } of target.fields) declareNames(part, frame);
  else if (target.is === 'items' || target.is === 'list') {
    for (const item of target.items) if (item !== undefined) declareNames(item, frame);
  } else if (target.is === 'spread') declareNames(target.operand, frame);
}

const reachesOut = new WeakMap<FunctionForm, boolean>();

/** Whether what is assigned in a function is its own, as in Python where it does not say otherwise. */
export function isLocal({ fn, module }: Frame): boolean {
  if (fn === undefined || module.grammar !== 'python') return false;
  let reaches = reachesOut.get(fn);
  if (reaches === undefined) {
    reaches = /\b(?:nonlocal|global)\b/.test(module.text.slice(fn.at, fn.end));
    reachesOut.set(fn, reaches);
  }
  return !reaches;
}

/** Binds names on the left of an assignment. */
export function assign(target: Target, value: Value, machine: Machine, frame: Frame): void {
  if (target.is === 'name') {
    const taints = stepped(value.taints, frame, target);
    const named = taints === value.taints ? value : { ...value, taints };
    if (isDeclaredAround(target.name, frame)) frame.scope.variables.set(target.name, named);
    else frame.scope.set(target.name, named);
  } else if (target.is === 'fields') assignFields(target, value, machine, frame);
  else if (target.is === 'items' || target.is === 'list')
    target.items.forEach((item, at) => {
      if (item !== undefined) machine.assign(item, fieldOf(value, String(at)), frame);
    });
  else if (target.is === 'spread') machine.assign(target.operand, value, frame);
  else if (target.is === 'member' || target.is === 'index') assignPart(target, value, machine, frame);
}

/** In Java a field can be named alone: `this.name`, where no variable hides it. */
export function fieldNamed(target: Target, frame: Frame): Target | undefined {
  if (target.is !== 'name' || frame.module.grammar !== 'java' || frame.scope.holds(target.name))
    return undefined;
  const isField = frame.self?.instance?.form.fields.some(({ name }) => name === target.name);
  if (isField !== true) return undefined;
  const { at, end, name } = target;
  return { is: 'member', object: { is: 'name', name: 'this', at, end }, property: name, at, end };
}

/** Whether a function or a class of the module has this name: a variable within a function hides it and leaves it as it is. */
function isDeclaredAround(name: string, { scope, fn }: Frame): boolean {
  if (fn === undefined || scope.variables.has(name)) return false;
  const known = scope.find(name);
  return known?.fn?.fn.name === name || (known?.cls?.form.name === name && known.cls.around === undefined);
}

/** What is taken apart, by the last name of where it came from. */
const named = (ref: string, { at, end }: Target): Expression => ({
  is: 'name',
  name: ref.slice(ref.lastIndexOf('.') + 1),
  at,
  end,
});

function assignFields(
  target: Extract<Target, { is: 'fields' }>,
  value: Value,
  machine: Machine,
  frame: Frame,
): void {
  for (const { key, target: part, preset } of target.fields) {
    let field = key === undefined ? value : propertyOf(value, key, machine);
    if (key !== undefined && value.ref !== undefined)
      field = readProperty(field, named(value.ref, target), key, {
        module: frame.module,
        at: part.at,
        end: part.end,
      });
    if (preset !== undefined) field = join(field, machine.evaluate(preset, frame));
    machine.assign(part, field, frame);
  }
}

/** A parameter of Go through which a function changes what somebody else has. */
const isPointer = (name: string, { fn, module }: Frame): boolean =>
  module.grammar === 'go' &&
  fn?.parameters.some(
    ({ target, type }) => target.is === 'name' && target.name === name && type?.startsWith('*') === true,
  ) === true;

/** Who handed a pointer on finds what was put behind it. */
function putBehindPointer(
  { instance }: Value,
  [root = '', ...rest]: readonly string[],
  value: Value,
  machine: Machine,
  frame: Frame,
): void {
  if (instance?.site !== undefined && isPointer(root, frame))
    setField(machine.fieldsOf(instance), rest, value);
}

function assignPart(
  target: Extract<Expression, { is: 'member' | 'index' }>,
  value: Value,
  machine: Machine,
  frame: Frame,
): void {
  if (target.is === 'index') checkNames(target, machine, frame);
  const path = pathOf(target) ?? [...(pathOf(target.object) ?? []), '*'];
  const [root, ...rest] = path;
  if (root === undefined || rest.length === 0) return;
  if (assignOfClass(root, rest, value, machine, frame)) return;
  const whole = frame.scope.find(root) ?? clean;
  putBehindPointer(whole, [root, ...rest], value, machine, frame);
  checkInput(target, whole, value, machine, frame);
  const known = rest.at(-1) === '*' ? join(fieldOf(whole, '*'), value) : value;
  frame.scope.set(root, withField(whole, rest, asPart(rest, known, machine)));
}

/** `Tool.catalog[name] = …` of Python, also of a class that another file has. */
function classNamed(name: string, machine: Machine, { module, scope }: Frame): ClassValue | undefined {
  return module.grammar === 'python' ? (scope.find(name) ?? machine.global(name, module))?.cls : undefined;
}

/** Sets what all objects of a class may find: through one of them, or in the class itself. */
function assignOfClass(
  root: string,
  rest: readonly string[],
  value: Value,
  machine: Machine,
  frame: Frame,
): boolean {
  const instance = isSelf(root, frame) ? frame.self?.instance : undefined;
  const cls = instance ?? classNamed(root, machine, frame);
  if (cls === undefined) return false;
  for (const fields of storesOf(cls, machine)) setField(fields, rest, value);
  if (instance !== undefined) frame.scope.variables.delete(root);
  return true;
}

/** Parts of an address behind its host. */
const behindHost = new Set([
  'searchParams',
  'search',
  'pathname',
  'hash',
  'query',
  'RawQuery',
  'Path',
  'Header',
  'Body',
  'params',
]);

/** `url.pathname = x` does not choose the host. */
export const asPart = (path: readonly string[], value: Value, machine: Machine): Value =>
  path.some((name) => behindHost.has(name))
    ? cleared(
        value,
        machine.rules.bitOf('server-side-request-forgery') | machine.rules.bitOf('open-redirect'),
      )
    : value;

/** `Object.create(null)` at the beginning: no name of it leads to a prototype. */
function isWithoutPrototype(object: Expression, machine: Machine, frame: Frame): boolean {
  let root = object;
  while (root.is === 'index') root = root.object;
  return machine.evaluate(root, frame).ref === nothingBelow;
}

/** `a[x][y] = z`: the first name is what leads to a prototype. */
function checkNames(target: Extract<Expression, { is: 'index' }>, machine: Machine, frame: Frame): void {
  machine.evaluate(target.key, frame);
  const { object } = target;
  if (isWithoutPrototype(object, machine, frame)) return;
  const value =
    object.is === 'index' && object.key.is !== 'literal'
      ? machine.evaluate(object.key, frame)
      : // `at = at[key]` on the way down.
        { taints: machine.evaluate(object, frame).chosenBy ?? [] };
  if (value.taints.length === 0 && value.fields === undefined) return;
  const name: Given = { value, expression: object, isSpread: false };
  const called = {
    callee: clean,
    object: undefined,
    objectExpression: undefined,
    name: '[]=',
    method: '[]=',
  };
  checkSinks(target, called, [name], machine, frame);
}

/** What an object is called that has no prototype. */
export const nothingBelow = 'Object.create(null)';

const valueIn = (value: Value, path: readonly string[]): Value =>
  path.reduce((inner, name) => inner.fields?.get(name) ?? clean, value);

/** What an object holds, and what its class is known to hold in any of its objects. */
export function storesOf(cls: ClassValue, machine: Machine): Map<string, Value>[] {
  if (cls.site === undefined) return [machine.fieldsOf(cls)];
  const { site: _, ...whole } = cls;
  return [machine.fieldsOf(cls), machine.fieldsOf(whole)];
}

/** What any method sets is what all methods may find. */
function setField(
  fields: Map<string, Value>,
  [name = '*', ...others]: readonly string[],
  value: Value,
): void {
  const known = fields.get(name);
  if (others.length > 0) {
    const before = others.at(-1) === '*' && known !== undefined ? valueIn(known, others) : clean;
    fields.set(name, withField(known ?? clean, others, join(before, value)));
  } else fields.set(name, known === undefined ? value : join(known, value));
}

/** What a parameter is where nothing is given; not a constant, as somebody else may give something. */
export function presetOf({ preset }: Parameter, machine: Machine, frame: Frame): Value {
  if (preset === undefined) return clean;
  const { taints, ref, fn, instance, fields } = machine.evaluate(preset, frame);
  const functions = [...(fields ?? [])].filter(([, each]) => each.fn !== undefined || each.ref !== undefined);
  return {
    taints,
    ...(ref === undefined ? {} : { ref }),
    ...(fn === undefined ? {} : { fn }),
    ...(instance === undefined ? {} : { instance }),
    // Of `deps = { run: exec }` the functions, which only tests replace.
    ...(functions.length === 0 ? {} : { fields: new Map(functions) }),
  };
}

const keepsToTypes = new Set(['go', 'java', 'rust']);

/** Whether what is declared as this type is a number or the like, or one of the values that the author named. */
export function holdsNoText(
  type: string | undefined,
  typed: Value | undefined,
  { module: { grammar } }: Pick<Frame, 'module'>,
): boolean {
  if (type === undefined || !keepsToTypes.has(grammar)) return false;
  return isClosedType(type) || typed?.instance?.form.bases.includes('Enum') === true;
}

/** What a library checked after one of several models is, where it is used, the one that is declared there. */
function asModel(value: Value, declared: ClassValue, machine: Machine): Value {
  const { instance, ref: _, ...rest } = value;
  const isOther =
    instance === undefined || (instance.form !== declared.form && isModelClass(instance, machine));
  return value.taints.length > 0 && isOther && isModelClass(declared, machine)
    ? { ...rest, instance: declared }
    : value;
}

/** Binds the parameters of a function. */
export function bindParameters(
  parameters: readonly Parameter[],
  valueFor: (at: number, parameter: Parameter) => Value | undefined,
  machine: Machine,
  frame: Frame,
): void {
  parameters.forEach((parameter, at) => {
    const typed = machine.instanceByType(parameter.type, frame);
    const found = valueFor(at, parameter);
    let value = found ?? presetOf(parameter, machine, frame);
    if (typed !== undefined && value.instance === undefined && value.ref === undefined)
      value = { ...typed, ...value };
    else if (typed?.instance !== undefined) value = asModel(value, typed.instance, machine);
    if (isTainted(value) && holdsNoText(parameter.type, typed, frame)) value = clean;
    declareNames(parameter.target, frame);
    machine.assign(parameter.target, value, frame);
  });
}
