import type { Expression } from '../form/form.ts';
import { type Called, type Frame, type Given, type Machine, pathOf, stepped } from './frame.ts';
import { withArchiveTaint } from './archive-entries.ts';
import { libraryCall } from './library.ts';
import { factsOfOutcome, pathsOutside } from './outcome-facts.ts';
import { checkSinks } from './sinks.ts';
import { allTaints, clean, cleared, join, joinTaints, type Value } from './value.ts';
import { propertyOf } from './properties.ts';

type CallExpression = Extract<Expression, { is: 'call' }>;

const textName = (expression: Expression): string => {
  const path = pathOf(expression);
  if (path !== undefined) return path.join('.');
  if (expression.is === 'member') return `${textName(expression.object)}.${expression.property}`;
  if (expression.is === 'call') return `${textName(expression.callee)}()`;
  return '';
};

function calledBy(expression: CallExpression, machine: Machine, frame: Frame): Called {
  const { callee: written } = expression;
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
  const object = machine.evaluate(written.object, frame);
  const callee = propertyOf(object, written.property, machine);
  const known = object.ref === undefined ? undefined : `${object.ref}.${written.property}`;
  const name = callee.ref ?? known ?? `?${textName(written)}`;
  return { callee, object, objectExpression: written.object, name, method: written.property };
}

function callProject(
  expression: CallExpression,
  called: Called,
  args: readonly Given[],
  machine: Machine,
  frame: Frame,
): Value {
  const { callee, object } = called;
  if (callee.cls !== undefined) return machine.construct(callee.cls, args, frame);
  if (callee.fn === undefined) return clean;
  const self = callee.fn.self ?? (object?.instance === undefined ? undefined : object);
  const outcome = machine.call(
    { ...callee.fn, ...(self === undefined ? {} : { self }) },
    args,
    frame,
    expression,
  );
  const facts = factsOfOutcome(outcome, callee.fn, args, machine, frame);
  if (facts.always.length > 0) machine.learn(facts.always, frame);
  const { of, check: _, ...rest } = outcome.value;
  const paths = of === undefined ? [] : pathsOutside(of, callee.fn, args);
  const value: Value = {
    ...rest,
    taints: stepped(outcome.value.taints, frame, expression),
    ...(paths.length === 0 ? {} : { of: paths }),
  };
  const { yes, no } = facts;
  return yes.length + no.length === 0 ? value : { ...value, check: { yes, no } };
}

/** Functions that are given to something unknown are run with what else is known there. */
function runCallbacks(called: Called, args: readonly Given[], machine: Machine, frame: Frame): void {
  const others = args
    .filter(({ value }) => value.fn === undefined)
    .map(({ value }) => ({ taints: allTaints(value) }));
  const given = others.reduce<Value>((a, b) => join(a, b), {
    taints: called.object === undefined ? [] : allTaints(called.object),
  });
  for (const { value, expression } of args)
    if (value.fn !== undefined) {
      const each: Given = { value: given, expression, isSpread: false };
      machine.call(value.fn, [each, each], frame, expression);
    }
}

const optionsOf = (args: readonly Given[]): ReadonlyMap<string, string> =>
  new Map(
    args.flatMap(({ name, value: { constant, ref } }) =>
      name === undefined ? [] : [[name, String(constant ?? ref ?? '')] as const],
    ),
  );

/** The result of what is not known: made of all that went in. */
function unknownResult(
  expression: CallExpression,
  called: Called,
  args: readonly Given[],
  frame: Frame,
): Value {
  const lists = [...args.map(({ value }) => allTaints(value)), called.object?.taints ?? []];
  const taints = stepped(joinTaints(lists), frame, expression);
  const ref = called.name.length > 160 ? undefined : `${called.name}()`;
  const options = optionsOf(args);
  // A schema goes on having its pattern: `z.string().regex(…).describe(…)`.
  const kept = called.object?.ref === 'RegExp()' ? undefined : called.object?.pattern;
  return {
    taints,
    ...(options.size === 0 ? {} : { options }),
    ...(kept === undefined ? {} : { pattern: kept }),
    ...(ref === undefined ? {} : { ref }),
  };
}

/** A method of an unknown object that only one class of the project has. */
function findOnly(called: Called, machine: Machine): Value | undefined {
  if (called.object === undefined || !called.name.startsWith('?')) return undefined;
  const only = machine.onlyMethod(called.method);
  return only === undefined ? undefined : { taints: [], fn: only };
}

/** What a call gives, what it reports, and what it shows where it is a test. */
export function evaluateCall(expression: CallExpression, machine: Machine, frame: Frame): Value {
  const called = calledBy(expression, machine, frame);
  const args = machine.given(expression.args, frame);
  const isOurs = called.callee.fn !== undefined || called.callee.cls !== undefined;
  if (isOurs) {
    const first = callProject(expression, called, args, machine, frame);
    return (called.callee.others ?? []).reduce(
      (value, fn) =>
        join(value, callProject(expression, { ...called, callee: { taints: [], fn } }, args, machine, frame)),
      first,
    );
  }
  machine.register(called.name, args, frame, expression);
  const isSink = checkSinks(expression, called, args, machine, frame);
  const sanitizers = machine.rules.sanitizers.find(called.name.replace(/^\?/, ''));
  if (sanitizers.length > 0) {
    const bits = sanitizers.reduce((a, b) => a | b, 0);
    return cleared(unknownResult(expression, called, args, frame), bits);
  }
  const known = libraryCall(expression, called, args, machine, frame);
  if (known !== undefined) return known;
  const only = findOnly(called, machine);
  if (only !== undefined) return callProject(expression, { ...called, callee: only }, args, machine, frame);
  runCallbacks(called, args, machine, frame);
  // What comes back from a shell, a server or a database is not what was sent.
  if (isSink) return { taints: [], ref: `${called.name}()` };
  return withArchiveTaint(unknownResult(expression, called, args, frame), frame, expression);
}
