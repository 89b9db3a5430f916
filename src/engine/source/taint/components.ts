/** Tests of the parts of a path, as Rust has them. */
import { factsOf } from './checks.ts';
import type { Machine } from './frame.ts';
import { noParentBit, relativeBit } from './shown.ts';
import type { Check, Value } from './value.ts';

/** `path.components().all(|part| matches!(part, Component::Normal(_)))`: nothing in it leads up or begins anew. */
export function componentsCheck(subject: Value, test: string, machine: Machine): Check | undefined {
  const kinds = [...test.matchAll(/\b(?:Utf8)?Component::(\w+)/g)].map(([, kind]) => kind);
  const isPlain = kinds.length > 0 && kinds.every((kind) => kind === 'Normal' || kind === 'CurDir');
  if (!isPlain || /!\s*matches!|!=/.test(test) || subject.ref?.endsWith('components()') !== true)
    return undefined;
  return { yes: factsOf(subject, machine.rules.bitOf('path-traversal'), machine), no: [] };
}

/** What is not left of a path where none of its parts passes a test that denies some kinds of them. */
export function deniedBits(test: string, machine: Machine): number {
  const kinds = [...test.matchAll(/\b(?:Utf8)?Component::(\w+)/g)].map(([, kind]) => kind ?? '');
  const path = machine.rules.bitOf('path-traversal');
  if (/!\s*matches!|!=/.test(test)) {
    const isPlain = kinds.length > 0 && kinds.every((kind) => kind === 'Normal' || kind === 'CurDir');
    return isPlain ? path : 0;
  }
  const isParent = kinds.includes('ParentDir') || /==\s*"\.\."/.test(test);
  const isRoot = kinds.includes('RootDir');
  return (isParent && isRoot ? path : 0) | (isParent ? noParentBit : 0) | (isRoot ? relativeBit : 0);
}
