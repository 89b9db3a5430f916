/** Functions that a module gives to others, in whatever way it is written: its users are not always seen. */
import type { Expression } from './form/form.ts';
import type { SourceModule } from './modules.ts';
import { exportsOf } from './taint/module-exports.ts';
import type { Machine } from './taint/frame.ts';
import { topFrame } from './taint/top-frame.ts';
import type { ClassValue, FunctionValue, Value } from './taint/value.ts';

/** Functions in objects within objects are no longer what a module gives. */
const depthLimit = 2;
/** A table that a program makes is no list of what it exports. */
const mostFields = 200;

export const isForOthers = (name: string): boolean => !/^[_#]/.test(name) && name !== 'constructor';

function methodsOf(cls: ClassValue, machine: Machine): FunctionValue[] {
  const self: Value = { taints: [], instance: cls };
  const own = cls.form.methods
    .filter(({ name }) => isForOthers(name))
    .map((fn): FunctionValue => ({ fn, module: cls.module, around: cls.around, self }));
  // `find = async (name) => …`
  const held = [...machine.fieldsOf(cls)]
    .filter(([name]) => isForOthers(name))
    .flatMap(([, { fn }]) => (fn === undefined ? [] : [fn]));
  return [...own, ...held];
}

/** Functions that whoever has a value can call: itself, methods, and those in its fields. */
function functionsIn(value: Value, machine: Machine, depth = 0): FunctionValue[] {
  const { fn, others = [], cls, instance, fields } = value;
  const found = [...(fn === undefined ? [] : [fn]), ...others];
  if (cls !== undefined) found.push(...methodsOf(cls, machine));
  if (instance !== undefined) found.push(...methodsOf(instance, machine));
  if (fields !== undefined && fields.size <= mostFields && depth < depthLimit)
    for (const [name, field] of fields)
      if (isForOthers(name)) found.push(...functionsIn(field, machine, depth + 1));
  return found;
}

/** Of a module of JavaScript, whose exports are values; other languages mark their declarations. */
export function exportedFunctions(module: SourceModule, machine: Machine): FunctionValue[] {
  if (!isScript(module)) return [];
  return exportsOf(module, machine).flatMap((value) => functionsIn(value, machine));
}

/** It makes functions: `return { find: async (name) => … }`. */
const makesFunctions =
  /\breturn\s{0,20}(?:\{|new\b|\(\s{0,20}\{|[\w$]{1,80}\s{0,20};?\s{0,20}\}$|(?:async\s{0,20})?(?:function\b|\())/;

/** Functions that those of a module make, given nothing that comes in: methods of `createStore(pool)`. */
export function functionsMade(made: readonly FunctionValue[], machine: Machine): FunctionValue[] {
  return made
    .filter(({ fn, module }) => isScript(module) && makesFunctions.test(module.text.slice(fn.at, fn.end)))
    .flatMap((fn) => functionsIn(resultOf(fn, machine), machine));
}

/** Where no code stands for what is called. */
export const noExpression: Expression = { is: 'literal', value: null, at: 0, end: 0 };

/** What a function gives that is given nothing. */
export const resultOf = (fn: FunctionValue, machine: Machine): Value =>
  machine.call(fn, [], topFrame(fn.module, machine), noExpression).value;

const isScript = ({ path }: SourceModule): boolean => /\.[cm]?[jt]sx?$/.test(path);
