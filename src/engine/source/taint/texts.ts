import type { Machine } from './frame.ts';
import { isRooted, noParentBit, normalisedBit, relativeBit, rootedBit, singleSlashBit } from './shown.ts';
import { allTaints, joinTaints, reopened, type Taint, pathLimit, type Value } from './value.ts';

/** Constant text of the parts before another. */
const constantText = (value: Value): string | undefined =>
  value.constant === undefined || value.constant === null ? undefined : String(value.constant);

/** That a value is a text of a script and cannot leave it. A shell around the script would still read what is in it. */
export const scriptBit = 1 << 30;

const hostIsFixed = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+[/?#]/i;

/** What a part that stands behind others can no longer do. */
function bitsBehind(part: Value, start: string, isOpen: boolean, machine: Machine): number {
  if (start === '' && !isOpen) return 0;
  const host = machine.rules.bitOf('server-side-request-forgery') | machine.rules.bitOf('open-redirect');
  const argument = machine.rules.bitOf('argument-injection');
  // Behind a base that is not written here, a path follows: the host is somebody's setting.
  const fixedHost =
    hostIsFixed.test(start) ||
    (isOpen && !/:\/\/[^/]*$/.test(start)) ||
    start.startsWith('/') ||
    // `https://host` is written, or somebody's setting, and `/` ends it.
    (/:\/\//.test(start) && isRooted(part));
  // `ls …`: the first word is the author's.
  const program = /^\s*[^\s'"$]+\s/.test(start) ? machine.rules.bitOf('chosen-program') : 0;
  return (fixedHost ? host : 0) | argument | program;
}

const separators = /(?:^|[.?])(?:sep|Separator|separator|separatorChar|PathSeparator|MAIN_SEPARATOR)$/;

/** Whether it is a separator of paths, or a path with one at its end. */
export function endsInSeparator(value: Value): boolean {
  if (value.endsInSeparator === true) return true;
  return typeof value.constant === 'string'
    ? /[/\\]$/.test(value.constant)
    : separators.test(value.ref ?? '');
}

/** What is known of a text: all of it, or how it begins. */
function knownOf(constant: string | undefined, beginning: string): Pick<Value, 'constant' | 'beginning'> {
  if (constant !== undefined) return { constant };
  return beginning === '' ? {} : { beginning };
}

const endOf = (parts: readonly Value[]): { endsInSeparator?: true } => {
  const last = parts.at(-1);
  return last !== undefined && endsInSeparator(last) ? { endsInSeparator: true } : {};
};

/** What a part can no longer do between the quotation marks that it was made ready for. */
function bitsWithin({ quoting }: Value, start: string, after: Value | undefined, machine: Machine): number {
  if (quoting === undefined) return 0;
  if (quoting === 'backslash') return 0;
  const mark = quoting === 'script' ? '"' : quoting;
  // An odd number of marks is open: behind `'a'` stands what is not quoted.
  const bare = quoting === 'script' ? start.replaceAll(/\\./g, '') : start;
  const isOpen = start.endsWith(mark) && bare.split(mark).length % 2 === 0;
  const isClosed = String(after?.constant ?? '').startsWith(mark);
  if (!isOpen || !isClosed) return 0;
  return quoting === 'script' ? scriptBit : machine.rules.bitOf('command-injection');
}

/** What is known of a text's first letters, where it begins with `/`. */
function rootedBitsOf(first: Value): number {
  const start = typeof first.constant === 'string' ? first.constant : (first.beginning ?? '');
  if (start !== '') return rootedBit | (/^\/[^/]/.test(start) ? singleSlashBit : 0);
  return allTaints(first).reduce((bits, taint) => bits & taint.cleared, rootedBit | singleSlashBit);
}

/** Whether nothing of a path leads out of the folder that is put before it, where an absolute one begins anew or not. */
const staysBehind = (taints: readonly Taint[], isResetting: boolean): boolean =>
  taints.every(
    ({ cleared }) => (cleared & noParentBit) !== 0 && (!isResetting || (cleared & relativeBit) !== 0),
  );

/** `path + sep` */
const isEnded = ([, end, ...more]: readonly Value[]): boolean =>
  end !== undefined &&
  more.length === 0 &&
  endsInSeparator(end) &&
  (end.constant === undefined ? separators.test(end.ref ?? '') : String(end.constant).length === 1);

/** Text put together: all taints, each with what its place rules out. */
export function textOf(parts: readonly Value[], machine: Machine, isResetting = false): Value {
  let start = '';
  let isOpen = false;
  let constant: string | undefined = '';
  let beginning = '';
  const lists: (readonly Taint[])[] = [];
  // What the first part begins with, the whole does.
  const [first] = parts;
  // A separator at the end leaves a path as short as it was.
  const undone = (isEnded(parts) ? 0 : normalisedBit) | rootedBit | singleSlashBit;
  const rooted = first !== undefined && isRooted(first) ? rootedBitsOf(first) : 0;
  for (const [at, part] of parts.entries()) {
    const text = constantText(part);
    const taints = allTaints(part);
    if (taints.length > 0) {
      const within =
        at > 0 && (start !== '' || isOpen) && staysBehind(taints, isResetting)
          ? machine.rules.bitOf('path-traversal')
          : 0;
      const bits =
        within | bitsBehind(part, start, isOpen, machine) | bitsWithin(part, start, parts[at + 1], machine);
      lists.push(
        reopened(taints, undone).map((taint) => ({
          ...taint,
          cleared: taint.cleared | bits | rooted,
          isPart: true,
          ...(at > 0 && (start !== '' || isOpen || lists.length > 0) ? { isBehind: true } : {}),
        })),
      );
    }
    isOpen ||= text === undefined && taints.length === 0;
    start += text ?? part.beginning ?? '';
    if (constant !== undefined) beginning = start;
    constant = constant === undefined || text === undefined ? undefined : constant + text;
  }
  const of = [...new Set(parts.flatMap((part) => part.of ?? []))].slice(0, pathLimit);
  return {
    taints: joinTaints(lists),
    ...knownOf(constant, beginning),
    ...endOf(parts),
    ...(of.length > 0 && lists.length > 0 ? { of } : {}),
  };
}
