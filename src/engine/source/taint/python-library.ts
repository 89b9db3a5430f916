/** Functions of Python's own library that hand on what they are given in ways of their own. */
import type { Given } from './frame.ts';
import { plainName } from './frame.ts';
import { calledByName } from './functions-as-objects.ts';
import { openedArchive } from './archive-guards.ts';
import { elementOf } from './elements.ts';
import { fieldNames } from './fields-of-models.ts';
import { methodNamed } from './methods-by-name.ts';
import { type Call, type Model, sameThing, valueAt } from './model.ts';
import { propertyOf } from './properties.ts';
import { ofTables } from './python-tables.ts';
import { ofSignature } from './signed-texts.ts';
import { checkSinks } from './sinks.ts';
import { joinTaints } from './taints.ts';
import { allTaints, cleared, isTainted, type Value } from './value.ts';

/** What a function of a library gives that another one calls: `to_thread(run, command)`, `map(quote, words)`. */
function byReference(ref: string, args: readonly Given[], { expression, machine, frame }: Call): Value {
  const called = calledByName(ref);
  if (checkSinks(expression, called, args, machine, frame)) return { taints: [], ref: `${ref}()` };
  const bits = machine.rules.sanitizers.find(plainName(called)).reduce((a, b) => a | b, 0);
  return cleared({ taints: joinTaints(args.map(({ value }) => allTaints(value))), ref: `${ref}()` }, bits);
}

const isPython = ({ frame }: Call): boolean => frame.module.grammar === 'python';

/** `map(f, words)` */
const mapped: Model = (call) => {
  const [what, list, ...more] = call.args;
  if (!isPython(call) || what === undefined || list === undefined || more.length > 0) return undefined;
  const { fn, ref } = what.value;
  const given: Given = { value: elementOf(list.value), expression: list.expression, isSpread: false };
  if (fn === undefined && ref === undefined) return undefined;
  const result =
    fn === undefined
      ? byReference(ref ?? '', [given], call)
      : call.machine.call(fn, [given], call.frame, call.expression).value;
  return { taints: [], fields: new Map([['*', result]]) };
};

/** `pool.map(fetch, urls)`; lists of Python have no such method. */
const ofPool: Model = (call) => {
  const what = call.args[0]?.value;
  return call.called.object?.fields === undefined &&
    (what?.fn ?? what?.ref) !== undefined &&
    call.args.length > 1
    ? mapped({ ...call, args: call.args.slice(0, 2) })
    : undefined;
};

/** `field(default_factory=lambda: {…})`: what a field holds where nothing is given. */
const presetOfField: Model = (call) => {
  if (!isPython(call)) return undefined;
  const named = (name: string) => call.args.find((arg) => arg.name === name)?.value;
  const { fn, ref } = named('default_factory') ?? named('factory') ?? {};
  if (fn !== undefined) return call.machine.call(fn, [], call.frame, call.expression).value;
  if (ref === '?dict' || ref === '?list' || ref === '?set') return { taints: [], fields: new Map() };
  const { fields } = named('default') ?? {};
  return fields === undefined ? undefined : { taints: [], fields };
};

/** `partial(run, command, shell=True)`: it is called with what it is given here, wherever that happens. */
const partly: Model = (call) => {
  const [what, ...given] = call.args;
  if (what === undefined) return undefined;
  const { fn, ref } = what.value;
  const hasInput = given.some(({ value }) => isTainted(value));
  if (hasInput && fn === undefined && ref !== undefined && isPython(call)) byReference(ref, given, call);
  if (hasInput && fn !== undefined) call.machine.call(fn, given, call.frame, call.expression);
  return what.value;
};

/** What `args=(a, b)` and `kwargs={…}` of a thread hand on. */
function handedOn({ args: all, expression }: Call): Given[] {
  const named = (name: string) => all.find((arg) => arg.name === name)?.value;
  const list = [...(named('args')?.fields?.values() ?? [])];
  const table = [...(named('kwargs')?.fields ?? [])];
  return [
    ...list.map((value): Given => ({ value, expression, isSpread: false })),
    ...table.map(([name, value]): Given => ({ value, expression, isSpread: false, name })),
  ];
}

/** `Thread(target=exec, args=(code,))` */
const started: Model = (call) => {
  const target = call.args.find(({ name }) => name === 'target')?.value;
  if (target?.ref !== undefined && target.fn === undefined) byReference(target.ref, handedOn(call), call);
  return undefined;
};

/** `getattr(object, name)`, also of a module. */
const attribute: Model = ({ args: [owner, name], machine }) => {
  if (owner === undefined || name === undefined) return undefined;
  const method = methodNamed(owner.value, name.value, machine);
  const { constant } = name.value;
  const isOfLibrary = owner.value.ref !== undefined && typeof constant === 'string';
  return method ?? (isOfLibrary ? propertyOf(owner.value, constant, machine) : undefined);
};

/** An address as a text has figures, dots and colons alone; which one it is stays the caller's. */
const address: Model = (call) => {
  const value = sameThing(call);
  const { rules } = call.machine;
  const open = rules.bitOf('server-side-request-forgery') | rules.bitOf('open-redirect');
  return value && cleared(value, ~open);
};

/** `dict(shell=True, **more)` */
const table: Model = (call) => {
  const named = call.args.filter(({ name }) => name !== undefined);
  if (!isPython(call) || named.length === 0) return undefined;
  const fields = new Map<string, Value>();
  for (const { name, value } of call.args)
    if (name === undefined) for (const [key, field] of value.fields ?? []) fields.set(key, field);
    else fields.set(name, value);
  const others = call.args.filter(({ name }) => name === undefined);
  return { taints: joinTaints(others.map(({ value }) => value.taints)), fields };
};

/** `str(job)` of a class that says how its objects are written. */
const written: Model = (call) => {
  const { instance } = valueAt(call, 0);
  const method = instance && call.machine.methodOf(instance, '__str__');
  if (method === undefined || !isPython(call)) return undefined;
  return call.machine.call({ ...method, self: valueAt(call, 0) }, [], call.frame, call.expression).value;
};

const isObject = ({ instance, fn, cls }: Value): boolean => (instance ?? fn ?? cls) !== undefined;

/** `layout.format(report=self)`: a text that somebody else chose reads all that hangs on an object. */
const formatted: Model = (call) => {
  const { called, args, expression, machine, frame } = call;
  const { object } = called;
  if (!isPython(call) || object === undefined || !isTainted(object)) return undefined;
  const given = args.flatMap(({ value }) => [value, ...(value.fields?.values() ?? [])]);
  if (!given.some(isObject)) return undefined;
  const template: Given = { value: object, expression, isSpread: false };
  checkSinks(expression, calledByName('str.format()'), [template], machine, frame);
  return undefined;
};

/** `parser.setFeature(feature_external_ges, True)`: from here on it is one that follows entities. */
const featured: Model = (call) => {
  const { called, args, machine, frame } = call;
  const { object, objectExpression } = called;
  const [feature, isOn] = args.map(({ value }) => value);
  const name = `${feature?.ref ?? ''} ${String(feature?.constant ?? '')}`;
  if (!isPython(call) || object === undefined || objectExpression === undefined) return undefined;
  if (
    isOn?.constant !== true ||
    !/feature_external_[gp]es|external-(?:general|parameter)-entities/.test(name)
  )
    return undefined;
  machine.assign(objectExpression, { ...object, ref: 'xml.sax.ExternalReader()' }, frame);
  return undefined;
};

/** What a class of the project makes of a text with fields in it: `Model.model_validate(arguments)`. */
const validated: Model = (call) => {
  const { cls } = call.called.object ?? {};
  if (cls === undefined || !isPython(call)) return undefined;
  return { taints: joinTaints(call.args.map(({ value }) => allTaints(value))), instance: cls };
};

/** `arguments.model_dump()`: its fields as a table, each after what is declared of it. */
const dumped: Model = (call) => {
  const { object } = call.called;
  const { instance, taints = [] } = object ?? {};
  if (!isPython(call) || object === undefined || instance === undefined || taints.length === 0)
    return undefined;
  const names = fieldNames(instance, call.machine);
  const fields = names.map((name): [string, Value] => [name, propertyOf(object, name, call.machine)]);
  return { taints: [], fields: new Map([...fields, ['*', { taints }]]) };
};

/** By the names of what is called; what is not known here is asked of the library of all languages. */
export const pythonLibrary: readonly (readonly [names: string, model: Model])[] = [
  // A pool of threads or processes goes through a list as `map` does.
  ['**.map **.imap **.imap_unordered **.starmap', ofPool],
  ['dataclasses.field pydantic.Field attrs.field attr.ib', presetOfField],
  ['map', mapped],
  ['functools.partial', partly],
  ['threading.Thread threading.Timer multiprocessing.Process', started],
  ['getattr', attribute],
  [
    'ipaddress.ip_address ipaddress.ip_network ipaddress.ip_interface ipaddress.IPv4Address ipaddress.IPv6Address ipaddress.IPv4Network ipaddress.IPv6Network',
    address,
  ],
  ['dict', table],
  ['str', written],
  ['**.format **.format_map', formatted],
  ['**.setFeature', featured],
  ['**.model_dump', dumped],
  ['**.model_validate **.parse_obj **.model_validate_json **.parse_raw', validated],
  ...ofSignature,
  ...ofTables,
  ['tarfile.open tarfile.TarFile tarfile.TarFile.open', openedArchive],
];
