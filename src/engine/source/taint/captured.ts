import type { FunctionForm } from '../form/form.ts';
import { signatureOf } from './signatures.ts';
import type { Scope } from './scope.ts';
import { allTaints, type FunctionValue, type Value } from './value.ts';

const wordsOf = new WeakMap<FunctionForm, ReadonlySet<string>>();

/** Every identifier in a function's text: more than the variables that it uses, and never fewer. */
export function identifiers({ fn, module }: FunctionValue): ReadonlySet<string> {
  let words = wordsOf.get(fn);
  if (words === undefined) {
    words = new Set(module.text.slice(fn.at, fn.end).match(/[\p{L}_$][\p{L}\p{N}_$]*/gu));
    wordsOf.set(fn, words);
  }
  return words;
}

/**
 * The variables of the functions around a closure that it may use, in the order in which it names them; those of the
 * module (`top`) are left out. A function around may have thousands of variables, as what bundlers make has: each name is
 * looked for among them.
 */
export function capturedBy(fn: FunctionValue, top: Scope): readonly Value[] {
  const values: Value[] = [];
  for (const name of identifiers(fn))
    for (let scope = fn.around; scope !== undefined && scope !== top; scope = scope.around) {
      const value = scope.variables.get(name);
      if (value === undefined) continue;
      values.push(value);
      break;
    }
  return values;
}

export const isAnyTainted = (values: readonly Value[]): boolean =>
  values.some((value) => allTaints(value).length > 0);

/** What tells two calls of one closure apart besides their arguments. */
export const signatureOfCaptured = (values: readonly Value[]): string =>
  values.map((value) => signatureOf(value)).join('\u0001');
