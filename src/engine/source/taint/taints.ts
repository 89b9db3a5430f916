import type { SourceModule } from '../modules.ts';

/** Where something comes in that somebody else chose. */
export interface Source {
  id: number;
  kind: 'tool' | 'http' | 'archive' | 'exported' | 'token';
  /** As a reader knows it: a tool, a route, a function. */
  name: string;
  /** What the tool says of itself. */
  description: string;
  /** Of what a server offers besides tools. */
  offers?: 'resource' | 'prompt';
  /** What a tool calls what it is given, where its schema is known. */
  inputs?: ReadonlySet<string>;
  /** It answers the calls of all tools: which of them is not told yet. */
  isForAll?: true;
}

/** A place on the way, latest first. */
export interface Step {
  module: SourceModule;
  at: number;
  end: number;
  text: string;
  before: Step | undefined;
  count: number;
}

/** That a value depends on a source. Which weaknesses it can no longer cause is in `cleared`, a bit each. */
export interface Taint {
  source: Source;
  cleared: number;
  /** Other text stands before or behind it. */
  isPart?: boolean;
  /** Other text stands before it: the value no longer chooses all of where a path or an address leads. */
  isBehind?: boolean;
  /** It stands where a port does, `http://localhost:${port}`: only a text that is no number leads elsewhere. */
  isPort?: true;
  /** It was parsed from the body of a request: it may be an object as well as a text. */
  isParsed?: true;
  /** Where it first became part of a longer text, or of a list. */
  builtAt?: BuiltPlace;
  step: Step;
}

/** A place in the project. */
export interface Place {
  module: SourceModule;
  at: number;
  end: number;
}

/** Where something was put together. */
export interface BuiltPlace extends Place {
  isList?: true;
}

export const noTaints: readonly Taint[] = [];

/** Adds a taint to those of other sources, or to what is known of its own. */
function withTaint(known: Taint, taint: Taint): Taint {
  const cleared = known.cleared & taint.cleared;
  // The way that explains more is the one that has cleared less.
  if (cleared === known.cleared) return known;
  const both = cleared === taint.cleared ? taint : { ...taint, cleared };
  if (both.isBehind !== true || known.isBehind === true) return both;
  // One of the two begins with it.
  const { isBehind: _, ...whole } = both;
  return whole;
}

/**
 * Where a source stands, or the place behind the last one. It is looked for from the place of the one before: both lists
 * were put together of the same parts, and what comes next here comes next there.
 */
function placeOf(id: number, list: readonly Taint[], from: number): number {
  for (let at = from; at < list.length; at++) if (list[at]?.source.id === id) return at;
  for (let at = 0; at < from; at++) if (list[at]?.source.id === id) return at;
  return list.length;
}

function areSame(a: readonly Taint[], b: readonly Taint[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

/**
 * Two lists, one taint for each source; cleared is what both have cleared. One of the lists itself where the other adds
 * nothing, as is most often so: what is the same thing as before need not be looked at again.
 */
export function joinTwo(a: readonly Taint[], b: readonly Taint[]): readonly Taint[] {
  if (b.length === 0 || a === b) return a;
  if (a.length === 0) return b;
  let joined: Taint[] | undefined;
  let at = 0;
  for (const taint of b) {
    at = placeOf(taint.source.id, joined ?? a, at);
    const known = (joined ?? a)[at];
    const both = known === undefined ? taint : withTaint(known, taint);
    if (both !== known) (joined ??= [...a])[at] = both;
  }
  if (joined === undefined) return a;
  return areSame(joined, b) ? b : joined;
}

/** Taints of several, one for each source; cleared is what all have cleared. */
export function joinTaints(lists: readonly (readonly Taint[])[]): readonly Taint[] {
  let joined = noTaints;
  for (const list of lists) joined = joinTwo(joined, list);
  return joined;
}
