import { factsOfOutcome, seesAround } from './outcome-facts.ts';
import { type Given, type Outcome, pathOf } from './frame.ts';
import { type Call, type Model, valueAt } from './model.ts';
import { elementOf } from './statements.ts';
import { textOf } from './texts.ts';
import {
  clean,
  cleared,
  fieldOf,
  type FunctionValue,
  join,
  joinTaints,
  type Value,
  withField,
} from './value.ts';

/** `items.join(' ')` and `' '.join(items)`. */
export const joinedList: Model = ({ called, args, machine }) => {
  const list = [called.object, args[0]?.value].find((value) => value?.fields !== undefined);
  if (list?.fields === undefined) return undefined;
  const values = [...list.fields.values()];
  return textOf([...values, { taints: list.taints }], machine);
};

/** What is put behind the elements of a list, one by one where all of them are known. */
function putBehind(owner: Value, given: readonly Value[]): Value {
  const size = owner.fields?.size ?? 0;
  const isKnown = owner.fields !== undefined && !owner.fields.has('*') && size + given.length < 30;
  if (isKnown && given.length > 0)
    return given.reduce((list, value, at) => withField(list, [String(size + at)], value), owner);
  const element = given.reduce((all, value) => join(all, value), owner.fields?.get('*') ?? clean);
  return withField(owner, ['*'], element);
}

/** Elements in order; one for all where their order is not known. */
function inOrder(value: Value): readonly Value[] {
  if (value.fields === undefined) return [value];
  return value.fields.has('*') || value.taints.length > 0 ? [elementOf(value)] : [...value.fields.values()];
}

/** A method that puts what it is given into its object. */
export const added: Model = ({ called, args, frame }) => {
  const path = called.objectExpression === undefined ? undefined : pathOf(called.objectExpression);
  const [root, ...rest] = path ?? [];
  const owner = called.object ?? clean;
  // `_.set(…)` of a library's module changes what it is given, not the module.
  if (owner.ref !== undefined && owner.fields === undefined && !/[()?]/.test(owner.ref)) return undefined;
  const isList = ['push', 'append', 'add', 'extend'].includes(called.method);
  const given = args.flatMap(({ value, isSpread }) =>
    called.method === 'extend' || isSpread ? inOrder(value) : [value],
  );
  const next = isList
    ? putBehind(owner, given)
    : putBehind({ ...owner, fields: new Map([['*', elementOf(owner)], ...(owner.fields ?? [])]) }, given);
  if (root !== undefined && frame.scope.holds(root)) {
    const whole = frame.scope.find(root) ?? clean;
    frame.scope.set(root, withField(whole, rest, { ...next, isClosed: false }));
  }
  return clean;
};

/** Runs a function for each element; the result is a list of what it gave. */
export const mapped: Model = (call) => {
  const callback = call.args[0]?.value.fn;
  const list = call.called.object;
  return callback === undefined || list === undefined ? undefined : mappedBy(callback, list, call);
};

function mappedBy(callback: FunctionValue, list: Value, call: Call): Value {
  const { called, args, machine, frame } = call;
  // What is shown of an element is shown of the list.
  const expression = called.objectExpression ?? call.expression;
  const of = list.of === undefined ? {} : { of: list.of };
  const element: Given = { value: { ...elementOf(list), ...of }, expression, isSpread: false };
  const index: Given = { ...element, value: list.ref === 'Map()' ? element.value : clean };
  const given = called.method === 'reduce' ? [args[1] ?? element, element] : [element, index];
  const outcome = machine.call(callback, given, frame, expression);
  const facts = factsOfOutcome(outcome, callback, given, machine, frame);
  machine.learn(facts.always, frame);
  const result = resultOf(called.method, { list, element: element.value, outcome });
  if (called.method === 'every') return { ...result, check: { yes: facts.yes, no: [] } };
  if (called.method !== 'some' && called.method !== 'find') return result;
  // One that fits says nothing of the others, but what the function shows of variables around it holds.
  const around = seesAround(callback, frame) ? outcome.around.yes : [];
  return { ...result, check: { yes: around, no: facts.no } };
}

function resultOf(
  method: string,
  { list, element, outcome }: { list: Value; element: Value; outcome: Outcome },
): Value {
  const passed = outcome.yes[0] ?? 0;
  switch (method) {
    case 'filter':
      return cleared(list, passed);
    case 'find':
      return cleared(element, passed);
    case 'forEach':
    case 'sort':
      return cleared(list, outcome.always[0] ?? 0);
    case 'some':
    case 'every':
      return clean;
    case 'reduce':
      return outcome.value;
    default:
      return { taints: [], fields: new Map([['*', outcome.value]]) };
  }
}

/** `promise.then(f)`: the function gets the value. */
export const promised: Model = ({ expression, called, args, machine, frame }) => {
  const callback = args[0]?.value.fn;
  if (callback === undefined || called.object === undefined) return called.object;
  return machine.call(callback, [{ value: called.object, expression, isSpread: false }], frame, expression)
    .value;
};

export const merged: Model = ({ args }) => {
  const fields = new Map<string, Value>();
  for (const { value } of args) for (const [name, field] of value.fields ?? []) fields.set(name, field);
  return { taints: joinTaints(args.map(({ value }) => value.taints)), fields };
};

/** `Map.of(key, value, …)`. */
export const pairs: Model = ({ args }) => {
  const fields = new Map<string, Value>();
  for (let at = 0; at + 1 < args.length; at += 2) {
    const key = args[at]?.value.constant;
    const value = args[at + 1]?.value ?? clean;
    fields.set(typeof key === 'string' ? key : '*', value);
  }
  return { taints: [], fields, isClosed: true };
};

/** A set or a list of what another holds. */
export const collection: Model = (call) => {
  const value = valueAt(call, 0);
  return call.args.length === 0 ? { taints: [], fields: new Map<string, Value>() } : value;
};

/** `table.get(key)`: the author's values where the table is closed. */
export const looked: Model = ({ called, args }) => {
  const { object: table } = called;
  if (table === undefined) return undefined;
  const key = args[0]?.value.constant;
  if (typeof key === 'string') return { ...fieldOf(table, key), ...(table.of === undefined ? {} : {}) };
  if (table.fields === undefined) return undefined;
  return join(elementOf(table), args[1]?.value ?? clean);
};

export const entries: Model = ({ called, args }) => {
  const table =
    called.method === 'items' || called.object?.fields !== undefined ? called.object : args[0]?.value;
  if (table === undefined) return undefined;
  const element = elementOf(table);
  const pair: Value = {
    taints: [],
    fields: new Map([
      ['0', { taints: table.taints }],
      ['1', element],
    ]),
  };
  if (called.method === 'values') return { taints: [], fields: new Map([['*', element]]) };
  return { taints: [], fields: new Map([['*', pair]]) };
};
