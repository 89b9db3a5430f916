import type { Parameter, Target } from '../form/form.ts';
import type { Frame } from './frame.ts';
import { allTaints, clean, type Fact, type Value } from './value.ts';

/** Bits that all taints of a value have cleared. */
function clearedIn(value: Value | undefined): number {
  const taints = value === undefined ? [] : allTaints(value);
  if (taints.length === 0) return 0;
  let bits = ~0;
  for (const { cleared } of taints) bits &= cleared;
  return bits;
}

const noParameters: readonly Parameter[] = [];

const parametersOf = ({ fn }: Frame): readonly Parameter[] => fn?.parameters ?? noParameters;

const nameOf = ({ target }: Parameter): string | undefined =>
  target.is === 'name' ? target.name : undefined;

/** Bits that are cleared in each parameter now. */
export const clearedNow = (frame: Frame): number[] =>
  parametersOf(frame).map((parameter) => {
    const name = nameOf(parameter);
    return clearedIn(name === undefined ? undefined : frame.scope.find(name));
  });

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
  new Map(parametersOf(frame).flatMap(({ target }, at) => partsOfTarget(target, at, frame)));

type Bits = Map<string, number>;
const noBits: ReadonlyMap<string, number> = new Map();

/** Adds what is cleared in the parts of one parameter: this runs at every way out, and most have nothing to tell. */
function addParts(target: Target, at: number, frame: Frame, known: Bits | undefined): Bits | undefined {
  let bits = known;
  const add = (name: string, value: Value | undefined) => {
    const cleared = clearedIn(value);
    if (cleared !== 0) (bits ??= new Map<string, number>()).set(partOf(at, name), cleared);
    else bits?.delete(partOf(at, name));
  };
  if (target.is === 'fields') {
    for (const { key, target: local } of target.fields)
      if (key !== undefined && local.is === 'name') add(key, frame.scope.find(local.name));
  } else if (target.is === 'name')
    for (const [name, value] of frame.scope.find(target.name)?.fields ?? noFields)
      if (name !== '*') add(name, value);
  return bits;
}

const noFields: ReadonlyMap<string, Value> = new Map();

/** Bits that are cleared in each part of the parameters now. */
export function partsNow(frame: Frame): ReadonlyMap<string, number> {
  let bits: Bits | undefined;
  parametersOf(frame).forEach(({ target }, at) => {
    bits = addParts(target, at, frame, bits);
  });
  return bits ?? noBits;
}

const noFacts: readonly Fact[] = [];

/** What a closure has learned of variables that lie around it: they were shadowed where a test showed something. */
function factsAround(frame: Frame): readonly Fact[] {
  const { around, variables } = frame.scope;
  // Variables at the top of a module hold nothing that somebody else chose.
  if (around?.around === undefined) return noFacts;
  const parameters = parametersOf(frame);
  let facts: Fact[] | undefined;
  for (const [name, value] of variables) {
    const now = clearedIn(value);
    if (now === 0 || parameters.some((each) => nameOf(each) === name)) continue;
    const before = around.find(name);
    const bits = before === undefined ? 0 : now & ~clearedIn(before);
    if (bits !== 0) (facts ??= []).push({ path: [name], bits });
  }
  return facts ?? noFacts;
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
