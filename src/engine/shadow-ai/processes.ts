import type { ProcessFacts } from './telemetry.ts';

/** The facts of a process, each with how far its source is to be trusted: 0 the most. */
export type MergedFacts = {
  readonly [Field in keyof Omit<ProcessFacts, 'uid'>]?: readonly [rank: number, value: string];
};

/** Facts come with the start of the process (0), with something that it did (1), or as the parent of another (2). */
export type FactRank = 0 | 1 | 2;

const fields = ['parentUid', 'image', 'commandLine', 'parentCommandLine', 'user'] as const;

type Facts = { -readonly [Field in keyof MergedFacts]: MergedFacts[Field] };

/**
 * What is known of a process, with what is told of it now.
 * @returns `known` itself where that adds nothing
 */
export function addFacts(known: MergedFacts, told: ProcessFacts, rank: FactRank): MergedFacts {
  let merged: Facts | undefined;
  for (const field of fields) {
    const value = told[field];
    if (value === undefined || value === '') continue;
    const before = known[field];
    if (before !== undefined && isBetter(before, rank, value)) continue;
    merged ??= { ...known };
    merged[field] = [rank, value];
  }
  return merged ?? known;
}

/**
 * Whichever comes first or twice, the result is the same: the best source, then the smaller text.
 * @returns `a` itself where `b` adds nothing
 */
export function mergeFacts(a: MergedFacts, b: MergedFacts): MergedFacts {
  let merged: Facts | undefined;
  for (const field of fields) {
    const [one, other] = [a[field], b[field]];
    if (other === undefined || (one !== undefined && isBetter(one, ...other))) continue;
    merged ??= { ...a };
    merged[field] = other;
  }
  return merged ?? a;
}

const isBetter = ([rank, value]: readonly [number, string], otherRank: number, other: string) =>
  rank < otherRank || (rank === otherRank && value <= other);

/** Whose session a process belongs to. */
export interface Owner {
  /** The process that the session began with. */
  readonly rootUid: string;
  readonly ruleId: string;
}

export interface Recognised {
  readonly uid: string;
  readonly parentUid: string | undefined;
  /** The rule that it matches by itself. */
  readonly ruleId: string | undefined;
  /** By a name alone that other programs have too. */
  readonly weak: boolean;
  /** It serves the agent that started it, and has a session of its own only where none did. */
  readonly serves: boolean;
}

/**
 * Whose session each process belongs to. An agent owns what it starts; an agent within another of the same rule belongs
 * to the outer one, of another rule has a session of its own. A weak name below an agent says nothing.
 * @param processes those that are asked about
 * @param ownerOfOther the owner of a process that is not among them
 */
export function ownersOf(
  processes: ReadonlyMap<string, Recognised>,
  ownerOfOther: (uid: string) => Owner | undefined,
): Map<string, Owner | undefined> {
  const owners = new Map<string, Owner | undefined>();
  const ownerAbove = (parentUid: string | undefined): Owner | undefined => {
    if (parentUid === undefined) return undefined;
    // One of ours without an owner yet is below itself, in a circle that a broken source told of.
    return processes.has(parentUid) ? owners.get(parentUid) : ownerOfOther(parentUid);
  };
  for (const start of processes.keys())
    for (const process of newAncestors(start, processes, owners).toReversed())
      owners.set(process.uid, ownerBelow(process, ownerAbove(process.parentUid)));
  return owners;
}

/** A process and those above it that have no owner yet, without recursion: trees can be deep. */
function newAncestors(
  start: string,
  processes: ReadonlyMap<string, Recognised>,
  owners: ReadonlyMap<string, unknown>,
): Recognised[] {
  const path: Recognised[] = [];
  const seen = new Set<string>();
  let next = processes.get(start);
  while (next !== undefined && !owners.has(next.uid) && !seen.has(next.uid)) {
    path.push(next);
    seen.add(next.uid);
    next = next.parentUid === undefined ? undefined : processes.get(next.parentUid);
  }
  return path;
}

function ownerBelow({ uid, ruleId, weak, serves }: Recognised, above: Owner | undefined): Owner | undefined {
  if (ruleId === undefined) return above;
  if (above !== undefined && (weak || serves || above.ruleId === ruleId)) return above;
  return { rootUid: uid, ruleId };
}
