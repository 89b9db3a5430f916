/** Properties at any depth of what a call is given: `**.script.source` of the body of a search. */
import type { Value } from './value.ts';

const deepest = 7;
const mostLooked = 400;

const isDeep = /^\*\*\./;

/** The path of a name that is looked for at any depth; undefined for one of the arguments' own. */
export const deepPath = (name: string): string[] | undefined =>
  isDeep.test(name) ? name.replace(isDeep, '').split('.') : undefined;

const follow = (value: Value, path: readonly string[]): Value | undefined =>
  path.reduce<Value | undefined>((at, name) => at?.fields?.get(name), value);

/** All values that stand under a path, however deep. */
export function deepValues(values: readonly Value[], path: readonly string[]): Value[] {
  const found: Value[] = [];
  let waiting = [...values];
  let looked = 0;
  for (let depth = 0; depth < deepest && waiting.length > 0; depth++) {
    const next: Value[] = [];
    for (const value of waiting) {
      if (looked++ > mostLooked) return found;
      const at = follow(value, path);
      if (at !== undefined) found.push(at);
      next.push(...(value.fields?.values() ?? []));
    }
    waiting = next;
  }
  return found;
}
