import type { Expression, Parameter, Target } from '../form/form.ts';
import { propertyOf } from './properties.ts';
import { checkSinks } from './sinks.ts';
import { type Frame, type Given, isSelf, type Machine, pathOf, stepped } from './frame.ts';
import { clean, cleared, fieldOf, join, joinTaints, type Value, withField } from './value.ts';

/** Binds names on the left of an assignment. */
export function assign(target: Target, value: Value, machine: Machine, frame: Frame): void {
  if (target.is === 'name') {
    const taints = stepped(value.taints, frame, target);
    frame.scope.set(target.name, taints.length === 0 ? value : { ...value, taints });
  } else if (target.is === 'fields') assignFields(target, value, machine, frame);
  else if (target.is === 'items' || target.is === 'list')
    target.items.forEach((item, at) => {
      if (item !== undefined) machine.assign(item, fieldOf(value, String(at)), frame);
    });
  else if (target.is === 'spread') machine.assign(target.operand, value, frame);
  else if (target.is === 'member' || target.is === 'index') assignPart(target, value, machine, frame);
}

function assignFields(
  target: Extract<Target, { is: 'fields' }>,
  value: Value,
  machine: Machine,
  frame: Frame,
): void {
  for (const { key, target: part, preset } of target.fields) {
    let field = key === undefined ? value : propertyOf(value, key, machine);
    if (preset !== undefined) field = join(field, machine.evaluate(preset, frame));
    machine.assign(part, field, frame);
  }
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
  const instance = isSelf(root, frame) ? frame.self?.instance : undefined;
  if (instance !== undefined) {
    setField(machine.fieldsOf(instance), rest, value);
    frame.scope.variables.delete(root);
    return;
  }
  const whole = frame.scope.find(root) ?? clean;
  const known = rest.at(-1) === '*' ? join(fieldOf(whole, '*'), value) : value;
  frame.scope.set(root, withField(whole, rest, asPart(rest, known, machine)));
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

/** `a[x][y] = z`: the first name is what leads to a prototype. */
function checkNames(target: Extract<Expression, { is: 'index' }>, machine: Machine, frame: Frame): void {
  machine.evaluate(target.key, frame);
  const { object } = target;
  if (object.is !== 'index' || object.key.is === 'literal') return;
  const name: Given = { value: machine.evaluate(object.key, frame), expression: object.key, isSpread: false };
  const called = {
    callee: clean,
    object: undefined,
    objectExpression: undefined,
    name: '[]=',
    method: '[]=',
  };
  checkSinks(target, called, [name], machine, frame);
}

/** What any method sets is what all methods may find. */
function setField(
  fields: Map<string, Value>,
  [name = '*', ...others]: readonly string[],
  value: Value,
): void {
  const known = fields.get(name);
  if (others.length > 0) fields.set(name, withField(known ?? clean, others, value));
  else fields.set(name, known === undefined ? value : join(known, value));
}

/** What a parameter is where nothing is given; not a constant, as somebody else may give something. */
function presetOf({ preset }: Parameter, machine: Machine, frame: Frame): Value {
  if (preset === undefined) return clean;
  const { taints, ref } = machine.evaluate(preset, frame);
  return { taints, ...(ref === undefined ? {} : { ref }) };
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
      value = { ...typed, ...value, taints: joinTaints([value.taints]) };
    machine.assign(parameter.target, value, frame);
  });
}
