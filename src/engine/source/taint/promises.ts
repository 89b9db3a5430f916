/** What a promise comes to that a function resolves: `new Promise((resolve) => client.on('ready', () => resolve(client)))`. */
import type { Called, Given, Machine } from './frame.ts';
import { ran } from './functions-as-objects.ts';
import type { Model } from './model.ts';
import { join, type Value } from './value.ts';

/** The name of what resolves one promise; the place of its function follows. */
const resolver = 'Promise().resolve@';

/** What was given to what resolves promises, by its name: it may happen long after the promise was made. */
const resolved = new WeakMap<Machine, Map<string, Value>>();

function resolvedIn(machine: Machine): Map<string, Value> {
  let known = resolved.get(machine);
  if (known === undefined) resolved.set(machine, (known = new Map()));
  return known;
}

/** Objects of objects are seldom handed on so. */
const depthLimit = 2;

/**
 * What it is, and not what is in it: a connection, an object of the project, a function. The texts that come back from
 * programs and servers are resolved the same way, and are nobody's input.
 */
function kindOf({ ref, instance, fn, cls, fields }: Value, depth = 0): Value | undefined {
  const isOfLibrary = ref !== undefined && !ref.startsWith('?') && !ref.startsWith(resolver);
  const known = [...(fields ?? [])]
    .map(([name, field]) => [name, depth < depthLimit ? kindOf(field, depth + 1) : undefined] as const)
    .filter((each): each is readonly [string, Value] => each[1] !== undefined);
  const value: Value = {
    taints: [],
    ...(isOfLibrary ? { ref } : {}),
    ...(instance === undefined ? {} : { instance }),
    ...(fn === undefined ? {} : { fn }),
    ...(cls === undefined ? {} : { cls }),
    ...(known.length === 0 ? {} : { fields: new Map(known) }),
  };
  return Object.keys(value).length === 1 ? undefined : value;
}

/** `new Promise((resolve, reject) => …)`: what is called inside happens, and what it is resolved with comes back. */
export const promiseMade: Model = (call) => {
  const { args, machine, expression } = call;
  const fn = args[0]?.value.fn;
  if (fn === undefined) return ran(0)(call);
  const name = `${resolver}${fn.module.path}:${fn.fn.at}`;
  const given: Given = { value: { taints: [], ref: name }, expression, isSpread: false };
  const value = ran(0)({ ...call, args: [...args.slice(0, 1), given] });
  return resolvedIn(machine).get(name) ?? value;
};

/** `resolve(client)` within the function of a promise; false for any other call. */
export function resolvesPromise({ callee }: Called, [first]: readonly Given[], machine: Machine): boolean {
  const { ref } = callee;
  if (ref?.startsWith(resolver) !== true) return false;
  const value = first === undefined ? undefined : kindOf(first.value);
  if (value === undefined) return true;
  const known = resolvedIn(machine);
  const before = known.get(ref);
  known.set(ref, before === undefined ? value : join(before, value));
  return true;
}
