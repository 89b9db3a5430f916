import { checksAddresses, isDenying, isThrowing } from './address-checks.ts';
import { type Frame, type Given, type Machine, type Outcome, pathOf, pathText } from './frame.ts';
import {
  type Check,
  type Fact,
  type FunctionValue,
  pathLimit,
  type Value,
  type Surroundings,
} from './value.ts';

/** Whether the variables around a closure are those of the function at hand. */
export function seesAround(fn: FunctionValue, frame: Frame): boolean {
  for (let scope: Surroundings | undefined = frame.scope; scope !== undefined; scope = scope.around)
    if (scope === fn.around) return true;
  return false;
}

/** Adds facts of a function about its parameters, as facts about what was given. */
function addOutcomeFacts(bits: readonly number[], args: readonly Given[], facts: Fact[]): void {
  args.forEach((arg, at) => {
    const mask = bits[at] ?? 0;
    if (mask === 0) return;
    const own = pathOf(arg.expression);
    const paths = new Set([...(own === undefined ? [] : [pathText(own)]), ...(arg.value.of ?? [])]);
    for (const path of paths) facts.push({ path: path.split('\0'), bits: mask });
  });
}

/** What was given for a part: in an object that is written there, or in a variable. */
function pathsOfPart({ expression, value }: Given, name: string): string[] {
  const entry = expression.is === 'object' ? expression.entries.find(({ key }) => key === name) : undefined;
  const own = entry === undefined ? pathOf(expression) : pathOf(entry.value);
  const written = own === undefined ? [] : [pathText(entry === undefined ? [...own, name] : own)];
  return [...written, ...(value.fields?.get(name)?.of ?? [])];
}

/** Adds facts of a function about parts of its parameters, as facts about what was given. */
function addPartFacts(parts: ReadonlyMap<string, number>, args: readonly Given[], facts: Fact[]): void {
  for (const [part, bits] of parts) {
    const [at = '', name = ''] = part.split('\0');
    const arg = args[Number(at)];
    if (arg === undefined) continue;
    for (const path of new Set(pathsOfPart(arg, name))) facts.push({ path: path.split('\0'), bits });
  }
}

/** What the function's ways out show, in the order of the arguments. */
function factsBy(outcome: Outcome, kind: 'always' | 'yes' | 'no', args: readonly Given[]): Fact[] {
  const facts: Fact[] = [];
  addOutcomeFacts(outcome[kind], args, facts);
  addPartFacts(outcome.parts[kind], args, facts);
  return facts;
}

/** What a call shows of what it was given: by what its function does, or by the addresses that it knows. */
export function factsOfOutcome(
  outcome: Outcome,
  fn: FunctionValue,
  args: readonly Given[],
  machine: Machine,
  frame: Frame,
): Check & { always: Fact[] } {
  const always = factsBy(outcome, 'always', args);
  const yes = factsBy(outcome, 'yes', args);
  const no = factsBy(outcome, 'no', args);
  if (outcome.around.always.length + outcome.around.yes.length > 0 && seesAround(fn, frame)) {
    always.push(...outcome.around.always);
    yes.push(...outcome.around.yes);
  }
  if (checksAddresses(fn, machine)) {
    const mask = machine.rules.bitOf('server-side-request-forgery');
    const addresses: Fact[] = [];
    addOutcomeFacts(
      args.map(() => mask),
      args,
      addresses,
    );
    (isDenying(fn) ? no : yes).push(...addresses);
    if (isThrowing(fn)) always.push(...addresses);
  }
  return { always, yes, no };
}

/** Paths that begin at a parameter, as paths that begin at what was given for it. */
function pathsOutside(of: readonly string[], { fn }: FunctionValue, args: readonly Given[]): string[] {
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

/** What a function gave, with paths that begin at what it was given; what it tests is of variables that are gone. */
export function outside(value: Value, fn: FunctionValue, args: readonly Given[]): Value {
  if (value.rest !== undefined) {
    const { rest, ...first } = value;
    return { ...outside(first, fn, args), rest: rest.map((each) => outside(each, fn, args)) };
  }
  if (value.of === undefined && value.check === undefined) return value;
  const { of, check: _, ...others } = value;
  const paths = of === undefined ? [] : pathsOutside(of, fn, args);
  return paths.length === 0 ? others : { ...others, of: paths };
}
