import { remade } from './built.ts';
import type { Expression } from '../form/form.ts';
import { type Called, type Frame, type Given, type Machine, pathOf, plainName, stepped } from './frame.ts';
import { optionsOf, settingsOf } from './settings.ts';
import { withArchiveTaint } from './archive-entries.ts';
import { runCallbacks } from './callbacks.ts';
import { knownCall } from './known-calls.ts';
import { hasMethodModel } from './library.ts';
import { factsOfOutcome, outside } from './outcome-facts.ts';
import { saidBy } from './said.ts';
import { withWords } from './words-of-calls.ts';
import { checkSinks } from './sinks.ts';
import { joinTaints } from './taints.ts';
import { allTaints, clean, cleared, type FunctionValue, isTainted, join, type Value } from './value.ts';
import { learnHardened } from './java-settings.ts';
import { readField, setFieldByMethod } from './accessors.ts';
import { calledAbove } from './bases.ts';
import { isNever, never } from './exits.ts';
import { objectOf } from './several-classes.ts';
import { startedShell } from './started-shells.ts';
import { checkTyped } from './typed-commands.ts';
import { readByCall, withoutTokens } from './caller-tokens.ts';
import { isGuardedBy } from './guarded-connections.ts';
import { parsedByCall } from './parsed-bodies.ts';
import { compiledCall } from './compiled.ts';
import { takeYielded } from './generators.ts';
import { convertedTo, withTestedObject } from './go-receivers.ts';
import { resolvesPromise } from './promises.ts';
import { propertyOf } from './properties.ts';

type CallExpression = Extract<Expression, { is: 'call' }>;

const textName = (expression: Expression): string => {
  const path = pathOf(expression);
  if (path !== undefined) return path.join('.');
  if (expression.is === 'member') return `${textName(expression.object)}.${expression.property}`;
  if (expression.is === 'call') return `${textName(expression.callee)}()`;
  return '';
};

/** What Java's functions have besides their call, which an interface of the project may name as it likes. */
const besidesTheCall =
  /^(?:andThen|compose|negate|and|or|not|identity|reversed|thenComparing\w*|equals|hashCode|toString|getClass)$/;

function withoutFunction(value: Value): Value {
  const { fn: _, others: __, ...rest } = value;
  return rest;
}

function calledBy(expression: CallExpression, machine: Machine, frame: Frame): Called {
  const { callee: written } = expression;
  const above = calledAbove(written, machine, frame);
  if (above !== undefined)
    return { callee: above, object: undefined, objectExpression: undefined, name: '?super', method: 'super' };
  if (written.is !== 'member') {
    const callee = machine.evaluate(written, frame);
    const name = callee.ref ?? `?${textName(written)}`;
    return {
      callee,
      object: undefined,
      objectExpression: undefined,
      name,
      method: name.slice(name.lastIndexOf('.') + 1),
    };
  }
  return methodCalled(written, machine, frame);
}

/** What Java writes in full, `org.acme.Request.get(…)`, is known by its class. */
const packageName = /^\?(?:[a-z]\w*\.){2,}(?=[A-Z])/;

function methodCalled(
  written: Extract<Expression, { is: 'member' }>,
  machine: Machine,
  frame: Frame,
): Called {
  const object = machine.evaluate(written.object, frame);
  // A function as an object, as Java calls it.
  if (object.fn !== undefined && frame.module.grammar === 'java' && !besidesTheCall.test(written.property))
    return {
      callee: object,
      object: undefined,
      objectExpression: undefined,
      name: '?',
      method: written.property,
    };
  const found = propertyOf(object, written.property, machine);
  // `table.set(…)` is a method of the table, and none of the functions that lie in it under names of their own.
  const isMethod = hasMethodModel(written.property) && object.fields?.has(written.property) === false;
  const callee = isMethod && object.instance === undefined ? withoutFunction(found) : found;
  const known = object.ref === undefined ? undefined : `${object.ref}.${written.property}`;
  const name = callee.ref ?? known ?? `?${textName(written)}`;
  return {
    callee,
    object,
    objectExpression: written.object,
    name: frame.module.grammar === 'java' ? name.replace(packageName, '?') : name,
    method: written.property,
  };
}

/** The function with the object that it is called on, where it has none yet. */
const boundTo = (fn: FunctionValue, object: Value | undefined): FunctionValue =>
  fn.self !== undefined || object?.instance === undefined ? fn : { ...fn, self: object };

function callProject(
  expression: CallExpression,
  called: Called,
  args: readonly Given[],
  machine: Machine,
  frame: Frame,
): Value {
  const { callee, object } = called;
  if (callee.cls !== undefined)
    return (
      convertedTo(callee.cls, expression, args, frame) ??
      objectOf(callee, args, { machine, frame, at: expression.at })
    );
  if (callee.fn === undefined) return clean;
  const { fn, args: given } = withTestedObject(boundTo(callee.fn, object), called, args);
  const outcome = machine.call(fn, given, frame, expression);
  learnHardened(called, given, frame);
  if (isNever(outcome.value)) return never;
  const facts = factsOfOutcome(outcome, fn, given, machine, frame);
  if (facts.always.length > 0) machine.learn(facts.always, frame);
  const value = outside(outcome.value, fn, given);
  const taints = stepped(value.taints, frame, expression);
  const { yes, no } = facts;
  if (yes.length + no.length > 0) return { ...value, taints, check: { yes, no } };
  return taints === value.taints ? value : { ...value, taints };
}

const isList = ({ instance, fields }: Value): boolean =>
  instance === undefined &&
  fields !== undefined &&
  [...fields.keys()].every((name) => /^(?:\*|\d+)$/.test(name));

/** The result of what is not known: made of all that went in. */
function unknownResult(
  expression: CallExpression,
  called: Called,
  args: readonly Given[],
  machine: Machine,
  frame: Frame,
): Value {
  const { object } = called;
  // What is made of a list is made of its elements.
  const own = object === undefined ? [] : isList(object) ? allTaints(object) : object.taints;
  const { rest, ...settings } = settingsOf(expression, args, frame);
  const lists = [...rest.map(({ value }) => withoutTokens(allTaints(value))), own];
  const taints = remade(stepped(joinTaints(lists), frame, expression));
  const ref = called.name.length > 160 ? undefined : `${called.name}()`;
  const options = optionsOf(args);
  // A schema goes on having its pattern: `z.string().regex(…).describe(…)`.
  const kept = called.object?.ref === 'RegExp()' ? undefined : called.object?.pattern;
  const made: Value = {
    taints,
    ...settings,
    ...(options.size === 0 ? {} : { options }),
    ...(kept === undefined ? {} : { pattern: kept }),
    ...(object?.refinements === undefined ? {} : { refinements: object.refinements }),
    ...(ref === undefined ? {} : { ref }),
  };
  return withGuard(made, args, machine);
}

/** What a library keeps for the project is the project's own, such as the context of a server's life. */
const keptForProject = /\.(?:lifespan_context|app\.state|request\.state|app\.locals)\b/;

/** What Rust writes in full, such as `reqwest::Client::builder()`, is of another crate. */
const isOfCrate = /^\?(?:[a-z_]\w*\.)+[A-Z]\w*\.\w+(?:\(\)|$)/;

/** A method of an unknown object that only one class of the project has. */
function findOnly(called: Called, machine: Machine, { module: { grammar } }: Frame): Value | undefined {
  const isUnknown = called.name.startsWith('?') || keptForProject.test(called.name);
  const isElsewhere = grammar === 'rust' && isOfCrate.test(called.name);
  if (called.object === undefined || !isUnknown || isElsewhere) return undefined;
  const fn = machine.onlyMethod(called.method);
  return fn && { taints: [], fn };
}

/** Input that is given to an object of which nothing is known is for the project's method rather than the library's. */
const isMeantFor = ({ object }: Called, args: readonly Given[]): boolean =>
  object !== undefined &&
  (object.ref === undefined || keptForProject.test(object.ref)) &&
  object.fields === undefined &&
  object.constant === undefined &&
  !isTainted(object) &&
  args.some(({ value }) => isTainted(value));

/** An object of the project that is called itself, as Python's classes allow. */
function withCallable(called: Called, machine: Machine): Called {
  const { instance, fn } = called.callee;
  const method =
    instance === undefined || fn !== undefined ? undefined : machine.methodOf(instance, '__call__');
  if (method === undefined) return called;
  return { ...called, callee: { taints: [], fn: { ...method, self: called.callee } } };
}

/** What a call gives, what it reports, and what it shows where it is a test. */
export function evaluateCall(expression: CallExpression, machine: Machine, frame: Frame): Value {
  const yielded = takeYielded(expression, machine, frame);
  if (yielded !== undefined) return yielded;
  const called = withCallable(calledBy(expression, machine, frame), machine);
  const args = machine.given(expression.args, frame);
  const compiled = compiledCall({ expression, called, args, machine, frame });
  if (compiled !== undefined) return compiled;
  if (resolvesPromise(called, args, machine)) return clean;
  const field = readField(called, args, machine, frame) ?? setFieldByMethod(called, args, machine, frame);
  if (field !== undefined) return field;
  return (called.callee.fn ?? called.callee.cls) !== undefined
    ? callOurs(expression, called, args, machine, frame)
    : withWords(
        withSaid(
          fromCaller(expression, callOther(expression, called, args, machine, frame), called, args, frame),
          called,
          args,
        ),
        called,
        args,
      );
}

/** What a call gives of the one who called this server: a token, or what was parsed of a request. */
function fromCaller(
  { at, end }: CallExpression,
  value: Value,
  called: Called,
  args: readonly Given[],
  { module }: Frame,
): Value {
  return parsedByCall(readByCall(value, called, args, { module, at, end }), called, args);
}

/** With what a definition says that is built step by step. */
function withSaid(value: Value, called: Called, args: readonly Given[]): Value {
  const said = saidBy(called, args);
  return said === undefined || value.said !== undefined ? value : { ...value, said };
}

const registers = /(?:^|[.?])(?:register|add|define)_?[tT]ool$|^(?:Register|Add)Tool$/;

const isSchema = /^(?:input_schema|[iI]nputSchema)$/;

/** What the library of the protocol has for its users, and nobody else calls so. */
const ofProtocol = /^(?:setRequestHandler|register(?:Tool|Resource|Prompt|AppTool))$/;

/** A call of the protocol's library where a bundle contains it, so that its classes are found in the project. */
function isProtocols({ method, callee: { fn } }: Called, args: readonly Given[]): boolean {
  if (fn === undefined) return false;
  if (ofProtocol.test(method)) return true;
  // `server.tool('name', …, handler)`
  const isOffer = /^(?:tool|resource|prompt)$/.test(method) && typeof args[0]?.value.constant === 'string';
  return isOffer && args.some(({ value }) => value.fn !== undefined);
}

/** Functions and classes of the project. */
function callOurs(
  expression: CallExpression,
  called: Called,
  args: readonly Given[],
  machine: Machine,
  frame: Frame,
): Value {
  // A server's own list of tools: who calls them then is told by what they are.
  if (registers.test(called.method || called.name)) machine.register('.addTool', args, frame, expression);
  else if (isProtocols(called, args)) machine.register(`.${called.method}`, args, frame, expression);
  // A project's own `Tool{…}`: others of that name have no schema.
  else if (args.some(({ name = '' }) => isSchema.test(name)))
    machine.register(called.name, args, frame, expression);
  const { fn: own, others = [] } = called.callee;
  if (others.length === 0) return callProject(expression, called, args, machine, frame);
  const first = machine.forEntry(own?.key, () => callProject(expression, called, args, machine, frame));
  return others.reduce((value, fn) => {
    const other = machine.forEntry(fn.key, () =>
      callProject(expression, { ...called, callee: { taints: [], fn } }, args, machine, frame),
    );
    if (isNever(value)) return other;
    return isNever(other) ? value : join(value, other);
  }, first);
}

const withGuard = (value: Value, args: readonly Given[], machine: Machine): Value =>
  isGuardedBy(args, machine) ? { ...value, isGuarded: true } : value;

/** The end of `Tool.builder().name(…)`: what was said step by step is a definition. */
function registerBuilt(
  expression: CallExpression,
  { method, object }: Called,
  machine: Machine,
  frame: Frame,
): void {
  if (method === 'build' && object?.said !== undefined)
    machine.register('{}', [{ value: object, expression, isSpread: false }], frame, expression);
}

/** `quote(['git', 'log', ref])`: of a list that begins with a program of the author's nobody chooses another. */
function ofKnownProgram([list]: readonly Given[], machine: Machine): number {
  const first = list?.value.fields?.get('0');
  return typeof first?.constant === 'string' ? machine.rules.bitOf('chosen-program') : 0;
}

/** `format('SELECT * FROM %s', name)` of pg-format: `%I` and `%L` put in a name and a text, `%s` what it is given. */
const putsInAsTheyAre = ({ name }: Called, [first]: readonly Given[]): boolean =>
  name.startsWith('pg-format') &&
  typeof first?.value.constant === 'string' &&
  /%(?:\d{1,3}\$)?s/.test(first.value.constant);

/** Functions of libraries, and what nothing is known of. */
function callOther(
  expression: CallExpression,
  called: Called,
  args: readonly Given[],
  machine: Machine,
  frame: Frame,
): Value {
  machine.register(called.name, args, frame, expression);
  registerBuilt(expression, called, machine, frame);
  machine.events.look(called, args, machine, frame);
  const carried = machine.events.lookChannel(called, args, frame);
  if (carried !== undefined) return carried;
  checkTyped(expression, called, args, machine, frame);
  const isSink = checkSinks(expression, called, args, machine, frame);
  const sanitizers = machine.rules.sanitizers.find(plainName(called));
  if (sanitizers.length > 0 && !putsInAsTheyAre(called, args)) {
    const bits = sanitizers.reduce((a, b) => a | b, ofKnownProgram(args, machine));
    return cleared(unknownResult(expression, called, args, machine, frame), bits);
  }
  const only = findOnly(called, machine, frame);
  if (only !== undefined && isMeantFor(called, args))
    return callProject(expression, { ...called, callee: only }, args, machine, frame);
  if (only === undefined && !isSink) machine.unresolved.note(expression.callee, called, args, frame);
  const known = knownCall(expression, called, args, machine, frame);
  if (known !== undefined) return known;
  if (only !== undefined) return callProject(expression, { ...called, callee: only }, args, machine, frame);
  runCallbacks(called, args, machine, frame);
  // What comes back from a shell, a server or a database is not what was sent.
  if (isSink)
    return (
      startedShell(called.name, args) ?? withGuard({ taints: [], ref: `${called.name}()` }, args, machine)
    );
  return withArchiveTaint(unknownResult(expression, called, args, machine, frame), frame, expression);
}
