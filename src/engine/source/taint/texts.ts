import { bitsBetweenMarks, isDoubledMark } from './doubled-marks.ts';
import { type Machine, reopened } from './frame.ts';
import {
  isRooted,
  noBackslashBit,
  noParentBit,
  normalisedBit,
  noSlashBit,
  relativeBit,
  rootedBit,
  rootedPath,
  singleSlashBit,
} from './shown.ts';
import { joinTaints, type Taint } from './taints.ts';
import { writtenIn } from './written.ts';
import { allTaints, pathLimit, type Value, isTainted } from './value.ts';

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

/** The mark that would end the text. */
const markOf = (quoting: NonNullable<Value['quoting']>): string =>
  quoting === 'script' ? '"' : isDoubledMark(quoting) ? quoting.slice(-1) : quoting;

const textIn = (value: Value | undefined): string => String(value?.constant ?? '');

/** What a part can no longer do between the quotation marks that it was made ready for. */
function bitsWithin({ quoting }: Value, start: string, after: Value | undefined, machine: Machine): number {
  if (quoting === undefined || quoting === 'backslash') return 0;
  const mark = markOf(quoting);
  // An odd number of marks is open: behind `'a'` stands what is not quoted.
  const bare = quoting === 'script' ? start.replaceAll(/\\./g, '') : start;
  const isOdd =
    mark === ']' ? bare.lastIndexOf('[') > bare.lastIndexOf(']') : bare.split(mark).length % 2 === 0;
  const behind = textIn(after);
  if (!isOdd) return 0;
  // `ILIKE '%…%'`: a doubled mark is one anywhere within the text.
  if (isDoubledMark(quoting)) return behind.includes(mark) ? bitsBetweenMarks(quoting, machine) : 0;
  if (!start.endsWith(mark) || !behind.startsWith(mark)) return 0;
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

/** What holds for all parts of a text. */
interface Whole {
  machine: Machine;
  isResetting: boolean;
  /** Bits that are undone by putting parts together. */
  undone: number;
  rooted: number;
}

/** Where a part stands. */
interface Place {
  /** What is known of the text before it; `isOpen` where that is not all. */
  start: string;
  isOpen: boolean;
  isBehind: boolean;
  after: Value | undefined;
}

/** A written host and a colon. */
const beforePort = /^[a-z]{2,6}:\/\/(?:[\w-]{1,63}\.){0,8}[\w-]{1,63}:$/i;

/** The taints of a part, with what its place in the text rules out. */
function taintsOfPart(
  part: Value,
  { start, isOpen, isBehind, after }: Place,
  whole: Whole,
): readonly Taint[] {
  const { machine, isResetting, undone, rooted } = whole;
  const taints = allTaints(part);
  const stays = part.ref === rootedPath || staysBehind(taints, isResetting);
  const isWithin = isBehind && (start !== '' || isOpen) && stays;
  const bits =
    (isWithin ? machine.rules.bitOf('path-traversal') : 0) |
    bitsBehind(part, start, isOpen, machine) |
    bitsWithin(part, start, after, machine);
  return reopened(taints, undone).map((taint) => ({
    ...taint,
    cleared: taint.cleared | bits | rooted,
    isPart: true,
    ...(isBehind ? { isBehind } : {}),
    ...(beforePort.test(start) ? { isPort: true as const } : {}),
  }));
}

/** What is known of a text after some of its parts. */
interface SoFar {
  /** What is known of it; `isOpen` where that is not all. */
  start: string;
  isOpen: boolean;
  /** All of it, where it is known; else how it begins. */
  constant: string | undefined;
  beginning: string;
}

/** What is known of a text once another part stands behind. */
function extended({ start, isOpen, constant, beginning }: SoFar, part: Value, isTaintedPart: boolean): SoFar {
  const text = constantText(part);
  const longer = start + (text ?? part.beginning ?? '');
  return {
    start: longer,
    isOpen: isOpen || (text === undefined && !isTaintedPart),
    constant: constant === undefined || text === undefined ? undefined : constant + text,
    beginning: constant === undefined ? beginning : longer,
  };
}

const wholeOf = (parts: readonly Value[], machine: Machine, isResetting: boolean): Whole => ({
  machine,
  isResetting,
  // A separator at the end leaves a path as short as it was.
  undone: (isEnded(parts) ? 0 : normalisedBit) | rootedBit | singleSlashBit | noSlashBit | noBackslashBit,
  // What the first part begins with, the whole does.
  rooted: parts[0] !== undefined && isRooted(parts[0]) ? rootedBitsOf(parts[0]) : 0,
});

const wordsIn = (parts: readonly Value[]): Pick<Value, 'written'> => {
  const written = writtenIn(parts);
  return written === undefined ? {} : { written };
};

/** Text put together: all taints, each with what its place rules out. */
export function textOf(parts: readonly Value[], machine: Machine, isResetting = false): Value {
  const whole = wholeOf(parts, machine, isResetting);
  const lists: (readonly Taint[])[] = [];
  let soFar: SoFar = { start: '', isOpen: false, constant: '', beginning: '' };
  for (const [at, part] of parts.entries()) {
    const { start, isOpen } = soFar;
    const isTaintedPart = isTainted(part);
    if (isTaintedPart) {
      const isBehind = at > 0 && (start !== '' || isOpen || lists.length > 0);
      lists.push(taintsOfPart(part, { start, isOpen, isBehind, after: parts[at + 1] }, whole));
    }
    soFar = extended(soFar, part, isTaintedPart);
  }
  const of = [...new Set(parts.flatMap((part) => part.of ?? []))].slice(0, pathLimit);
  return {
    taints: joinTaints(lists),
    ...knownOf(soFar.constant, soFar.beginning),
    ...(soFar.constant === undefined && wordsIn(parts)),
    ...endOf(parts),
    ...(of.length > 0 && lists.length > 0 ? { of } : {}),
  };
}
