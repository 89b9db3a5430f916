import { checksAddresses, isDenying, isThrowing } from './address-checks.ts';
import { type Frame, type Given, type Machine, type Outcome, pathOf, pathText } from './frame.ts';
import { type Check, type Fact, type FunctionValue, pathLimit, type Scope } from './value.ts';

/** Whether the variables around a closure are those of the function at hand. */
export function seesAround(fn: FunctionValue, frame: Frame): boolean {
  for (let scope: Scope | undefined = frame.scope; scope !== undefined; scope = scope.around)
    if (scope === fn.around) return true;
  return false;
}

/** Facts of a function about its parameters, as facts about what was given. */
function outcomeFacts(bits: readonly number[], args: readonly Given[]): Fact[] {
  return args.flatMap((arg, at) => {
    const mask = bits[at] ?? 0;
    if (mask === 0) return [];
    const own = pathOf(arg.expression);
    const paths = new Set([...(own === undefined ? [] : [pathText(own)]), ...(arg.value.of ?? [])]);
    return [...paths].map((path) => ({ path: path.split('\0'), bits: mask }));
  });
}

/** What was given for a part: in an object that is written there, or in a variable. */
function pathsOfPart({ expression, value }: Given, name: string): string[] {
  const entry = expression.is === 'object' ? expression.entries.find(({ key }) => key === name) : undefined;
  const own = entry === undefined ? pathOf(expression) : pathOf(entry.value);
  const written = own === undefined ? [] : [pathText(entry === undefined ? [...own, name] : own)];
  return [...written, ...(value.fields?.get(name)?.of ?? [])];
}

/** Facts of a function about parts of its parameters, as facts about what was given. */
function partFacts(parts: ReadonlyMap<string, number>, args: readonly Given[]): Fact[] {
  return [...parts].flatMap(([part, bits]) => {
    const [at = '', name = ''] = part.split('\0');
    const arg = args[Number(at)];
    if (arg === undefined) return [];
    return [...new Set(pathsOfPart(arg, name))].map((path) => ({ path: path.split('\0'), bits }));
  });
}

/** What a call shows of what it was given: by what its function does, or by the addresses that it knows. */
export function factsOfOutcome(
  outcome: Outcome,
  fn: FunctionValue,
  args: readonly Given[],
  machine: Machine,
  frame: Frame,
): Check & { always: Fact[] } {
  const bits = checksAddresses(fn, machine) ? machine.rules.bitOf('server-side-request-forgery') : 0;
  const addresses = outcomeFacts(
    args.map(() => bits),
    args,
  );
  const around = seesAround(fn, frame) ? outcome.around : undefined;
  const denies = bits !== 0 && isDenying(fn);
  return {
    always: [
      ...outcomeFacts(outcome.always, args),
      ...partFacts(outcome.parts.always, args),
      ...(around?.always ?? []),
      ...(bits !== 0 && isThrowing(fn) ? addresses : []),
    ],
    yes: [
      ...outcomeFacts(outcome.yes, args),
      ...partFacts(outcome.parts.yes, args),
      ...(around?.yes ?? []),
      ...(denies ? [] : addresses),
    ],
    no: [
      ...outcomeFacts(outcome.no, args),
      ...partFacts(outcome.parts.no, args),
      ...(denies ? addresses : []),
    ],
  };
}

/** Paths that begin at a parameter, as paths that begin at what was given for it. */
export function pathsOutside(of: readonly string[], { fn }: FunctionValue, args: readonly Given[]): string[] {
  const paths = of.flatMap((path) => {
    const [root = '', ...rest] = path.split('\0');
    const at = fn.parameters.findIndex(({ target }) => target.is === 'name' && target.name === root);
    const arg = args.find(({ name }) => name === root) ?? args.filter(({ name }) => name === undefined)[at];
    if (at < 0 || arg === undefined) return [];
    const own = pathOf(arg.expression);
    const given = [...(own === undefined ? [] : [pathText(own)]), ...(arg.value.of ?? [])];
    return given.map((each) => [each, ...rest].join('\0'));
  });
  return [...new Set(paths)].slice(0, pathLimit);
}
