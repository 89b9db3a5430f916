import type { Target } from '../form/form.ts';
import type { Frame } from './frame.ts';
import { allTaints, clean, type Fact, type Value } from './value.ts';

/** Bits that all taints of a value have cleared. */
function clearedIn(value: Value | undefined): number {
  const taints = value === undefined ? [] : allTaints(value);
  return taints.length === 0 ? 0 : taints.reduce((bits, taint) => bits & taint.cleared, ~0);
}

const parameterNames = (frame: Frame): (string | undefined)[] =>
  (frame.fn?.parameters ?? []).map(({ target }) => (target.is === 'name' ? target.name : undefined));

/** Bits that are cleared in each parameter now. */
export const clearedNow = (frame: Frame): number[] =>
  parameterNames(frame).map((name) => clearedIn(name === undefined ? undefined : frame.scope.find(name)));

/** The path of a part of a parameter: of its position and the name of the part. */
const partOf = (at: number, name: string): string => `${at}\0${name}`;

type Part = readonly [part: string, path: readonly string[]];

/** The parts that a parameter is taken apart into, or those that a test has told apart. */
function partsOfTarget(target: Target, at: number, frame: Frame): Part[] {
  if (target.is === 'fields')
    return target.fields.flatMap(({ key, target: local }): Part[] =>
      key !== undefined && local.is === 'name' ? [[partOf(at, key), [local.name]]] : [],
    );
  if (target.is !== 'name') return [];
  const names = [...(frame.scope.find(target.name)?.fields?.keys() ?? [])];
  return names.filter((name) => name !== '*').map((name) => [partOf(at, name), [target.name, name]]);
}

/** Parts of the parameters, such as `path` of `({ path })` and of `args`, each with the variable's path in the function. */
export const partsOf = (frame: Frame): Map<string, readonly string[]> =>
  new Map((frame.fn?.parameters ?? []).flatMap(({ target }, at) => partsOfTarget(target, at, frame)));

/** Bits that are cleared in each part of the parameters now. */
export function partsNow(frame: Frame): Map<string, number> {
  const bits = new Map<string, number>();
  for (const [part, [root = '', name]] of partsOf(frame)) {
    const value = frame.scope.find(root);
    const cleared = clearedIn(name === undefined ? value : value?.fields?.get(name));
    if (cleared !== 0) bits.set(part, cleared);
  }
  return bits;
}

/** What a closure has learned of variables that lie around it: they were shadowed where a test showed something. */
function factsAround(frame: Frame): Fact[] {
  const { around } = frame.scope;
  // Variables at the top of a module hold nothing that somebody else chose.
  if (around?.around === undefined) return [];
  const own = new Set(parameterNames(frame));
  return [...frame.scope.variables].flatMap(([name, value]): Fact[] => {
    const before = own.has(name) ? undefined : around.find(name);
    const bits = before === undefined ? 0 : clearedIn(value) & ~clearedIn(before);
    return bits === 0 ? [] : [{ path: [name], bits }];
  });
}

/** Notes a way out of the function, with what is known there. */
export function exitWith(value: Value, frame: Frame): void {
  frame.exits.push({
    value,
    cleared: clearedNow(frame),
    parts: partsNow(frame),
    around: factsAround(frame),
  });
}

/** What a function that ends in an error on every way is said to give. */
const neverRef = '!never';

/**
 * Whether a function comes back: `fail()` ends the way of its caller as `throw` does. Methods may be replaced below, and
 * a generator throws where it is gone through.
 */
export const neverReturns = ({ exits, fn, self, yields }: Frame): boolean =>
  exits.length === 0 && fn !== undefined && self === undefined && yields === undefined;

export const never: Value = { taints: [], ref: neverRef };

export const isNever = ({ ref }: Value): boolean => ref === neverRef;

const ending = /^(?:process\.exit|sys\.exit|os\._exit|log\.Fatal\w*|\??(?:anyhow\.)?bail|\?panic)\(\)$/;

/** Whether nothing behind the statement that gave this value is reached. */
export const endsTheWay = (value: Value): boolean =>
  isNever(value) || (value.ref !== undefined && ending.test(value.ref));

/** What falls off the end of a function. */
export const exitAtEnd = (frame: Frame): void => exitWith(clean, frame);
