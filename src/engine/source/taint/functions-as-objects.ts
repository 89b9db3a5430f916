/** Functions of JavaScript as objects: `f.call(…)`, `f.apply(…)`, `f.bind(…)`, and what containers and queues do with them. */
import type { Called, Given } from './frame.ts';
import { type Call, type Model, valueAt } from './model.ts';
import { checkSinks } from './sinks.ts';
import { clean, join, type Value } from './value.ts';

/** A function of a library that something else calls. */
export const calledByName = (name: string): Called => ({
  callee: { taints: [], ref: name },
  object: undefined,
  objectExpression: undefined,
  name,
  method: name.slice(name.lastIndexOf('.') + 1),
});

/** The name of a function that a library gives, rather than of what it made. */
const functionOfLibrary = (value: Value | undefined): string | undefined =>
  value?.fn === undefined && value?.ref !== undefined && /^[@\w][^()?]*\.\w+$/.test(value.ref)
    ? value.ref
    : undefined;

/** Calls a function, ours or a library's, with other arguments than those of the call. */
function calledWith(
  { expression, called, machine, frame }: Call,
  given: readonly Given[],
): Value | undefined {
  const { object } = called;
  if (object?.fn !== undefined) return machine.call(object.fn, given, frame, expression).value;
  const name = functionOfLibrary(object);
  if (name === undefined) return undefined;
  return checkSinks(expression, calledByName(name), given, machine, frame)
    ? { taints: [], ref: `${name}()` }
    : undefined;
}

/** `f.call(self, a, b)` */
export const callOfFunction: Model = (call) => calledWith(call, call.args.slice(1));

/** `f.apply(self, [a, b])` */
export const applyOfFunction: Model = (call) => {
  const list = call.args[1];
  if (list === undefined) return calledWith(call, []);
  const { fields, taints } = list.value;
  const values = fields === undefined || fields.has('*') ? undefined : [...fields.values()];
  const given = values?.map((value): Given => ({ ...list, value, isSpread: false }));
  return calledWith(call, given ?? [{ ...list, value: fields?.get('*') ?? { taints }, isSpread: true }]);
};

/** `f.bind(self)`; other libraries bind what they are given. */
export const bound: Model = (call) => {
  const { object } = call.called;
  if (object?.fn !== undefined) return object;
  const name = functionOfLibrary(object);
  return name !== undefined && valueAt(call, 0).fn === undefined && call.args.length <= 1
    ? { taints: [], ref: name }
    : valueAt(call, 0);
};

/** `container.resolve(Service)`: an object of the class that is asked for. */
export const madeByContainer: Model = ({ args, machine, frame, expression }) => {
  const cls = args.length === 1 ? args[0]?.value.cls : undefined;
  return cls === undefined ? undefined : machine.construct(cls, [], frame, expression.at);
};

/** `queue.add(() => work())` of a library that runs what it is given. */
export const runByQueue: Model = ({ called: { object }, args, machine, frame, expression }) => {
  const fn = args[0]?.value.fn;
  if (fn === undefined || object?.ref === undefined || object.fields !== undefined) return undefined;
  return /^[@\w][^?]*\(\)$/.test(object.ref) ? machine.call(fn, [], frame, expression).value : undefined;
};

/** What a function puts in the place of what a pattern finds. */
export function putInByFunction({ args, machine, frame, expression }: Call): Value {
  const fn = args[1]?.value.fn;
  return fn === undefined ? clean : machine.call(fn, [], frame, expression).value;
}

/** `new Promise((resolve, reject) => …)` and functions that only delay: what is called inside happens. */
export const ran =
  (at: number): Model =>
  ({ expression, args, machine, frame }) => {
    const { fn, others = [], ref } = args[at]?.value ?? clean;
    // `asyncio.to_thread(subprocess.run, command, shell=True)`
    if (fn === undefined && ref !== undefined && frame.module.grammar === 'python')
      checkSinks(expression, calledByName(ref), args.slice(at + 1), machine, frame);
    if (fn === undefined) return undefined;
    const given = args.slice(at + 1);
    // Any of several is meant: `to_thread(handlers[name], arguments)`.
    const values = [fn, ...others].map((each) => machine.call(each, given, frame, expression).value);
    return values.reduce((a, b) => join(a, b));
  };
