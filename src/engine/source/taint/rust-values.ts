/** Values of Rust: paths that are put together, results, options, and what is converted into a type of the project. */
import { convertedTo } from '../form/marks.ts';
import { factsOf } from './checks.ts';
import { lineReadInto, linesRead } from './lines-of-clients.ts';
import { isNever } from './exits.ts';
import { type Frame, type Given, reopened, stepped } from './frame.ts';
import { type Model, sameThing, valueAt } from './model.ts';
import { factsOfOutcome } from './outcome-facts.ts';
import { noParentBit, normalisedBit, relativeBit } from './shown.ts';
import { spawned } from './started-shells.ts';
import { joinTaints } from './taints.ts';
import { allTaints, type Check, clean, cleared, join, pathLimit, type Value } from './value.ts';

const isRust = ({ module: { grammar } }: Frame): boolean => grammar === 'rust';

/**
 * `root.join(path)`: an absolute path begins anew, and `..` is still in it. As `Url` has such a method too, nothing is
 * said of hosts.
 */
export const pathJoined: Model = ({ called, args, machine, frame, expression }) => {
  const [part, ...more] = args;
  const { object } = called;
  if (!isRust(frame) || part === undefined || object === undefined || more.length > 0) return undefined;
  const path = machine.rules.bitOf('path-traversal');
  const shown = noParentBit | relativeBit;
  const behind = allTaints(part.value).map((taint) => ({
    ...taint,
    cleared:
      taint.cleared |
      ((taint.cleared & shown) === shown ? path : 0) |
      machine.rules.bitOf('argument-injection'),
    isPart: true as const,
    isBehind: true as const,
  }));
  const taints = reopened(joinTaints([allTaints(object), behind]), normalisedBit);
  const of = [...new Set([...(part.value.of ?? []), ...(object.of ?? [])])].slice(0, pathLimit);
  return {
    taints: stepped(taints, frame, expression),
    ref: `${called.name.slice(-150)}()`,
    ...(of.length > 0 && taints.length > 0 ? { of } : {}),
  };
};

const turned = ({ yes, no }: Check): Check => ({ yes: no, no: yes });

/** `found.is_some()`, `inside.is_err()` */
const isThere =
  (isTurned: boolean): Model =>
  ({ called: { object } }) =>
    object?.check === undefined
      ? clean
      : { taints: [], check: isTurned ? turned(object.check) : object.check };

/** What facts show of a value by the paths that it was made of. */
function shownOf(value: Value, check: Check | undefined): Value {
  const own = new Set(value.of);
  const bits = (check?.yes ?? [])
    .filter(({ path, isEmpty }) => isEmpty !== true && own.has(path.join('\0')))
    .reduce((all, fact) => all | fact.bits, 0);
  return cleared(value, bits);
}

/** `inside.then_some(path)`, `inside.then(|| path)`: the value where the test holds. */
export const heldWhere: Model = ({ called: { object, method }, args, machine, frame, expression }) => {
  const [given] = args;
  if (given === undefined || !isRust(frame)) return undefined;
  if (method === 'then_some') return shownOf(given.value, object?.check);
  if (given.value.fn === undefined || given.value.fn.fn.parameters.length > 0) return undefined;
  const before = frame.scope.variables;
  frame.scope.variables = new Map(before);
  machine.learn(object?.check?.yes ?? [], frame);
  const { value } = machine.call(given.value.fn, [], frame, expression);
  frame.scope.variables = before;
  return value;
};

/** Where an error leaves the function, or ends the program. */
const leavesOnError =
  /^\s*(?:\.(?:map_err|context|with_context|ok_or|ok_or_else|ok)\((?:[^();]|\([^()]*\))*\)\s*)*(?:\?|\.(?:unwrap|expect)\()/;

/** `path.strip_prefix(root)`: an error unless a path without `..` lies in the folder. */
const withoutPrefix: Model = (call) => {
  const { called, args, machine, frame, expression } = call;
  const { object } = called;
  if (!isRust(frame) || object === undefined || args[0]?.value.constant !== undefined) return sameThing(call);
  const isNormalised =
    allTaints(object).length > 0 &&
    allTaints(object).every(({ cleared: bits }) => (bits & normalisedBit) !== 0);
  if (!isNormalised) return sameThing(call);
  const bits = machine.rules.bitOf('path-traversal');
  const facts = factsOf(object, bits, machine);
  const rest = cleared(sameThing(call) ?? clean, bits);
  if (leavesOnError.test(frame.module.text.slice(expression.end, expression.end + 300))) {
    machine.learn(facts, frame);
    return rest;
  }
  return { ...rest, check: { yes: facts, no: [] } };
};

/** Whether a call says into which type it converts. */
export const isConverting = (args: readonly Given[]): boolean =>
  args.length === 1 && args[0]?.name === convertedTo;

const makers = ['from_str', 'try_from', 'from'];

/** `text.parse::<Name>()`, `let name: Name = text.try_into()?`: what the project's own type makes of it. */
export const converted: Model = (call) => {
  const { called, args, machine, frame, expression } = call;
  const made = args.find(({ name }) => name === convertedTo)?.value.cls;
  const { object, objectExpression } = called;
  if (object === undefined || objectExpression === undefined) return undefined;
  // `text.parse::<Url>()` is the same address.
  if (made === undefined) return called.method === 'parse' ? sameThing({ ...call, args: [] }) : undefined;
  const wanted = called.method === 'parse' ? makers : makers.slice(1);
  const method = wanted.map((name) => machine.methodOf(made, name)).find((each) => each !== undefined);
  if (method === undefined) return undefined;
  const given = [{ value: object, expression: objectExpression, isSpread: false }];
  const outcome = machine.call({ ...method, self: { taints: [], instance: made } }, given, frame, expression);
  machine.learn(factsOfOutcome(outcome, method, given, machine, frame).always, frame);
  const { of: _, check: __, ...value } = outcome.value;
  return value;
};

/** The addresses of a host, as a pair with its port or in one text. */
const lookedUp: Model = (call) => {
  const { called, args, frame } = call;
  if (!isRust(frame)) return undefined;
  const from = args[0]?.value ?? called.object ?? clean;
  const host = from.fields?.get('0') ?? from;
  const taints = allTaints(host);
  return { taints, ref: `${called.name}()`, ...(host.of === undefined ? {} : { of: host.of }) };
};

/** One of several, or a part that stands for the whole. */
const same: Model = ({ called: { object, name }, args, frame }) =>
  isRust(frame) && args.length === 0 && object?.of !== undefined && object.fields === undefined
    ? { ...object, ref: `${name}()` }
    : undefined;

/** What changes an error alone, or how the same text is seen. */
const passedOn: Model = ({ called: { object }, frame }) => (isRust(frame) ? object : undefined);

const ofPath = /(?:normalize|canonicalize|clean|lexiclean|absolutize(?:_from)?)\(\)(?:\.\w+\(\))*$/;

/** `path.to_string_lossy()`: the same path, which is compared letter by letter from now on. */
const pathAsText: Model = ({ called: { object }, frame }) => {
  if (!isRust(frame) || object === undefined) return undefined;
  const isPath = object.ref !== undefined && ofPath.test(object.ref);
  return isPath ? { ...object, ref: `${object.ref}.to_string_lossy()` } : object;
};

/** `found.unwrap_or_else(|| …)` */
const orElse: Model = ({ called: { object }, args: [other], machine, frame, expression }) => {
  if (!isRust(frame) || object === undefined || other?.value.fn === undefined) return undefined;
  const made = machine.call(other.value.fn, [], frame, expression).value;
  return isNever(made)
    ? object
    : { ...join(object, made), ...(object.of === undefined ? {} : { of: object.of }) };
};

/** `ip.is_private()` */
const insideAsked: Model = ({ called: { object }, machine }) =>
  object === undefined
    ? undefined
    : {
        taints: [],
        check: { yes: [], no: factsOf(object, machine.rules.bitOf('server-side-request-forgery'), machine) },
      };

/** `known.unwrap_or(false)`: what a closure said of what there was. */
const saidOr: Model = ({ called: { object }, args, frame }) => {
  const [other] = args;
  if (!isRust(frame) || object === undefined || other === undefined) return undefined;
  const element = object.fields?.size === 1 ? object.fields.get('*') : undefined;
  const check = element?.check;
  return other.value.constant === false && check !== undefined
    ? { taints: [], check }
    : join(element ?? object, other.value);
};

/** `format(…)` of a number or of one that the project made. */
const given: Model = (call) => valueAt(call, 0);

/** By the names of what is called, as in the library of all languages. */
export const rustValues: readonly (readonly [names: string, model: Model])[] = [
  ['**.is_some **.is_ok', isThere(false)],
  ['**.is_none **.is_err', isThere(true)],
  ['**.then_some', heldWhere],
  ['**.strip_prefix', withoutPrefix],
  ['**.to_socket_addrs tokio.net.lookup_host lookup_host **.lookup_host **.lookup_ip', lookedUp],
  [
    '**.ok_or **.ok_or_else **.context **.with_context **.as_bytes **.as_os_str **.as_slice **.copied **.as_mut **.into_string **.as_mut_str **.into_inner **.trim_start **.into_boxed_str **.to_lowercase **.to_ascii_lowercase',
    passedOn,
  ],
  ['**.to_string_lossy **.to_str **.display', pathAsText],
  ['**.lines **.next_line', linesRead],
  ['**.read_line', lineReadInto],
  ['**.spawn', spawned],
  ['**.unwrap_or_else', orElse],
  ['**.ip **.next **.addr **.to_canonical', same],
  ['**.is_private **.is_loopback', insideAsked],
  ['**.unwrap_or', saidOr],
  [
    'Ok Some Mutex.new std.sync.Mutex.new RwLock.new tokio.sync.Mutex.new tokio.sync.RwLock.new Arc.new std.sync.Arc.new Box.new Rc.new std.rc.Rc.new Parameters',
    given,
  ],
  ['Uuid.parse_str uuid.Uuid.parse_str Uuid.try_parse uuid.Uuid.try_parse', () => clean],
];
