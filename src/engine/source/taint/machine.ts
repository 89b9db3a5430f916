import type { Argument, ClassForm, FunctionForm } from '../form/form.ts';
import type { ModuleFinder, SourceModule } from '../modules.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import { argumentFor, argumentsIn, isUnnamed, withRest, withToolName } from './arguments.ts';
import { capturedBy, isAnyTainted, signatureOfCaptured } from './captured.ts';
import { evaluate } from './expressions.ts';
import type { Frame, Given, Machine, Outcome, Register, Report } from './frame.ts';
import { initializersOf } from './accessors.ts';
import { hasInput, moved, unknown } from './call-state.ts';
import { isMaker } from './makers.ts';
import { Names } from './names.ts';
import { Events } from './events.ts';
import { withYields } from './generators.ts';
import { outcomeOf } from './outcome.ts';
import { clearedNow, exitAtEnd, never, neverReturns, partsNow } from './exits.ts';
import { execute } from './statements.ts';
import { applyFacts } from './ways.ts';
import { assign, bindParameters, presetOf, storesOf } from './targets.ts';
import { topFrame } from './top-frame.ts';
import { signatureOf, signatureOfTaints } from './signatures.ts';
import { UnresolvedCalls } from './unresolved.ts';
import { joinTaints } from './taints.ts';
import { Scope } from './scope.ts';
import {
  type ClassValue,
  clean,
  type FunctionValue,
  join,
  allTaints,
  isTainted,
  type Value,
} from './value.ts';

const callDepthLimit = 14;
/** How many kinds of calls without input a function is followed for. */
const plainCallLimit = 6;
/** The same for closures, which depend on variables around them. */
const plainClosureLimit = 24;
/** The same for a call that is given a function: each `register(name, handler)` of a project registers another one. */
const registrationLimit = 400;
/** How many kinds of calls with the same input a function is followed for, before they are told apart by input alone. */
const inputCallLimit = 12;

/** Thrown where the steps or the time are used up. */
export class BudgetSpent extends Error {}

export interface Budget {
  steps: number;
  /** As `performance.now()` counts. */
  until: number;
}

export interface MachineParts {
  modules: readonly SourceModule[];
  finder: ModuleFinder;
  rules: RuleSet;
  budget: Budget;
  report: (report: Report) => void;
  register: Register;
}

/** The interpreter: all parts, with what they share. */
export function createMachine({ modules, finder, rules, budget, report, register }: MachineParts): Machine {
  const memo = new Map<string, Outcome>();
  const plainCalls = new Map<FunctionForm, number>();
  const inputCalls = new Map<string, number>();
  const active = new Map<unknown, number>();
  const reached = new Set<FunctionForm>();
  let spent = 0;
  let toolName: string | undefined;
  let entryName: string | undefined;

  const run = (fn: FunctionValue, args: readonly Given[], depth: number): Frame => {
    const frame: Frame = {
      module: fn.module,
      scope: new Scope(fn.around ?? machine.topOf(fn.module)),
      self: fn.self,
      fn: fn.fn,
      exits: [],
      depth,
    };
    if (fn.fn.name !== '') frame.scope.variables.delete(fn.fn.name);
    const all = argumentsIn(fn, args);
    if (all !== undefined) frame.scope.variables.set('arguments', moved(all));
    bindParameters(
      fn.fn.parameters,
      (at, { target, isRest }) => {
        const value = argumentFor(args, at, target.is === 'name' ? target.name : '', isRest === true);
        return value === undefined ? undefined : moved(value);
      },
      machine,
      frame,
    );
    return frame;
  };

  const places = new Map<object, string>();
  /** A short name for a function or a class, as keys are put together often. */
  const placeOf = (fn: FunctionForm | ClassForm): string => {
    let place = places.get(fn);
    if (place === undefined) places.set(fn, (place = String(places.size)));
    return place;
  };

  /** The functions and the class that a value brings with it, with what the functions hold of their surroundings. */
  const functionsGiven = ({ fn, others = [], instance }: Value): string => {
    const given = [...(fn === undefined ? [] : [fn]), ...others];
    if (given.length === 0 && instance === undefined) return '';
    const names = given.map((each) => {
      const held = isClosure(each) ? capturedBy(each, machine.topOf(each.module)) : [];
      return `${placeOf(each.fn)}{${held.map((value) => signatureOfTaints(allTaints(value))).join(',')}}`;
    });
    return `#${names.join('+')}${instance === undefined ? '' : `@${placeOf(instance.form)}`}`;
  };

  const isClosure = (fn: FunctionValue): boolean =>
    fn.around !== undefined && fn.around !== machine.topOf(fn.module);

  /** Under what a call is remembered; undefined where it depends on more than its arguments. */
  const keyOf = (
    fn: FunctionValue,
    args: readonly Given[],
    captured: readonly Value[],
    plain: number,
  ): string | undefined => {
    const place = placeOf(fn.fn);
    const isGivenFunction = args.some(({ value }) => value.fn !== undefined);
    if (isClosure(fn) || isGivenFunction)
      return plain > (isGivenFunction || isMaker(fn) ? registrationLimit : plainClosureLimit)
        ? `${place}(…)${signatureOfCaptured(captured)}`
        : undefined;
    // Nothing can be found on a way without input: what it gives is known well enough after some rounds.
    if (plain > (isMaker(fn) ? registrationLimit : plainCallLimit)) return `${place}(…)`;
    const signature = args.map(
      ({ value, name, isSpread }) => `${name ?? ''}${isSpread ? '…' : ''}${signatureOf(value)}`,
    );
    return `${place}(${signature.join('/')})${fn.self === undefined ? '' : signatureOf(fn.self)}`;
  };

  /** The key of a call with input: of that input alone, once there were many kinds of calls with it. */
  const keyWithInput = (
    fn: FunctionValue,
    args: readonly Given[],
    captured: readonly Value[],
  ): string | undefined => {
    const key = keyOf(fn, args, captured, 0);
    if (key !== undefined && memo.has(key)) return key;
    const values = [...args.map(({ value }) => value), fn.self ?? clean, ...captured];
    const input = values.map((value) => signatureOfTaints(allTaints(value)));
    const wide = `${placeOf(fn.fn)}<${input.join('/')}>`;
    const count = (inputCalls.get(wide) ?? 0) + 1;
    inputCalls.set(wide, count);
    // Which functions it is given, and whose method it is, is no matter of degree: each of them is run.
    return count > inputCallLimit ? `${wide}${values.map(functionsGiven).join('/')}` : key;
  };

  const rememberedAs = (
    fn: FunctionValue,
    args: readonly Given[],
  ): { key: string | undefined; isPlain: boolean } => {
    const captured = isClosure(fn) ? capturedBy(fn, machine.topOf(fn.module)) : [];
    if (hasInput(fn, args) || isAnyTainted(captured))
      return { key: keyWithInput(fn, args, captured), isPlain: false };
    return { key: keyOf(fn, args, captured, plainCalls.get(fn.fn) ?? 0), isPlain: true };
  };

  const call = (fn: FunctionValue, args: readonly Given[], caller: Frame): Outcome => {
    const count = active.get(fn.fn) ?? 0;
    if (count > 1 || caller.depth > callDepthLimit) {
      const taints = joinTaints(args.map(({ value }) => allTaints(value)));
      return { ...unknown, value: { taints } };
    }
    const { key, isPlain } = rememberedAs(fn, args);
    const known = memo.get(key ?? '');
    if (known !== undefined) return known;
    if (isPlain) plainCalls.set(fn.fn, (plainCalls.get(fn.fn) ?? 0) + 1);
    else reached.add(fn.fn);
    active.set(fn.fn, count + 1);
    const frame = run(fn, args, caller.depth + 1);
    const before = { whole: clearedNow(frame), parts: partsNow(frame) };
    try {
      if (!execute(fn.fn.body, machine, frame)) exitAtEnd(frame);
    } finally {
      active.set(fn.fn, count);
    }
    const outcome = neverReturns(frame)
      ? { ...unknown, value: never }
      : withYields(outcomeOf(frame, before), frame);
    if (key !== undefined) memo.set(key, outcome);
    return outcome;
  };

  const construct = (made: ClassValue, args: readonly Given[], frame: Frame, at: number): Value => {
    // Objects of a server's whole life are one for each class: others reach them by their type.
    const isLocal = frame.fn !== undefined && frame.fn.name !== 'constructor' && frame.fn.name !== '__init__';
    const cls = isLocal ? { ...made, site: at } : made;
    const declared = cls.form.fields;
    const given = args.flatMap(({ name, value, isSpread }, at): [string, Value][] => {
      const field = name ?? declared[at]?.name;
      return field === undefined || isSpread ? [] : [[field, value]];
    });
    const self: Value = {
      taints: joinTaints(args.map(({ value, isSpread }) => (isSpread ? allTaints(value) : []))),
      instance: cls,
      ...(given.length === 0 ? {} : { fields: new Map(given) }),
    };
    machine.fieldsOf(cls);
    const constructor = machine.methodOf(cls, 'constructor') ?? machine.methodOf(cls, '__init__');
    if (constructor === undefined) {
      keepSettings(given, cls);
      const later = machine.methodOf(cls, '__post_init__');
      if (later !== undefined) call({ ...later, self }, [], frame);
      return self;
    }
    const bare: Value = { taints: [], instance: cls };
    keepFields(constructor, args, cls);
    call({ ...constructor, self: bare }, args, frame);
    return bare;
  };

  /** What the author puts into `&Handler{roots: roots}` is known of objects that are reached by their type alone. */
  const keepSettings = (given: readonly (readonly [string, Value])[], cls: ClassValue): void => {
    const fields = storesOf(cls, machine).at(-1) ?? new Map<string, Value>();
    for (const [name, value] of given)
      if (!isTainted(value)) fields.set(name, join(fields.get(name) ?? clean, moved(value)));
  };

  /** `constructor(private readonly git: Git)` declares fields. */
  const keepFields = (constructor: FunctionValue, args: readonly Given[], cls: ClassValue): void => {
    constructor.fn.parameters.forEach((parameter, at) => {
      const { isField, target, type, preset } = parameter;
      if (isField !== true || target.is !== 'name') return;
      const scope = cls.around ?? machine.topOf(cls.module);
      const own = preset && presetOf(parameter, machine, topFrame(cls.module, machine));
      const value = args[at]?.value ?? own ?? machine.instanceByType(type, { module: cls.module, scope });
      if (value === undefined) return;
      for (const fields of storesOf(cls, machine))
        fields.set(target.name, join(fields.get(target.name) ?? value, moved(value)));
    });
  };

  const names = new Names(modules, finder, {
    runTop: (module, scope) => {
      const frame: Frame = { module, scope, self: undefined, fn: undefined, exits: [], depth: 0 };
      execute(module.form.body, machine, frame);
    },
    fillFields: (cls, fields) => {
      const frame: Frame = {
        module: cls.module,
        scope: new Scope(cls.around ?? machine.topOf(cls.module)),
        self: { taints: [], instance: cls },
        fn: undefined,
        exits: [],
        depth: 0,
      };
      for (const { name, type, value } of cls.form.fields) {
        const made =
          value === undefined ? machine.instanceByType(type, frame) : evaluate(value, machine, frame);
        if (made !== undefined) fields.set(name, made);
      }
      for (const fn of initializersOf(cls)) call(fn, [], frame);
      const constructor = machine.methodOf(cls, 'constructor') ?? machine.methodOf(cls, '__init__');
      if (constructor === undefined) return;
      keepFields(constructor, [], cls);
      call({ ...constructor, self: { taints: [], instance: cls } }, [], frame);
    },
  });

  const machine: Machine = {
    rules,
    finder,
    evaluate: (expression, frame) => evaluate(expression, machine, frame),
    execute: (statements, frame) => execute(statements, machine, frame),
    assign: (target, value, frame) => assign(target, value, machine, frame),
    call,
    construct,
    given: (args: readonly Argument[], frame) =>
      withRest(
        args.map(({ value: expression, name }) => ({
          value: evaluate(expression, machine, frame),
          expression,
          isSpread: expression.is === 'spread',
          ...(name === undefined ? {} : { name }),
        })),
      ),
    global: (name, module) => names.global(name, module),
    topOf: (module) => names.topOf(module),
    fieldsOf: (cls) => names.fieldsOf(cls),
    methodOf: (cls, name) => names.methodOf(cls, name),
    methodsBelow: (cls, name) => names.methodsBelow(cls, name),
    instanceByType: (type, frame) => names.instanceByType(type, frame),
    onlyMethod: (name) => names.onlyMethod(name),
    report: (found) => {
      const name = toolName ?? (isUnnamed(found) ? entryName : undefined);
      report(name === undefined ? found : withToolName(found, name));
    },
    forEntry: (name, body) => {
      const before = entryName;
      entryName = name ?? before;
      try {
        return body();
      } finally {
        entryName = before;
      }
    },
    forTool: (name, body) => {
      const before = toolName;
      toolName = name ?? before;
      try {
        return body();
      } finally {
        toolName = before;
      }
    },
    register: (name, args, frame, at) => register(name, args, frame, machine, at),
    learn: applyFacts,
    forget: () => memo.clear(),
    taintedState: () =>
      new Set([
        ...names.taintedState(),
        ...(machine.events.carries ? ['recv', 'try_recv', 'blocking_recv'] : []),
      ]),
    events: new Events(),
    unresolved: new UnresolvedCalls(),
    deferred: [],
    wasReached: (fn) => reached.has(fn),
    spend: () => {
      spent++;
      if (spent > budget.steps || ((spent & 1023) === 0 && performance.now() > budget.until))
        throw new BudgetSpent('no steps left');
    },
  };
  return machine;
}
