import { listedAt } from './built.ts';
import type { Expression } from '../form/form.ts';
import { isSelf, type Machine, pathOf } from './frame.ts';
import type { Call, Model } from './model.ts';
import { elementOf } from './elements.ts';
import { asPart, fieldNamed } from './targets.ts';
import { runByQueue } from './functions-as-objects.ts';
import { extendedSchema } from './schema-shapes.ts';
import { joinTaints } from './taints.ts';
import { textOf } from './texts.ts';
import { allTaints, clean, cleared, join, type Value, withField } from './value.ts';

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

/** What is written to piece by piece, and read as one text. */
const textBuilder =
  /(?:^|[.?])(?:StringBuilder|StringBuffer|strings\.Builder|bytes\.Buffer|bytes\.NewBuffer(?:String)?|StringIO|String\.new|String\.with_capacity)\(\)$/;

/** Whether it is a text, or what one is written to. */
export const isText = ({ constant, beginning, ref, fields }: Value): boolean =>
  fields === undefined &&
  (typeof constant === 'string' || beginning !== undefined || textBuilder.test(ref ?? ''));

/** `new StringBuilder("…")`: what it is made with is how its text begins. */
export const textBuilderMade: Model = ({ called, args, machine }) => ({
  ...textOf(
    args.map(({ value }) => value),
    machine,
  ),
  ref: `${called.name}()`,
});

/** The object at the beginning of a chain, `text` in `text.append(a).append(b)`. */
function chainStart(expression: Expression | undefined): Expression | undefined {
  let start = expression;
  while (start?.is === 'call' && start.callee.is === 'member') start = start.callee.object;
  return start;
}

/** `table.set(name, object)` */
const keepsByName = /^(?:set|put|insert|store|Store|Set|Put)$/;

const withFields = (owner: Value): Value => ({
  ...owner,
  fields: new Map([['*', elementOf(owner)], ...(owner.fields ?? [])]),
});

const isTable = ({ fields }: Value): boolean =>
  fields !== undefined && [...fields.keys()].some((name) => !/^(?:\*|\d+)$/.test(name));

/** `filter.extend(wanted)` of a table: all that somebody else chose may be in it, under any name. */
function extendedTable(owner: Value, { called: { method }, args }: Call): Value | undefined {
  const [given, ...more] = args;
  if (method !== 'extend' || given === undefined || more.length > 0 || !isTable(owner)) return undefined;
  const { taints, fields } = given.value;
  return fields === undefined && taints.length > 0
    ? { ...owner, taints: joinTaints([owner.taints, taints]) }
    : undefined;
}

/** What an object is after it was given something more. */
function afterAdding({ called, args, machine, frame, expression }: Call, owner: Value): Value {
  const values = args.map(({ value }) => value);
  const [, kept, ...more] = values;
  // An object of the project is what it is, whoever chose the name that a table keeps it by.
  if (kept?.instance !== undefined && more.length === 0 && keepsByName.test(called.method))
    return putBehind(withFields(owner), [kept]);
  if (isText(owner)) {
    const { ref } = owner;
    return { ...textOf([owner, ...values], machine), ...(ref === undefined ? {} : { ref }) };
  }
  const given = args.flatMap(({ value, isSpread }) =>
    /^(?:extend|addAll)$/.test(called.method) || isSpread ? inOrder(value) : [value],
  );
  const isList = [
    'push',
    'append',
    'add',
    'extend',
    'addAll',
    'put',
    'put_nowait',
    'offer',
    'enqueue',
    'push_back',
    '<-',
  ].includes(called.method);
  if (!isList) return putBehind(withFields(owner), given);
  const place = { module: frame.module, at: expression.at, end: expression.end };
  return putBehind(
    owner,
    given.map((value) => listedAt(value, place)),
  );
}

/** Sets the variable or the field that something was put into. */
export function keepAt(
  place: Expression,
  next: Value,
  { machine, frame }: Pick<Call, 'machine' | 'frame'>,
): void {
  const field = fieldNamed(place, frame);
  if (field !== undefined) {
    machine.assign(field, next, frame);
    return;
  }
  const [root = '', ...rest] = pathOf(place) ?? [];
  if (frame.scope.holds(root)) {
    const whole = frame.scope.find(root) ?? clean;
    frame.scope.set(root, withField(whole, rest, asPart(rest, next, machine)));
  } else if (isSelf(root, frame) && rest.length > 0) machine.assign(place, next, frame);
}

/** Whether nothing is put in: `OpenOptions::new().append(true)`, and `_.set(…)`, which changes what it is given. */
function isSetting({ args }: Call, { ref, fields }: Value): boolean {
  if (ref === undefined) return false;
  const isOption = typeof args[0]?.value.constant === 'boolean' && ref.includes('OpenOptions');
  return isOption || (fields === undefined && !/[()?]/.test(ref));
}

/** `lua.globals().set(…)`: something else that belongs to the object was given more, and the object is what it was. */
function withGiven(whole: Value, { ref = '' }: Value, next: Value, machine: Machine): Value {
  const isPart = whole.ref !== undefined && ref !== whole.ref && ref.startsWith(`${whole.ref}.`);
  if (!isPart) return next;
  // `url.path_segments_mut()?.push(name)`
  const isBehindHost = /\.(?:path_segments_mut|query_pairs_mut)\(\)/.test(ref);
  const given = isBehindHost ? asPart(['search'], next, machine) : next;
  return { ...whole, taints: joinTaints([whole.taints, allTaints(given)]) };
}

/** A method that puts what it is given into its object. */
const put: Model = (call) => {
  const { called, machine, frame } = call;
  const place = chainStart(called.objectExpression);
  const owner = called.object ?? clean;
  if (isSetting(call, owner)) return undefined;
  const next = { ...(extendedTable(owner, call) ?? afterAdding(call, owner)), isClosed: false };
  if (place === undefined) return next;
  const isWalked = place !== called.objectExpression && pathOf(place) !== undefined;
  const whole = isWalked ? machine.evaluate(place, frame) : undefined;
  keepAt(place, whole === undefined ? next : withGiven(whole, owner, next, machine), { machine, frame });
  return next;
};

/** The same; `base.extend({…})` of a schema is another schema, and leaves the first as it is. */
export const added: Model = (call) =>
  (call.called.method === 'extend' ? extendedSchema(call) : undefined) ?? runByQueue(call) ?? put(call);

/** `Object.assign(settings, given)`: the first is changed as well. */
export function assignedInto({ args, machine, frame }: Call, whole: Value): void {
  const place = args[0]?.expression;
  if (place !== undefined && args.length > 1 && pathOf(place) !== undefined)
    keepAt(place, { ...args[0]?.value, ...whole, isClosed: false }, { machine, frame });
}

/** What is taken out of a queue is what was put in. */
export const taken: Model = (call) => {
  const { object } = call.called;
  if (object === undefined) return undefined;
  return object.fields === undefined ? lastOfPath(call, object) : elementOf(object);
};

const isSeparator = (written: Expression | undefined): boolean =>
  (written?.is === 'literal' && /^[/\\]$/.test(String(written.value))) ||
  (written?.is === 'pattern' && /^\/(?:\\?\/|\[[\\/]+\])\+?\/$/.test(written.source));

/** `path.split('/').pop()`: the last part has no separator in it. */
function lastOfPath({ called: { objectExpression: list }, machine }: Call, parts: Value): Value | undefined {
  const isSplit = list?.is === 'call' && list.callee.is === 'member' && list.callee.property === 'split';
  if (!isSplit || !isSeparator(list.args[0]?.value)) return undefined;
  return cleared({ taints: parts.taints }, machine.rules.bitOf('path-traversal'));
}

/** The same for what holds text alone. */
export const addedText: Model = (call) =>
  call.called.object !== undefined && isText(call.called.object) ? added(call) : undefined;

/** Go's `append(list, a, others...)`: a longer list. */
export const appended: Model = ({ args, frame, expression: { at, end } }) => {
  const [list, ...more] = args;
  if (frame.module.grammar !== 'go' || list === undefined) return undefined;
  const given = more.flatMap(({ value, isSpread }) => (isSpread ? inOrder(value) : [value]));
  const placed = given.map((value) => listedAt(value, { module: frame.module, at, end }));
  return { ...putBehind(list.value, placed), isClosed: false };
};

/** Go's `make([]string, 0, 3)`: nothing is in it. */
export const emptyMade: Model = ({ frame }) =>
  frame.module.grammar === 'go' ? { taints: [], fields: new Map<string, Value>() } : undefined;
