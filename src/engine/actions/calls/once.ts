/**
 * An object that keeps what was worked out of it. A weak map would do as well, but keeps each object that it knows
 * alive until the next full garbage collection: with a trace and its outputs behind it, that is what such collections
 * would then be spent on.
 */
export interface Keeper {
  readonly kept: Map<unknown, unknown>;
}

/** Works something out of an object when it is first asked for, and keeps it with the object. */
export const once =
  <K extends Keeper, T>(make: (of: K) => T) =>
  (of: K): T => {
    const known = of.kept.get(make);
    if (known !== undefined) return known as T;
    const made = make(of);
    of.kept.set(make, made);
    return made;
  };

/** Works something out of a part of a rule when it is first asked for; rules outlive many calls. */
export function ofRule<K extends object, T>(make: (of: K) => T): (of: K) => T {
  const known = new WeakMap<K, { readonly made: T }>();
  return (of) => {
    const before = known.get(of);
    if (before !== undefined) return before.made;
    const made = make(of);
    known.set(of, { made });
    return made;
  };
}
