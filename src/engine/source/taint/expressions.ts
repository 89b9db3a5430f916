import { builtAt } from './built.ts';
import type { Expression } from '../form/form.ts';
import { checkOf, membershipCheck, ofOptions } from './checks.ts';
import { comparedValue } from './comparisons.ts';
import { commonFacts, type Frame, isSelf, type Machine, mergedFacts, pathOf, pathText } from './frame.ts';
import { elementOf } from './elements.ts';
import { countedName } from './rounds.ts';
import { applyFacts, eitherWay } from './ways.ts';
import { joinTaints, type Taint } from './taints.ts';
import { allTaints, type Check, clean, isTainted, join, pathLimit, type Value } from './value.ts';
import { requestPart } from './global-requests.ts';
import { partOfRequest } from '../surface/views.ts';
import { withArchiveTaint } from './archive-entries.ts';
import { tellingFields } from './telling-fields.ts';
import { evaluateCall } from './calls.ts';
import { ownField, propertyOf } from './properties.ts';
import { listValue } from './lists.ts';
import { methodNamed } from './methods-by-name.ts';
import { partAt } from './python-tables.ts';
import { declareNames, fieldNamed, holdsNoText, isLocal } from './targets.ts';
import { withExports } from './module-exports.ts';
import { readProperty } from './caller-tokens.ts';
import { parsedProperty } from './parsed-bodies.ts';
import type { SourceModule } from '../modules.ts';
import { endsInSeparator, textOf } from './texts.ts';

type Of<K extends Expression['is']> = Extract<Expression, { is: K }>;
type Evaluation<K extends Expression['is']> = (expression: Of<K>, machine: Machine, frame: Frame) => Value;

/** A value with the path that it was found under, where a test of it could matter. */
function withPath(value: Value, path: string): Value {
  const { of } = value;
  if (of === undefined) return isTainted(value) ? { ...value, of: [path] } : value;
  return of[0] === path
    ? value
    : { ...value, of: [path, ...of.filter((each) => each !== path)].slice(0, pathLimit) };
}

function nameValue({ name }: Of<'name'>, machine: Machine, frame: Frame): Value {
  const own = frame.scope.find(name);
  if (own !== undefined) return withPath(own, name);
  if (isSelf(name, frame) && frame.self !== undefined) return frame.self;
  // A field or method of Java's classes can be named alone.
  if (frame.module.grammar === 'java' && frame.self !== undefined) {
    // What a test has shown of a field lies in the scope, under the object.
    const field = ownField(frame.scope.find('this') ?? frame.self, name, machine);
    if (field !== undefined) return withPath(field, pathText(['this', name]));
  }
  return ownType(name, frame) ?? machine.global(name, frame.module) ?? { taints: [], ref: `?${name}` };
}

/** Rust's `Self`: the type that a method is of. */
function ownType(name: string, { module, self }: Frame): Value | undefined {
  const cls = module.grammar === 'rust' && name === 'Self' ? self?.instance : undefined;
  return cls === undefined ? undefined : { taints: [], cls };
}

function memberValue(expression: Of<'member'>, machine: Machine, frame: Frame): Value {
  const object = machine.evaluate(expression.object, frame);
  const value =
    requestPart(object, expression.property, frame, expression) ??
    partOfRequest(object, expression.property, frame, expression) ??
    withArchiveTaint(propertyOf(object, expression.property, machine), frame, expression);
  const part = parsedProperty(value, expression.object, expression.property);
  return memberAt(
    readProperty(part, expression.object, expression.property, {
      module: frame.module,
      at: expression.at,
      end: expression.end,
    }),
    expression,
  );
}

function memberAt(value: Value, expression: Of<'member'>): Value {
  if (value.taints.length === 0) return value;
  const path = pathOf(expression);
  return path === undefined ? value : { ...value, of: [...new Set([pathText(path), ...(value.of ?? [])])] };
}

/** The first of a list is there where something is in the list. */
const withCheck = (value: Value, isFirst: boolean, { holdsOne }: Value): Value =>
  isFirst && holdsOne !== undefined ? { ...value, check: holdsOne } : value;

/** `list[0]`, `table['name']` */
function elementAt(
  expression: Of<'index'>,
  object: Value,
  key: Value['constant'],
  { machine, module }: { machine: Machine; module: SourceModule },
): Value {
  const found = withCheck(partAt(object, key, { machine, module }), key === 0, object);
  const value = readProperty(found, expression.object, String(key), {
    module,
    at: expression.at,
    end: expression.end,
  });
  const path = pathOf(expression);
  // The first word of a command line is its program.
  const whole = key === 0 && object.ref?.endsWith('split()') === true ? (object.of ?? []) : [];
  if (value.taints.length === 0) return value;
  if (key === 0 && object.ref === ofOptions && object.of !== undefined) return { ...value, of: object.of };
  return path === undefined ? value : { ...value, of: [pathText(path), ...whole] };
}

/** `api['exec']`, also by a constant of another place. */
const isNameIn = ({ fields }: Value, { constant }: Value): boolean =>
  typeof constant === 'string' && fields?.has('*') !== true;

/** `MongoClient()["desk"][name]`: one of the collections that a client of Python keeps under names. */
const ofClient = ({ ref }: Value, { module }: Frame): { ref?: string } =>
  module.grammar === 'python' && ref?.includes('()') === true && !ref.startsWith('?') && ref.length < 160
    ? { ref: `${ref}[]` }
    : {};

function indexValue(expression: Of<'index'>, machine: Machine, frame: Frame): Value {
  const object = machine.evaluate(expression.object, frame);
  const key = machine.evaluate(expression.key, frame);
  if (expression.key.is === 'literal' || isNameIn(object, key))
    return elementAt(expression, object, key.constant, { machine, module: frame.module });
  const counted = countedName(expression.object, expression.key);
  const element = counted === undefined ? undefined : frame.scope.variables.get(counted);
  if (counted !== undefined && element !== undefined) return withPath(element, counted);
  // `this[name](args)`: a method that the caller names.
  const method = isTainted(key) ? methodNamed(object, key, machine) : undefined;
  if (method !== undefined) return method;
  return elementChosenBy(object, key, machine, frame);
}

/** What a closed table has under a key that somebody else chose is still the author's. */
function elementChosenBy(object: Value, key: Value, machine: Machine, frame: Frame): Value {
  const { taints, fields } = object;
  const value =
    fields === undefined
      ? { taints, ...ofClient(object, frame) }
      : elementOf(object.ref === undefined ? object : { taints, fields });
  const chosenBy = allTaints(key);
  if (chosenBy.length === 0) return value;
  const check = membershipCheck(key, object, machine);
  return { ...value, chosenBy, ...(fields !== undefined && check.yes.length > 0 ? { check } : {}) };
}

/** The name of a property; `*` for one that is computed. */
function entryName(key: string | Expression, machine: Machine, frame: Frame): string {
  if (typeof key === 'string') return key;
  const { constant } = machine.evaluate(key, frame);
  return typeof constant === 'string' ? constant : '*';
}

const withKey = (value: Value, key: string): Value =>
  value.fn === undefined ? value : { ...value, fn: { ...value.fn, key } };

/** `http.Client{…}` is what `http.Client()` would make. */
function typeRef(
  { library = '', type = '' }: Of<'object'>,
  machine: Machine,
  { module }: Frame,
): string | undefined {
  const ref = machine.global(library, module)?.ref;
  return ref === undefined || ref.startsWith('?') ? undefined : `${ref}.${type}()`;
}

/** What the entries of an object come to. */
function fieldsIn(entries: Of<'object'>['entries'], machine: Machine, frame: Frame) {
  const fields = new Map<string, Value>();
  let taints: readonly Taint[] = [];
  for (const { key, value: written } of entries) {
    const value = machine.evaluate(written, frame);
    if (key === undefined) {
      taints = joinTaints([taints, value.taints]);
      for (const [name, field] of withExports(value, machine).fields ?? []) fields.set(name, field);
    } else {
      const name = entryName(key, machine, frame);
      fields.set(name, name === '*' ? join(fields.get(name) ?? clean, value) : withKey(value, name));
    }
  }
  return { fields, taints };
}

function objectValue(expression: Of<'object'>, machine: Machine, frame: Frame): Value {
  const { entries } = expression;
  const { fields, taints } = fieldsIn(entries, machine, frame);
  const isClosed = entries.every(({ key }) => typeof key === 'string');
  const ref = expression.library === undefined ? undefined : typeRef(expression, machine, frame);
  const made: Value = {
    taints,
    fields,
    ...(ref === undefined ? {} : { ref }),
    ...(isClosed && entries.length > 0 ? { isClosed: true } : {}),
  };
  if (tellingFields.some((name) => fields.has(name)))
    machine.register('{}', [{ value: made, expression, isSpread: false }], frame, expression);
  return made;
}

/** Evaluates with what a test has shown, and forgets it afterwards. */
function under<T>(check: Check['yes'] | undefined, frame: Frame, body: () => T): T {
  if (check === undefined || check.length === 0) return body();
  const before = frame.scope.variables;
  frame.scope.variables = new Map(before);
  applyFacts(check, frame);
  const value = body();
  frame.scope.variables = before;
  return value;
}

function binaryValue(expression: Of<'binary'>, machine: Machine, frame: Frame): Value {
  const { operator } = expression;
  const left = machine.evaluate(expression.left, frame);
  const isAnd = operator === '&&';
  if (isAnd || operator === '||' || operator === '??') {
    const shown = checkOf(expression.left, left);
    const known = isAnd ? shown?.yes : shown?.no;
    const right = under(known, frame, () => machine.evaluate(expression.right, frame));
    const check = logicalCheck(isAnd, shown, checkOf(expression.right, right));
    return withCheckOf(join(left, right), check);
  }
  return comparedValue(expression, left, machine, frame);
}

const noCheck: Check = { yes: [], no: [] };

function logicalCheck(isAnd: boolean, a = noCheck, b = noCheck): Check | undefined {
  if (a === noCheck && b === noCheck) return undefined;
  const yes = isAnd ? mergedFacts([...a.yes, ...b.yes]) : commonFacts(a.yes, b.yes);
  const no = isAnd ? commonFacts(a.no, b.no) : mergedFacts([...a.no, ...b.no]);
  return yes.length + no.length === 0 ? undefined : { yes, no };
}

/** The value with this check alone. */
function withCheckOf(value: Value, check: Check | undefined): Value {
  if (check !== undefined) return { ...value, check };
  if (value.check === undefined) return value;
  const { check: _, ...rest } = value;
  return rest;
}

const evaluations: { [K in Expression['is']]: Evaluation<K> } = {
  name: nameValue,
  literal: ({ value }) => ({ taints: [], constant: value }),
  pattern: ({ source }) => ({ taints: [], pattern: source, ref: 'RegExp()' }),
  text: ({ parts, at, end }, machine, frame) => {
    const values = parts.map((part) => machine.evaluate(part, frame));
    // Python's `[...] + [...]` is a longer list; with text between them, or elsewhere, it is a text.
    if (
      frame.module.grammar === 'python' &&
      values.some(({ fields, constant }) => fields !== undefined && constant === undefined) &&
      parts.every(({ is }) => is !== 'literal')
    )
      return concatenated(values);
    return builtAt(textOf(values, machine), { module: frame.module, at, end });
  },
  member: memberValue,
  index: indexValue,
  call: evaluateCall,
  object: objectValue,
  list: listValue,
  spread: ({ operand }, machine, frame) => machine.evaluate(operand, frame),
  function: ({ fn }, _machine, frame) => ({
    taints: [],
    fn: {
      fn,
      module: frame.module,
      around: frame.scope,
      ...(frame.self === undefined ? {} : { self: frame.self }),
    },
  }),
  binary: binaryValue,
  not: ({ operand }, machine, frame) => {
    const check = checkOf(operand, machine.evaluate(operand, frame), frame.module.grammar);
    return check === undefined ? { taints: [] } : { taints: [], check: { yes: check.no, no: check.yes } };
  },
  choice: ({ test, yes, no }, machine, frame) => {
    const check = checkOf(test, machine.evaluate(test, frame));
    const { first, second } = eitherWay(
      frame,
      () => under(check?.yes, frame, () => machine.evaluate(yes, frame)),
      () => under(check?.no, frame, () => machine.evaluate(no, frame)),
    );
    const joined = join(first, second);
    // `base.endsWith(sep) ? base : base + sep`
    return endsInSeparator(second) && asksForEnd(test) ? { ...joined, endsInSeparator: true } : joined;
  },
  assign: ({ target, value: expression, type, isNew }, machine, frame) => {
    const given = machine.evaluate(expression, frame);
    const typed = type === undefined ? undefined : machine.instanceByType(type, frame);
    const isNumber = isTainted(given) && holdsNoText(type, typed, frame);
    const value = isNumber ? withoutText(given) : declaredAs(given, typed, frame);
    if (isNew === true || isLocal(frame)) declareNames(target, frame);
    machine.assign((type === undefined ? fieldNamed(target, frame) : undefined) ?? target, value, frame);
    return value;
  },
  steps: ({ body }, machine, frame) => {
    const exits = frame.exits.length;
    machine.execute(body, frame);
    const last = frame.exits.splice(exits);
    return last.map(({ value }) => value).reduce((a, b) => join(a, b), clean);
  },
  several: ({ items }, machine, frame) => ({
    taints: joinTaints(items.map((item) => allTaints(machine.evaluate(item, frame)))),
  }),
};

/** A number or an address that was made of a text: what is asked of it is still asked of that. */
const withoutText = ({ of, ref }: Value): Value =>
  of === undefined ? clean : { taints: [], of, ...(ref === undefined ? {} : { ref }) };

/** A value of the type that its variable is declared with: what Rust makes of a text keeps the methods of that type. */
function declaredAs(given: Value, typed: Value | undefined, { module: { grammar } }: Frame): Value {
  if (typed === undefined) return given;
  if (isUnknown(given)) return typed;
  const { instance, fields, fn, cls } = given;
  const isMade = [instance, fields, fn, cls].some((each) => each !== undefined);
  return grammar === 'rust' && !isMade && typed.instance !== undefined && isTainted(given)
    ? { ...given, instance: typed.instance }
    : given;
}

/** Whether nothing is known of a value but its declared type. */
function isUnknown(value: Value): boolean {
  if (value.taints.length > 0) return false;
  for (const name in value) {
    if (name === 'taints') continue;
    const isSaid = name === 'ref' ? !isForeign.test(value.ref ?? '') : value[name as keyof Value] !== null;
    if (isSaid) return false;
  }
  return true;
}

/** A name that leads nowhere, or to what a library keeps for the project: the declared type says more. */
const isForeign = /^\?|\.(?:lifespan_context|state)$/;

const asksForEnd = (test: Expression): boolean =>
  test.is === 'call' && test.callee.is === 'member' && /^ends_?with$/i.test(test.callee.property);

function concatenated(values: readonly Value[]): Value {
  const fields = new Map<string, Value>();
  let at = 0;
  for (const value of values)
    for (const [name, field] of value.fields ?? []) fields.set(name === '*' ? '*' : String(at++), field);
  return { taints: joinTaints(values.map(({ taints }) => taints)), fields };
}

/** The value of an expression, and what it shows where it is a test. */
export function evaluate(expression: Expression, machine: Machine, frame: Frame): Value {
  machine.spend();
  const run = evaluations[expression.is] as Evaluation<Expression['is']>;
  return run(expression, machine, frame);
}
