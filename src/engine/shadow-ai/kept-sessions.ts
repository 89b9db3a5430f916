import { type DetectionMode, type Session, silenceMs } from './sessions.ts';

/** What is counted of a session. */
export interface SessionCounts {
  readonly processCount: number;
  readonly networkCount: number;
  readonly fileCount: number;
}

/** A session some of whose events are deleted. */
export interface KeptSession extends Session {
  readonly id: number;
  /** Events before this are deleted, or were sent again afterwards. */
  readonly goneBeforeMs: number;
  /** How many were deleted. */
  readonly gone: SessionCounts;
}

/** A session that the events tell which are there. */
export interface LiveSession extends Session {
  /** How many of its events lie before the moment. */
  readonly before: (ms: number) => SessionCounts;
}

/** Sessions that are one: those of events, and those that are kept of deleted ones. */
export interface JoinedSession<Live extends LiveSession> {
  readonly live: readonly Live[];
  readonly kept: readonly KeptSession[];
  readonly session: Session;
}

/**
 * Joins sessions of one root and rule with what is kept of deleted events, where no silence lies between them. What is
 * kept never gets less. An event before `goneBeforeMs` may be one of the deleted, sent again: of the two counts the
 * larger one holds, so that nothing counts twice.
 */
export function joinKept<Live extends LiveSession>(
  live: readonly Live[],
  kept: readonly KeptSession[],
): JoinedSession<Live>[] {
  const all = [
    ...live.map((session) => ({ session, live: [session], kept: [] as KeptSession[] })),
    ...kept.map((session) => ({ session, live: [] as Live[], kept: [session] })),
  ].sort((a, b) => a.session.startedMs - b.session.startedMs || b.kept.length - a.kept.length);
  const groups: { live: Live[]; kept: KeptSession[]; endedMs: number }[] = [];
  for (const each of all) {
    const last = groups.at(-1);
    if (last !== undefined && each.session.startedMs - last.endedMs <= silenceMs) {
      last.live.push(...each.live);
      last.kept.push(...each.kept);
      last.endedMs = Math.max(last.endedMs, each.session.endedMs);
    } else groups.push({ live: each.live, kept: each.kept, endedMs: each.session.endedMs });
  }
  return groups.map((group) => ({ live: group.live, kept: group.kept, session: joined(group) }));
}

function joined({ live, kept }: { live: readonly LiveSession[]; kept: readonly KeptSession[] }): Session {
  const all: readonly Session[] = [...kept, ...live];
  const [only] = all;
  if (all.length === 1 && only !== undefined) return only;
  const boundaryMs = Math.max(-Infinity, ...kept.map(({ goneBeforeMs }) => goneBeforeMs));
  const early = live.map((session) => session.before(boundaryMs));
  const count = (field: keyof SessionCounts): number => {
    const gone = sum(kept.map((session) => session.gone[field]));
    const earlier = sum(early.map((counts) => counts[field]));
    const all = sum(live.map((session) => session[field]));
    return Math.max(Math.max(gone, earlier) + all - earlier, ...kept.map((session) => session[field]));
  };
  return {
    startedMs: Math.min(...all.map(({ startedMs }) => startedMs)),
    endedMs: Math.max(...all.map(({ endedMs }) => endedMs)),
    processCount: count('processCount'),
    networkCount: count('networkCount'),
    fileCount: count('fileCount'),
    mode: joinedMode(all),
    tags: [...new Set(all.flatMap(({ tags }) => tags))].sort(),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

const joinedMode = (all: readonly Session[]): DetectionMode => {
  const modes = new Set(all.map(({ mode }) => mode));
  const [only = 'composite'] = modes;
  return modes.size === 1 ? only : 'composite';
};
