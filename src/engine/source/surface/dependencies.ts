/** What a framework of Python makes for a handler of the request: `Depends(f)`, whose own parameters are the caller's. */
import type { Expression, Parameter } from '../form/form.ts';
import { markName } from '../form/marks.ts';
import type { Given, Machine } from '../taint/frame.ts';
import { Scope } from '../taint/scope.ts';
import { topFrame } from '../taint/top-frame.ts';
import { isFreeType } from '../taint/types-of-input.ts';
import { type FunctionValue, isTainted, type Value } from '../taint/value.ts';

const depends = /^(?:Depends|Security|Provide)$/;
const inType = /\b(?:Depends|Security)\(\s*([\w.]*)/;
const deepest = 3;

/** The class that a parameter's type names, without what is put around it. */
function classOfType(
  type: string | undefined,
  { module }: FunctionValue,
  machine: Machine,
): Value | undefined {
  const own = type?.replace(/^Annotated\[\s*([\w.]+)\s*,.*$/s, '$1');
  const scope = new Scope(machine.topOf(module));
  const { instance } = machine.instanceByType(own, { module, scope }) ?? {};
  return instance && { taints: [], cls: instance };
}

/** What fills a parameter: the function or the class that is named, or the class that its type names. */
function dependencyOf({ preset, type }: Parameter, fn: FunctionValue, machine: Machine): Value | undefined {
  const frame = topFrame(fn.module, machine);
  if (preset?.is === 'call' && depends.test(markName(preset))) {
    const given = preset.args[0]?.value;
    return given === undefined ? classOfType(type, fn, machine) : machine.evaluate(given, frame);
  }
  const named = inType.exec(type ?? '')?.[1];
  if (named === undefined) return undefined;
  return /^\w+$/.test(named) ? frame.scope.find(named) : classOfType(type, fn, machine);
}

/** The value that a parameter is filled with, made of what the caller gives; undefined where nothing of it is the caller's. */
export function dependencyValue(
  parameter: Parameter,
  fn: FunctionValue,
  input: Value,
  machine: Machine,
  depth = 0,
): Value | undefined {
  const dependency = dependencyOf(parameter, fn, machine);
  if (dependency === undefined || depth > deepest) return undefined;
  const { cls } = dependency;
  const made = cls === undefined ? dependency.fn : machine.methodOf(cls, '__init__');
  if (made?.module.grammar !== 'python') return undefined;
  const expression: Expression = { is: 'literal', value: null, at: fn.fn.at, end: fn.fn.end };
  const args = made.fn.parameters.map((each): Given => {
    const inner = dependencyValue(each, made, input, machine, depth + 1);
    const isGiven = inner === undefined && dependencyOf(each, made, machine) === undefined;
    const value = isGiven && isFreeType(each.type ?? '') ? input : (inner ?? { taints: [] });
    return { value, expression, isSpread: false };
  });
  if (!args.some(({ value }) => isTainted(value))) return undefined;
  const frame = { ...topFrame(made.module, machine), fn: fn.fn };
  return cls === undefined
    ? machine.call(made, args, frame, expression).value
    : machine.construct(cls, args, frame, parameter.target.at);
}
