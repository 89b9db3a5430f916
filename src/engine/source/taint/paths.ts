import type { Call } from './model.ts';
import { type Called, type Frame, reopened, stepped } from './frame.ts';
import { normalisedBit, rootedPath as rooted } from './shown.ts';
import type { Taint } from './taints.ts';
import { textOf } from './texts.ts';
import { clean, cleared, isTainted, pathLimit, type Value } from './value.ts';

const shortensFromRoot =
  /^(?:(?:filepath|path)\.Clean|path\.(?:posix\.)?(?:join|normalize)|os\.path\.normpath)$/;

/** `Clean("/" + path)`, `join('/', path)`: there is nothing above the root that is written before it. */
const startsAtRoot = ([first]: readonly Value[], { beginning }: Value): boolean =>
  first?.constant === '/' ||
  (first?.constant === undefined && /^\/(?!\/)/.test(beginning ?? first?.beginning ?? ''));

const makesAbsolute =
  /(?:^|\.)(?:resolve|abspath|realpath|realpathSync|absolute|canonicalize|toRealPath|Abs)$/;

/** Java's `folder.resolve(name)` keeps each `..` of the name, as Python's `path.absolute()` does; that of an address is another thing. */
const keepsParents = ({ method, object }: Called, { module: { grammar } }: Frame): boolean =>
  (grammar === 'java' && method === 'resolve' && !/\bURI\b/.test(object?.ref ?? '')) ||
  (grammar === 'python' && method === 'absolute');

/** What a path is known to be once it was joined and brought into its shortest form. */
function shortened(taints: readonly Taint[], isKeeping: boolean, absolute: number): readonly Taint[] {
  const bits = isKeeping ? absolute : normalisedBit | absolute;
  return cleared({ taints: isKeeping ? reopened(taints, normalisedBit) : taints }, bits).taints;
}

/** Paths brought into their shortest form; `..` is gone, the place may still be anywhere. */
export function normalisedPath({ expression, called, args, machine, frame }: Call): Value {
  const path = machine.rules.bitOf('path-traversal');
  const values = args.map(({ value }, at) => (at > 0 && value.ref === rooted ? cleared(value, path) : value));
  const isKeeping = keepsParents(called, frame);
  const isMethod = called.object !== undefined && (isKeeping || isTainted(called.object));
  const all = isMethod && called.object !== undefined ? [called.object, ...values] : values;
  // `resolve` begins anew where a part is absolute; `join` puts it behind the others all the same.
  const isResetting = !/(?:^|\.)(?:join|Join|normalize|Clean)$/.test(called.name);
  const text = textOf(all, machine, isResetting);
  const of = [...new Set(all.filter(isTainted).flatMap((value) => value.of ?? []))].slice(0, pathLimit);
  // What is absolute is no option of a program.
  const absoluteBit = makesAbsolute.test(called.name) ? machine.rules.bitOf('argument-injection') : 0;
  const taints = stepped(shortened(text.taints, isKeeping, absoluteBit), frame, expression);
  const isRooted = shortensFromRoot.test(called.name) && startsAtRoot(all, text);
  return { taints, ref: isRooted ? rooted : `${called.name}()`, ...(of.length > 0 ? { of } : {}) };
}

/**
 * The folder of a path. Where it lies says where the path lies, and nothing else of the path: the first of what a value
 * was made of is told everything, and stays empty here.
 */
export function folderOf({ expression, called, args, frame }: Call): Value {
  const { taints, of = [] } = args[0]?.value ?? clean;
  return {
    taints: stepped(taints, frame, expression),
    ref: `${called.name}()`,
    ...(of.length === 0 ? {} : { of: ['', ...of].slice(0, pathLimit) }),
  };
}
