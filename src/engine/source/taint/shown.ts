import { allTaints, type Value } from './value.ts';

/** That a path has no `..` any more: bit 0 of every taint. */
export const normalisedBit = 1;

/** That a text begins with `/`, and that it does not begin with `//`: as an address, both together stay on the host. */
export const rootedBit = 1 << 28;
export const singleSlashBit = 1 << 29;

/** That a path has no `..` in it, and that it is not absolute: behind a folder both together stay within it. */
export const noParentBit = 1 << 31;
export const relativeBit = 1 << 27;

/** That a text has no `/` any more, and no backslash: without both it is one name, and no path. */
export const noSlashBit = 1 << 26;
export const noBackslashBit = 1 << 25;

/** That a value is a text, and no object with operators of a database. */
export const isTextBit = 1 << 24;

/** What Go's `filepath.Clean("/" + path)` and its like are called: nothing leads out of what they are put behind. */
export const rootedPath = 'filepath.Clean("/")';

/** Whether an address was shown to lead to a path of the same host. */
export const staysOnHost = (cleared: number): boolean =>
  (cleared & rootedBit) !== 0 && (cleared & singleSlashBit) !== 0;

/** Whether a text begins with `/`, by how it is written or by what was shown of it. */
export function isRooted(value: Value): boolean {
  const start = typeof value.constant === 'string' ? value.constant : value.beginning;
  if (start !== undefined && start !== '') return start.startsWith('/');
  const taints = allTaints(value);
  return taints.length > 0 && taints.every(({ cleared }) => (cleared & rootedBit) !== 0);
}
