/** Slots of templates, such as `{actor}`. */

import { createHash } from 'node:crypto';

/** Slot values that were used, as `slot: value`. */
export type Used = Set<string>;

const slot = /\{([a-z][a-z_]*)\}/g;

/** Slots that a template names. */
export const slotsOf = (template: string): string[] =>
  [...template.matchAll(slot)].map(([, name]) => name as string);

/**
 * A template with its slots filled.
 * @throws RangeError for a slot without a value, unless unknown ones are kept.
 */
export function fill(
  template: string,
  values: Readonly<Record<string, string>>,
  unknown: 'refuse' | 'keep' = 'refuse',
): string {
  return template.replaceAll(slot, (whole, name: string) => {
    const value = values[name];
    if (value === undefined && unknown === 'refuse')
      throw new RangeError(`“${template}” names the slot ${name}, which has no value here`);
    return value ?? whole;
  });
}

/**
 * The values in an order that depends on the key and each value alone (rendezvous hashing), so that a value
 * added later changes few of the cases that exist.
 */
export function ranked<T extends string>(values: readonly T[], key: string): T[] {
  const weight = (value: string) => createHash('sha256').update(`${key}\n${value}`).digest('hex');
  return values
    .map((value) => ({ value, weight: weight(value) }))
    .sort((x, y) => (x.weight < y.weight ? -1 : 1))
    .map(({ value }) => value);
}
