import type { Expression } from '../form/form.ts';
import type { SourceModule } from '../modules.ts';
import type { Called, Frame, Given, UnresolvedCall, UnresolvedCallLog } from './frame.ts';
import { allTaints, type FunctionValue, isTainted, type Value } from './value.ts';

const callLimit = 400;
/** How many kinds of calls of one name are kept. */
const nameLimit = 6;

const isUnknown = ({ ref, fields, constant, taints, fn, cls, module }: Value): boolean =>
  (ref === undefined || ref.startsWith('?')) &&
  fields === undefined &&
  constant === undefined &&
  taints.length === 0 &&
  fn === undefined &&
  cls === undefined &&
  module === undefined;

/** A function in a variable, a table or given back by a call. */
const isHeld = (callee: Expression, frame: Frame): boolean =>
  callee.is === 'index' || callee.is === 'call' || (callee.is === 'name' && frame.scope.holds(callee.name));

/** Calls that lead nowhere although input goes with them, to be matched with what nothing else led to. */
export class UnresolvedCalls implements UnresolvedCallLog {
  readonly #calls: UnresolvedCall[] = [];
  readonly #counts = new Map<string, number>();
  readonly #known = new Set<string>();
  #next = 0;

  /** Remembers a call if nothing is known of what it is a call of. */
  note(callee: Expression, called: Called, args: readonly Given[], frame: Frame): void {
    if (this.#calls.length >= callLimit || !args.some(({ value }) => isTainted(value))) return;
    const isOfValue = called.object === undefined && isHeld(callee, frame);
    const isMethod = called.object !== undefined && isUnknown(called.object);
    if (!isMethod && !(isOfValue && isUnknown(called.callee))) return;
    const name = called.method;
    const sources = args.map(({ value }) =>
      allTaints(value)
        .map(({ source, cleared }) => `${source.id}:${cleared}`)
        .join(','),
    );
    const key = `${isOfValue ? '*' : '.'}${name}(${sources.join('/')})`;
    const count = this.#counts.get(name) ?? 0;
    if (this.#known.has(key) || count >= nameLimit) return;
    this.#known.add(key);
    this.#counts.set(name, count + 1);
    this.#calls.push({ name, isOfValue, args });
  }

  /** What was noted since it was asked last. */
  take(): readonly UnresolvedCall[] {
    const from = this.#next;
    this.#next = this.#calls.length;
    return this.#calls.slice(from);
  }
}

const nameOf = ({ fn }: FunctionValue): string => fn.name.slice(fn.name.lastIndexOf('.') + 1);

/** Whether as many arguments fit as the call has. */
function fits({ fn }: FunctionValue, args: readonly Given[]): boolean {
  const { parameters } = fn;
  const isOpen = parameters.some(({ isRest }) => isRest === true) || args.some(({ isSpread }) => isSpread);
  return parameters.length > 0 && (isOpen || args.length <= parameters.length);
}

/** Names that stand where a function is given away: in a table, as an argument, behind an equals sign. */
const givenAway =
  /(?:[:,([{=]|->|::|\breturn)\s{0,40}(?:[\w#]{1,80}(?:\.|::)){0,8}([\w#$]+)(?=\s*(?:[,)\]};\n]|\.bind\b))/g;

const names = new WeakMap<SourceModule, ReadonlySet<string>>();

function namesGivenAway(module: SourceModule): ReadonlySet<string> {
  let found = names.get(module);
  if (found === undefined) {
    found = new Set([...module.text.matchAll(givenAway)].map(([, name = '']) => name));
    names.set(module, found);
  }
  return found;
}

/** Where more functions than this are given away, that one of them may be meant says nothing. */
const heldLimit = 20;

const isCallable = (name: string) => name === '__call__';

/** Whether a function may be what a variable or a table holds. */
const isHeldSomewhere = (fn: FunctionValue): boolean =>
  isCallable(fn.fn.name) || fn.fn.marks.length > 0 || namesGivenAway(fn.module).has(nameOf(fn));

const meansAny = /^(?:handler|handle|execute|run|call|callback|fn|func|invoke|action|__call__)$/i;

/** Functions that nothing led to, found by how a call says them. */
export class Candidates {
  readonly #byName = new Map<string, FunctionValue[]>();
  readonly #callable: readonly FunctionValue[];
  readonly #all: readonly FunctionValue[];
  #held: readonly FunctionValue[] | undefined;

  constructor(all: readonly FunctionValue[]) {
    this.#all = all;
    this.#callable = all.filter(({ fn }) => isCallable(fn.name));
    for (const each of all) {
      const known = this.#byName.get(nameOf(each));
      if (known === undefined) this.#byName.set(nameOf(each), [each]);
      else known.push(each);
    }
  }

  /**
   * The functions that a call may mean: methods of this name, whatever their class; for a function that is held as a
   * value, those that are given away somewhere.
   */
  targetsOf({ name, args, isOfValue }: UnresolvedCall): readonly FunctionValue[] {
    const named = isOfValue ? [] : (this.#byName.get(name) ?? []).filter((each) => fits(each, args));
    if (named.length > 0) return named;
    // `entry.handler(args)` is a held function too, if no method has this name.
    if (!isOfValue && !meansAny.test(name)) return [];
    if (isOfValue && this.#callable.length > 0) return this.#callable;
    this.#held ??= this.#all.filter(isHeldSomewhere);
    const held = this.#held.filter((each) => fits(each, args));
    return held.length > heldLimit ? [] : held;
  }
}
