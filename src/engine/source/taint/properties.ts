import type { Expression, FunctionForm } from '../form/form.ts';
import { markName, normalPart, ofVariants } from '../form/marks.ts';
import { factsOf } from './checks.ts';
import type { Frame, Machine } from './frame.ts';
import { dialOf } from './guarded-clients.ts';
import { basesOf } from './bases.ts';
import { isClosedType } from '../form/closed-types.ts';
import { checkedField } from './fields-of-models.ts';
import { isObjectSchema } from './schema-shapes.ts';
import { rootedBit } from './shown.ts';
import { classAsSelf } from './several-classes.ts';
import { joinTaints } from './taints.ts';
import { Scope } from './scope.ts';
import {
  type ClassValue,
  clean,
  cleared,
  fieldOf,
  type FunctionValue,
  isTainted,
  join,
  type Value,
} from './value.ts';

/** Names that say whether a check went well, in what a function gave back. */
const verdictNames = new Set([
  'valid',
  'ok',
  'success',
  'isValid',
  'allowed',
  'is_valid',
  'safe',
  'isSafe',
  '0',
]);

/** What an object was made with, or what a function has put into it through a pointer. */
function ownOrPut({ fields, instance }: Value, name: string, machine: Machine): Value | undefined {
  const own = fields?.get(name);
  if (own === undefined || instance?.site === undefined || instance.module.grammar !== 'go') return own;
  const put = machine.fieldsOf(instance).get(name);
  return put === undefined || !isTainted(put) ? own : join(own, put);
}

/** A property of an instance of a class of the project: a field, else a method. */
function instanceField(object: Value, name: string, machine: Machine): Value | undefined {
  const { instance, also } = object;
  if (instance === undefined) return undefined;
  if (also !== undefined) {
    const { also: _, ...alone } = object;
    return fieldOfSeveral([alone, ...also], name, machine);
  }
  const field = ownOrPut(object, name, machine) ?? fieldOfClass(instance, name, machine);
  const method = machine.methodOf(instance, name);
  if (isNumberField(instance, name)) return clean;
  if (field !== undefined) return filledField(object, name, field, machine);
  const below = methodBelow(object, instance, name, { method, machine });
  if (below !== undefined) return below;
  if (isRepository(instance)) return { taints: [], fn: { ...rowsOf(instance, name), self: object } };
  if (method === undefined || method.fn.isAbstract === true)
    return filledField(object, name, field, machine) ?? askedFor(object, instance, name, machine);
  if (isReadAsField(method)) return readProperty(object, method, machine);
  return { taints: object.taints, fn: { ...method, self: object } };
}

/** What Python's `__getattr__` gives for a name that an object does not have. */
function askedFor(object: Value, instance: ClassValue, name: string, machine: Machine): Value | undefined {
  const isOwn = name.startsWith('__') || instance.module.grammar !== 'python';
  const method = isOwn ? undefined : machine.methodOf(instance, '__getattr__');
  if (method === undefined) return undefined;
  const { at, end } = method.fn;
  const expression: Expression = { is: 'literal', value: name, at, end };
  const scope = new Scope(method.around ?? machine.topOf(method.module));
  const frame: Frame = { module: method.module, scope, self: undefined, fn: undefined, exits: [], depth: 6 };
  const given = [{ value: { taints: [], constant: name }, expression, isSpread: false }];
  const {
    of: _,
    check: __,
    ...value
  } = machine.call({ ...method, self: object }, given, frame, expression).value;
  return value;
}

/** Interfaces that Spring Data implements: what their methods give is what a database holds. */
const isRepository = ({ form }: ClassValue): boolean =>
  form.bases.some((base) =>
    /^(?:\w+)?(?:Jpa|Crud|Mongo|Sorting|Reactive|R2dbc|Panache)\w*Repository$/.test(base),
  );

/** A method that an interface of Spring Data has, declared or not. */
const rowsOf = ({ form: { at, end }, module, around }: ClassValue, name: string): FunctionValue => ({
  fn: { name, parameters: [], body: [], marks: [], isExported: false, at, end },
  module,
  around,
});

/** What classes derived from one do by this name, where it says nothing itself. */
function methodBelow(
  { taints }: Value,
  instance: ClassValue,
  name: string,
  { method, machine }: { method: FunctionValue | undefined; machine: Machine },
): Value | undefined {
  if (method !== undefined && !isStub(method.fn)) return undefined;
  const [fn, ...others] = machine.methodsBelow(instance, name);
  return fn === undefined ? undefined : { taints, fn, others };
}

const keepsToTypes = new Set(['go', 'java', 'rust']);

/** Whether a field is declared as a number or the like: whoever fills it can put no text there. */
function isNumberField({ form, module }: ClassValue, name: string): boolean {
  if (!keepsToTypes.has(module.grammar)) return false;
  const type = form.fields.find((each) => each.name === name)?.type;
  return type !== undefined && isClosedType(type);
}

/** Python's `...` */
const isEllipsis = (value: Expression): boolean => value.is === 'several' && value.items.length === 0;

/** A method that says only that classes derived from this one have it. */
const isStub = ({ body }: FunctionForm): boolean =>
  body.every(
    (each) =>
      each.is === 'throw' ||
      (each.is === 'do' &&
        (each.value.is === 'literal' || each.value.is === 'name' || isEllipsis(each.value))),
  );

/** Methods that are read as fields are. */
const isProperty = /^(?:property|cached_property)$/;
const isReadAsField = ({ fn }: FunctionValue): boolean =>
  fn.marks.some((mark) => isProperty.test(markName(mark)));

function readProperty(object: Value, method: FunctionValue, machine: Machine): Value {
  const at: Expression = { is: 'literal', value: null, at: method.fn.at, end: method.fn.end };
  const scope = new Scope(method.around ?? machine.topOf(method.module));
  const frame: Frame = { module: method.module, scope, self: undefined, fn: undefined, exits: [], depth: 6 };
  const { of: _, check: __, ...value } = machine.call({ ...method, self: object }, [], frame, at).value;
  const typed =
    value.ref === undefined && value.instance === undefined
      ? machine.instanceByType(method.fn.result, frame)
      : undefined;
  return { ...typed, ...value };
}

/** What a class knows of a field, or one that it is derived from. */
function fieldOfClass(cls: ClassValue, name: string, machine: Machine, depth = 0): Value | undefined {
  const own = machine.fieldsOf(cls).get(name);
  if (own !== undefined || depth > 5) return own;
  for (const base of basesOf(cls, machine)) {
    const field = fieldOfClass(base, name, machine, depth + 1);
    if (field !== undefined) return field;
  }
  return undefined;
}

/** A method or a field of any of several objects: methods stay bound to the object that they are of. */
function fieldOfSeveral(objects: readonly Value[], name: string, machine: Machine): Value | undefined {
  const values = objects
    .map((each) => instanceField(each, name, machine))
    .filter((each) => each !== undefined);
  const [first] = values;
  if (first === undefined) return undefined;
  const functions = values.flatMap(({ fn, others = [] }) => (fn === undefined ? [] : [fn, ...others]));
  const [fn, ...others] = functions;
  if (fn === undefined || others.length === 0) return values.reduce((a, b) => join(a, b));
  return { taints: joinTaints(values.map(({ taints }) => taints)), fn, others };
}

/** What Rust and Python's models read into an object stays of the type that is declared, so that what that says is found. */
const typeOfField = (field: Value | undefined): Pick<Value, 'instance'> => {
  const { instance } = field ?? {};
  return instance?.module.grammar === 'rust' || instance?.module.grammar === 'python' ? { instance } : {};
};

/** What somebody else filled is theirs, whatever the class says of it. */
function filledField(
  object: Value,
  name: string,
  field: Value | undefined,
  machine: Machine,
): Value | undefined {
  const { taints, fields, instance } = object;
  if (fields?.has(name) === true || field?.fn !== undefined) return field;
  const given = joinTaints([taints, fields?.get('*')?.taints ?? []]);
  if (given.length === 0) return field;
  const filled: Value = { taints: joinTaints([given, field?.taints ?? []]), ...typeOfField(field) };
  return instance === undefined ? filled : checkedField(instance, name, filled, machine);
}

function staticField(object: Value, name: string, machine: Machine): Value | undefined {
  if (object.cls === undefined) return undefined;
  if (object.classes !== undefined) return staticOfSeveral(object, name, machine);
  const method = machine.methodOf(object.cls, name);
  if (method !== undefined && method.fn.isStatic === true && isReadAsField(method))
    return readProperty({ taints: [], instance: object.cls, cls: object.cls }, method, machine);
  if (method !== undefined) return { taints: [], fn: { ...method, self: classAsSelf(object, method) } };
  return machine.fieldsOf(object.cls).get(name);
}

/** A method or a field of any of several classes. */
function staticOfSeveral(object: Value, name: string, machine: Machine): Value | undefined {
  const { cls, classes = [] } = object;
  return [cls, ...classes]
    .flatMap((each) => (each === undefined ? [] : [staticField({ taints: [], cls: each }, name, machine)]))
    .filter((each) => each !== undefined)
    .reduce<Value | undefined>((all, each) => (all === undefined ? each : join(all, each)), undefined);
}

/** What is checked of these holds for the whole address. */
const hostParts = new Set(['hostname', 'host', 'Host', 'origin', 'netloc', 'href', 'address']);

/** Properties of an address that tell whether it is one of the inside. */
const inside = new Set(['is_private', 'is_loopback', 'is_link_local', 'is_reserved']);

/** What an address says of itself when it is asked whether it lies inside. */
function addressCheck(object: Value, name: string, machine: Machine): Value | undefined {
  if (!inside.has(name) && name !== 'is_global') return undefined;
  const facts = factsOf(object, machine.rules.bitOf('server-side-request-forgery'), machine);
  return { taints: [], check: name === 'is_global' ? { yes: facts, no: [] } : { yes: [], no: facts } };
}

const sizeOf = ({ holdsOne }: Value): Value =>
  holdsOne === undefined ? clean : { taints: [], ref: 'length()', check: holdsOne };

const isWholeModule = ({ ref, fields, taints }: Value): boolean =>
  ref !== undefined &&
  /^[@\w]/.test(ref) &&
  !ref.includes('(') &&
  fields?.has('default') !== true &&
  taints.length === 0;

/** What the name alone tells, with what the object is. */
function knownProperty(object: Value, name: string, machine: Machine): Value | undefined {
  return (
    toldByName(object, name, machine) ??
    partOfPath(object, name, machine) ??
    dialOf(object, name) ??
    lastPart(object, name, machine)
  );
}

/** The path of an address, which begins with a slash, and the last part of a path. */
function partOfPath({ taints, ref = '' }: Value, name: string, machine: Machine): Value | undefined {
  if (name === 'pathname' && /^\??(?:url\.)?URL\(\)$/.test(ref))
    return cleared({ taints, ref: `${ref}.pathname` }, rootedBit);
  return name === 'base' && /^path\.(?:posix\.|win32\.)?parse\(\)$/.test(ref)
    ? cleared({ taints }, machine.rules.bitOf('path-traversal'))
    : undefined;
}

/** What a pattern of Rust takes out. */
function partOfPattern(object: Value, name: string, machine: Machine): Value | undefined {
  if (name === normalPart) return cleared(object, machine.rules.bitOf('path-traversal'));
  return name.startsWith(ofVariants) ? object : undefined;
}

/** Python has a function for how long something is: a field of this name is one like others. */
const asksSize = (name: string, { instance }: Value): boolean =>
  (name === 'length' || name === 'size') && instance?.module.grammar !== 'python';

function toldByName(object: Value, name: string, machine: Machine): Value | undefined {
  if (name.startsWith('#')) return partOfPattern(object, name, machine);
  // A module of a library as it is imported, and as one of the other kind imports it: `fs_1.default.readFile`.
  if (name === 'default' && isWholeModule(object)) return object;
  // `Schema.shape`: its fields alone.
  if (name === 'shape' && isObjectSchema(object) && object.fields !== undefined)
    return { taints: [], fields: object.fields };
  // `z.literal('open').value`
  if (name === 'value' && object.ref?.endsWith('.literal()') === true) return literalOf(object);
  return asksSize(name, object) ? sizeOf(object) : undefined;
}

function literalOf({ said }: Value): Value | undefined {
  const constant = said?.['const'];
  return typeof constant === 'string' ? { taints: [], constant } : undefined;
}

/** `Path(x).name` of Python: the last part of a path has no separator in it. */
function lastPart(object: Value, name: string, machine: Machine): Value | undefined {
  if (object.ref?.startsWith('pathlib.') !== true) return undefined;
  // What is in none of its parts is not in the path.
  if (name === 'parts') return object;
  if (!/^(?:name|stem|suffix)$/.test(name)) return undefined;
  return { taints: cleared({ taints: object.taints }, machine.rules.bitOf('path-traversal')).taints };
}

/** The second or a later one of what a function of Go gave; where it says yes or no, with what that shows. */
function furtherValue({ rest, check }: Value, at: number): Value {
  const value = rest?.[at - 1] ?? clean;
  return check === undefined || value.taints.length > 0 ? value : { ...value, check };
}

/** A property of a value, wherever it may come from. */
export function propertyOf(object: Value, name: string, machine: Machine): Value {
  // No name of a private field begins with a digit.
  if (/^#\d/.test(name)) return furtherValue(object, Number(name.slice(1)));
  const own =
    (object.module === undefined ? undefined : machine.global(name, object.module)) ??
    ownField(object, name, machine) ??
    addressCheck(object, name, machine);
  if (own !== undefined) return own;
  const known = knownProperty(object, name, machine);
  if (known !== undefined) return known;
  const field = fieldOf(object, name);
  const withCheck =
    object.check !== undefined && verdictNames.has(name) ? { ...field, check: object.check } : field;
  return object.of !== undefined && hostParts.has(name) ? { ...withCheck, of: object.of } : withCheck;
}

/** What an object of the project itself has by this name; undefined where its class declares none. */
export function ownField(self: Value, name: string, machine: Machine): Value | undefined {
  return instanceField(self, name, machine) ?? staticField(self, name, machine);
}
