import { propertyOf } from './properties.ts';
import type { Machine } from './frame.ts';
import type { Value } from './value.ts';

/** What begins with an underscore is meant by a name that begins so too. */
const isMeant = (own: string, beginning: string): boolean =>
  !own.startsWith('__') && (!own.startsWith('_') || beginning.startsWith('_'));

/**
 * The method that a name means which is only known while the program runs, `this[name]` and `getattr(self, name)`: any
 * that begins as the name is known to. Undefined where it means no method of the project.
 */
export function methodNamed(owner: Value, name: Value, machine: Machine): Value | undefined {
  const { instance } = owner;
  if (instance === undefined) return undefined;
  const { constant, beginning = '' } = name;
  if (typeof constant === 'string') return propertyOf(owner, constant, machine);
  const [fn, ...others] = instance.form.methods
    .filter(({ name: own }) => own.startsWith(beginning) && own !== 'constructor' && isMeant(own, beginning))
    .map((method) => ({
      fn: method,
      module: instance.module,
      around: instance.around,
      self: owner,
      key: method.name,
    }));
  return fn === undefined ? undefined : { taints: [], fn, others };
}
