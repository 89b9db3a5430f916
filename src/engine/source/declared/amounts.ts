/** Memory, letters, rounds and time as much as whoever calls a tool says. */
import type { Argument, Expression, FunctionForm } from '../form/form.ts';
import type { SourceModule } from '../modules.ts';
import { FormWalk } from '../patterns/walk.ts';
import type { Handler } from '../surface/entrances.ts';
import {
  amountsIn,
  type Amounts,
  inputsOf,
  isBoundBySchema,
  isBoundInCode,
  namesOfTarget,
} from './amount-names.ts';
import type { Own, ProjectFunctions } from './project-functions.ts';

export interface Unbounded {
  module: SourceModule;
  at: number;
  end: number;
  what: string;
}

/** What takes as much as an argument says: by its name, with the place of the argument. */
const takes: readonly (readonly [RegExp, number])[] = [
  [/^Buffer\.alloc(?:Unsafe(?:Slow)?)?$/, 0],
  [
    /(?:^|\.)(?:Array|ArrayBuffer|SharedArrayBuffer|(?:Uint|Int|Float|BigInt|BigUint)\d+(?:Clamped)?Array)$/,
    0,
  ],
  [/\.(?:repeat|padStart|padEnd)$/, 0],
  [/(?:^|\.)randomBytes$/, 0],
  [/^(?:bytearray|bytes)$/, 0],
  [/^(?:x?range)$/, -1],
  [/^(?:time|asyncio|trio|anyio|gevent)\.sleep$/, 0],
  [/^(?:np|numpy|torch)\.(?:zeros|ones|empty|full|arange|identity|eye)$/, 0],
  [/^(?:os\.urandom|secrets\.token_(?:bytes|hex|urlsafe)|random\.randbytes)$/, 0],
  [/^make$/, 1],
  [/^(?:strings|bytes)\.Repeat$/, 1],
  [/^time\.Sleep$/, 0],
  [/^Thread\.sleep$|^TimeUnit\.\w+\.sleep$/, 0],
  [/Vec\.with_capacity$|String\.with_capacity$/, 0],
  [/(?:thread|time)\.sleep$/, 0],
];

const nameOf = (callee: Expression): string => {
  if (callee.is === 'name') return callee.name;
  return callee.is === 'member' ? `${nameOf(callee.object)}.${callee.property}` : '';
};

/** Of `Array.from({ length: count })`. */
const lengthsOf = (given: Expression | undefined): Expression[] =>
  given?.is === 'object' ? given.entries.filter(({ key }) => key === 'length').map(({ value }) => value) : [];

/** The expressions that say how much a call takes. */
function amountsOfCall(callee: Expression, args: readonly Argument[]): Expression[] {
  const name = nameOf(callee);
  const positional = args.filter((each) => each.name === undefined).map(({ value }) => value);
  const [first, second] = positional;
  if (name === 'Array.from') return lengthsOf(first);
  // `new Promise((resolve) => setTimeout(resolve, ms))` waits; other timers only say when something ends.
  if (name === 'setTimeout' && first?.is === 'name' && second !== undefined) return [second];
  if (name === 'Array' && positional.length !== 1) return [];
  const place = takes.find(([pattern]) => pattern.test(name))?.[1];
  const amount = place === undefined ? undefined : positional.at(place);
  return amount === undefined ? [] : [amount];
}

/** `[0] * count`, `"-" * width`, `text * times` of Python. */
function isRepeated(
  { operator, left, right }: Extract<Expression, { is: 'binary' }>,
  { parameters }: FunctionForm,
) {
  const isText = (side: Expression): boolean =>
    side.is === 'list' ||
    (side.is === 'literal' && typeof side.value === 'string') ||
    (side.is === 'name' &&
      parameters.some(
        ({ target, type }) => type === 'str' && target.is === 'name' && target.name === side.name,
      ));
  return operator === '*' && (isText(left) || isText(right));
}

const depthLimit = 3;
const namesOfWaiting = /timeout|interval|deadline|expir|ttl/i;

class AmountFinder {
  readonly #functions: ProjectFunctions;
  readonly #texts: readonly string[];
  readonly #bySchema = new Map<string, boolean>();
  readonly #seen = new Set<string>();
  readonly found: Unbounded[] = [];

  constructor(modules: readonly SourceModule[], functions: ProjectFunctions) {
    this.#functions = functions;
    this.#texts = modules.map(({ text }) => text);
  }

  #isSaid(name: string): boolean {
    let said = this.#bySchema.get(name);
    if (said === undefined) this.#bySchema.set(name, (said = isBoundBySchema(name, this.#texts)));
    return said;
  }

  /** Whether nothing says how much one of these is at most. */
  #isOpen(names: readonly string[], known: Amounts, code: string, depth = 0): boolean {
    return names.some((name) => {
      if (isBoundInCode(name, code) || namesOfWaiting.test(name)) return false;
      const made = known.get(name) ?? [];
      if (made.length > 0 && depth < 4) return this.#isOpen(made, known, code, depth + 1);
      return !this.#isSaid(name);
    });
  }

  look(own: Own, inputs: Amounts, depth = 0): void {
    const { module, fn } = own;
    const key = `${module.path} ${fn.at} ${[...inputs.keys()].join()}`;
    if (inputs.size === 0 || this.#seen.has(key)) return;
    this.#seen.add(key);
    const known = new Map(inputs);
    const code = this.#functions.codeOf(module, fn);
    const told = new Set<string>();
    const note = (amount: Expression, { at, end }: { at: number; end: number }): void => {
      const names = amountsIn(amount, known);
      // Where one value is used twice, the first place is the weakness.
      if (names.every((name) => told.has(name)) || !this.#isOpen(names, known, code)) return;
      for (const name of names) told.add(name);
      const what = `\`${module.text.slice(at, Math.min(end, at + 80)).split('\n')[0] ?? ''}\``;
      this.found.push({ module, at, end, what });
    };
    const nothing = (): void => undefined;
    new FormWalk({
      fn: nothing,
      entry: nothing,
      variable: (target, value) => {
        const names = value === undefined ? [] : amountsIn(value, known);
        const isWhole = target.is === 'fields' && names.length > 0;
        if (names.length > 0)
          for (const name of namesOfTarget(target))
            known.set(name, isWhole ? [] : names.filter((each) => each !== name));
      },
      call: (call) => {
        for (const amount of amountsOfCall(call.callee, call.args)) note(amount, call);
        if (depth < depthLimit) this.#handOn(call, known, { own, code, depth });
      },
      binary: (expression) => {
        if (isRepeated(expression, fn)) note(expression, expression);
      },
      loop: ({ test, over, body, at }) => {
        const isCounted = over === undefined && test?.is === 'binary' && /^<=?$/.test(test.operator);
        const last = body.at(-1);
        if (!isCounted || last === undefined) return;
        const isLeft = /\bbreak\b|\breturn\b|\bthrow\b/.test(module.text.slice(at, last.end));
        if (!isLeft) note(test.right, { at, end: test.end });
      },
    }).run(fn.body);
  }

  /** What a function is given of it. */
  #handOn(
    { callee, args }: Extract<Expression, { is: 'call' }>,
    known: Amounts,
    { own: { module, fn }, code, depth }: { own: Own; code: string; depth: number },
  ): void {
    const name = nameOf(callee).split('.').at(-1) ?? '';
    const given = args.map(({ name: named, value }) => ({ named, names: amountsIn(value, known), value }));
    const isOpen = ({ names }: { names: readonly string[] }) =>
      names.length > 0 && this.#isOpen(names, known, code);
    if (name.length < 3 || !given.some(isOpen)) return;
    for (const own of this.#functions.named(name, module, fn)) {
      const inputs = new Map<string, readonly string[]>();
      const parameters = withoutSelf(own.fn);
      given.forEach((each, at) => {
        if (!isOpen(each)) return;
        const target = each.named === undefined ? parameters[at]?.target : undefined;
        const names =
          each.named === undefined ? (target === undefined ? [] : namesOfTarget(target)) : [each.named];
        for (const parameter of names) inputs.set(parameter, []);
      });
      this.look(own, inputs, depth + 1);
    }
  }
}

const withoutSelf = ({ parameters }: FunctionForm): FunctionForm['parameters'] => {
  const [first] = parameters;
  const isSelf = first?.target.is === 'name' && /^(?:self|cls)$/.test(first.target.name);
  return isSelf ? parameters.slice(1) : parameters;
};

/** Places where as much is done as somebody else says. */
export function unboundedAmounts(
  modules: readonly SourceModule[],
  handlers: readonly Handler[],
  functions: ProjectFunctions,
): Unbounded[] {
  const finder = new AmountFinder(modules, functions);
  for (const { kind, fn } of handlers)
    if (kind === 'tool' || kind === 'http')
      finder.look({ module: fn.module, fn: fn.fn, name: fn.fn.name }, inputsOf(fn.fn));
  return finder.found;
}
