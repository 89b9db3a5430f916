import type { Argument, Expression, FunctionForm, Statement, Target } from '../form/form.ts';
import type { ModuleFinder, SourceModule } from '../modules.ts';
import type { RuleSet, SinkOf } from '../rules/rule-set.ts';
import type { Step, Taint } from './taints.ts';
import type { Scope } from './scope.ts';
import type { ClassValue, Fact, FunctionValue, Surroundings, Value } from './value.ts';

/** One way out of a function: what it gives, and what is known of its parameters there. */
interface Exit {
  value: Value;
  /** Bits cleared in each parameter, by position. */
  cleared: readonly number[];
  /** The same for parts of the parameters. */
  parts: ReadonlyMap<string, number>;
  /** What is known of variables of the functions around. */
  around: readonly Fact[];
}

/** A function while it is followed. */
export interface Frame {
  module: SourceModule;
  scope: Scope;
  self: Value | undefined;
  /** The function itself; undefined at the top of a module. */
  fn: FunctionForm | undefined;
  exits: Exit[];
  depth: number;
  /** What it gives out with `yield`, one by one. */
  yields?: Value;
  /** Of the loop at hand: what holds where a round ends before the end of the body. */
  rounds?: Map<string, Value>[];
}

/** An argument as it was evaluated. */
export interface Given {
  value: Value;
  name?: string;
  expression: Expression;
  isSpread: boolean;
}

/** What is called, as far as it is known. */
export interface Called {
  callee: Value;
  /** What the method is called on. */
  object: Value | undefined;
  objectExpression: Expression | undefined;
  /** `child_process.exec`; with `?` in front where its root is not known. */
  name: string;
  /** Its last part. */
  method: string;
}

/** The name of what is called, whether or not its root is known. */
export const plainName = ({ name }: Called): string => (name.startsWith('?') ? name.slice(1) : name);

/** What a call of a function of the project came to. */
export interface Outcome {
  value: Value;
  /** Bits that are cleared in the arguments where the call came back. */
  always: readonly number[];
  /** The same where it came back with yes, and with no. */
  yes: readonly number[];
  no: readonly number[];
  /** The same for parts of the arguments, by position and name. */
  parts: {
    always: ReadonlyMap<string, number>;
    yes: ReadonlyMap<string, number>;
    no: ReadonlyMap<string, number>;
  };
  /** What a closure shows of variables around it: always, and where it came back with yes. */
  around: { always: readonly Fact[]; yes: readonly Fact[] };
}

export interface Report {
  taint: Taint;
  sink: SinkOf;
  module: SourceModule;
  at: number;
  end: number;
  callee: string;
  /** The function that the place is in; undefined at the top of a module. */
  fn: FunctionForm | undefined;
  /** The whole value was the source's, nothing was put before or after. */
  isWhole: boolean;
  /** The program that is started and its first word, where they are known. */
  command?: string;
  /** A call on the way has no known target, and a function was matched with it by name. */
  isMatchedByName?: true;
  /** The parameter of a tool that the value was taken from, and what all who declare it say of it. */
  declared?: { name: string; said: readonly string[]; isNarrow: boolean };
  /** Neither a tool that is offered nor a parameter of one: what answers for several, such as a table of handlers. */
  isUnspecific?: true;
  /** Another tool of the server is there to be given any statement of the same kind. */
  isSurpassed?: true;
  /** The project means to keep callers within less than what the parameter says. */
  isLimited?: true;
  /** It is used by what checks it itself: no weakness, nor is where it was made. */
  isGuarded?: true;
}

/** A call with input whose target is not known: through an interface, a registry, a framework that puts parts together. */
export interface UnresolvedCall {
  /** The method's name; for a function that came out of a table, the name of the variable. */
  name: string;
  /** Whether a function was called that is held as a value, so that its name says nothing. */
  isOfValue: boolean;
  args: readonly Given[];
}

export interface UnresolvedCallLog {
  /** Remembers a call if nothing is known of what it is a call of. */
  note: (callee: Expression, called: Called, args: readonly Given[], frame: Frame) => void;
  /** What was noted since it was asked last. */
  take: () => readonly UnresolvedCall[];
}

/** What the parts of the interpreter ask of each other. */
export interface Machine {
  rules: RuleSet;
  finder: ModuleFinder;
  evaluate: (expression: Expression, frame: Frame) => Value;
  execute: (statements: readonly Statement[], frame: Frame) => boolean;
  assign: (target: Target, value: Value, frame: Frame) => void;
  call: (fn: FunctionValue, args: readonly Given[], frame: Frame, at: Expression) => Outcome;
  /** A new object, made by the expression at this place. */
  construct: (cls: ClassValue, args: readonly Given[], frame: Frame, at: number) => Value;
  given: (args: readonly Argument[], frame: Frame) => Given[];
  /** The value of a name that is no variable here. */
  global: (name: string, module: SourceModule) => Value | undefined;
  /** The scope of a module after its top was followed. */
  topOf: (module: SourceModule) => Scope;
  /** What a class is known to hold in its fields. */
  fieldsOf: (cls: ClassValue) => Map<string, Value>;
  methodOf: (cls: ClassValue, name: string) => FunctionValue | undefined;
  /** Methods of this name in the classes derived from one. */
  methodsBelow: (cls: ClassValue, name: string) => readonly FunctionValue[];
  /** An instance by the text of a type. */
  instanceByType: (
    type: string | undefined,
    frame: { module: SourceModule; scope: Surroundings },
  ) => Value | undefined;
  /** The only function of the project with this name. */
  onlyMethod: (name: string) => FunctionValue | undefined;
  report: (report: Report) => void;
  /** Looks whether a call, a decorator or an object offers a handler, and notes it. */
  register: (name: string, args: readonly Given[], frame: Frame, at: Expression) => void;
  /** Takes in what is known from here on. */
  learn: (facts: readonly Fact[], frame: Frame) => void;
  /** Drops what calls came to: what fields hold has changed since. */
  forget: () => void;
  /** Runs what a server does for the tool of this name. */
  forTool: <T>(name: string | undefined, body: () => T) => T;
  /** Runs one of several functions of a table, under its name there. */
  forEntry: <T>(name: string | undefined, body: () => T) => T;
  /** Names of fields and of variables of modules that hold what somebody else chose. */
  taintedState: () => Set<string>;
  events: Messages;
  /** Calls with input whose target is not known. */
  unresolved: UnresolvedCallLog;
  /** Functions that the top of a module gave away to be called later, and their frames. */
  deferred: FunctionValue[];
  /** Whether a function was called with what somebody else chose. */
  wasReached: (fn: FunctionForm) => boolean;
  /** Counts a step; throws when there were too many. */
  spend: () => void;
}

/** Looks whether a call, a decorator or an object offers a handler or says what is offered. */
export type Register = (
  name: string,
  args: readonly Given[],
  frame: Frame,
  machine: Machine,
  at: Expression,
) => void;

/** What functions send each other by the name of an event, or through a channel. */
export interface Messages {
  /** Whether something of a channel is somebody else's. */
  readonly carries: boolean;
  /** What a call that sends to a channel, or receives from one, comes to; undefined for all others. */
  lookChannel(called: Called, args: readonly Given[], frame: Frame): Value | undefined;
  /** Looks whether a call names a listener, or sends to those there are. */
  look(called: Called, args: readonly Given[], machine: Machine, frame: Frame): void;
}

/** The path of a variable or a property: `['request', 'params']`; undefined for what has none. */
export function pathOf(expression: Expression | Target): string[] | undefined {
  if (expression.is === 'name') return [expression.name];
  if (expression.is !== 'member' && expression.is !== 'index') return undefined;
  const object = pathOf(expression.object);
  if (object === undefined) return undefined;
  if (expression.is === 'member') return [...object, expression.property];
  return expression.key.is === 'literal' ? [...object, String(expression.key.value)] : undefined;
}

/** Text of an access path for `of`. */
export const pathText = (path: readonly string[]): string => path.join('\0');

/** Where a way begins. */
export function firstStep(step: Step): Step {
  let first = step;
  while (first.before !== undefined) first = first.before;
  return first;
}

/** The same value with bits set again: what was joined to it undid a check. */
export const reopened = (taints: readonly Taint[], bits: number): readonly Taint[] =>
  taints.every(({ cleared }) => (cleared & bits) === 0)
    ? taints
    : taints.map((taint) =>
        (taint.cleared & bits) === 0 ? taint : { ...taint, cleared: taint.cleared & ~bits },
      );

/** Adds a step to all taints, where it is on another line than the last. */
export function stepped(
  taints: readonly Taint[],
  frame: Frame,
  span: { at: number; end: number },
): readonly Taint[] {
  if (taints.length === 0) return taints;
  const { module } = frame;
  const { at, end } = span;
  let longer: Taint[] | undefined;
  for (let index = 0; index < taints.length; index++) {
    const taint = taints[index];
    if (taint === undefined) continue;
    const { step } = taint;
    if (step.count > 40 || (step.module === module && step.at === at)) continue;
    longer ??= [...taints];
    longer[index] = { ...taint, step: { module, at, end, text: '', before: step, count: step.count + 1 } };
  }
  return longer ?? taints;
}

/** Facts on one path are added up. */
export function mergedFacts(facts: readonly Fact[]): Fact[] {
  const byPath = new Map<string, Fact>();
  for (const { path, bits, isEmpty } of facts) {
    const key = pathText(path);
    const known = byPath.get(key);
    const empty = isEmpty ?? known?.isEmpty;
    byPath.set(key, { path, bits: (known?.bits ?? 0) | bits, ...(empty === true ? { isEmpty: empty } : {}) });
  }
  return [...byPath.values()];
}

/** Facts that hold on both ways. */
export function commonFacts(a: readonly Fact[], b: readonly Fact[]): Fact[] {
  const second = new Map(mergedFacts(b).map((fact) => [pathText(fact.path), fact]));
  return mergedFacts(a)
    .map(({ path, bits, isEmpty }): Fact => {
      const other = second.get(pathText(path));
      const empty = isEmpty === true && other?.isEmpty === true;
      return { path, bits: bits & (other?.bits ?? 0), ...(empty ? { isEmpty: true } : {}) };
    })
    .filter(({ bits }) => bits !== 0);
}

/** Whether a name is the object that a method was called on. */
export const isSelf = (name: string, frame: Frame): boolean =>
  frame.self !== undefined && (name === 'this' || name === frame.fn?.receiver || isSelfAround(name, frame));

/** A function within a method of Python knows the object by the name that the method has for it. */
const isSelfAround = (name: string, { fn, module }: Frame): boolean =>
  (name === 'self' || name === 'cls') &&
  module.grammar === 'python' &&
  fn !== undefined &&
  fn.receiver === undefined &&
  fn.owner === undefined &&
  !fn.parameters.some(({ target }) => target.is === 'name' && target.name === name);
