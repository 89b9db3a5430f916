import { joinKept, type KeptSession, type SessionCounts } from '#engine/shadow-ai/kept-sessions.ts';
import type { Session } from '#engine/shadow-ai/sessions.ts';
import type { ProcessRow } from './process-store.ts';
import type { KnownDetection, EventOfSession, WantedDetection } from './session-store.ts';

const ruleKey = ({ rootId, ruleId }: { rootId: string; ruleId: string }) => `${rootId} ${ruleId}`;

const asKept = (detection: KnownDetection): KeptSession => ({
  id: detection.id,
  startedMs: detection.startedAt.getTime(),
  endedMs: detection.endedAt.getTime(),
  processCount: detection.processCount,
  networkCount: detection.networkCount,
  fileCount: detection.fileCount,
  mode: detection.mode,
  tags: detection.tags,
  goneBeforeMs: detection.goneBefore?.getTime() ?? -Infinity,
  gone: {
    processCount: detection.goneProcesses,
    networkCount: detection.goneNetwork,
    fileCount: detection.goneFiles,
  },
});

/** What was found of one root and rule. */
export interface Found {
  readonly root: ProcessRow;
  readonly ruleId: string;
  readonly sessions: readonly Session[];
  readonly events: readonly EventOfSession[];
  readonly kept: readonly KnownDetection[];
  readonly promptOf: (events: readonly EventOfSession[]) => Promise<string | null> | null;
}

export const eventsWithin = (events: readonly EventOfSession[], { startedMs, endedMs }: Session) =>
  events.filter(({ at }) => at.getTime() >= startedMs && at.getTime() <= endedMs);

function countsOf(events: readonly EventOfSession[]): SessionCounts {
  const count = (wanted: string) => events.filter(({ dimension }) => dimension === wanted).length;
  return { processCount: count('process'), networkCount: count('network'), fileCount: count('file') };
}

/** The detections of one root and rule; those of deleted events that nothing joins stay as they are. */
export async function detectionsOf({
  root,
  ruleId,
  sessions,
  events,
  kept,
  promptOf,
}: Found): Promise<WantedDetection[]> {
  const live = sessions.map((session) => {
    const within = eventsWithin(events, session);
    const before = (ms: number) => countsOf(within.filter(({ at }) => at.getTime() < ms));
    return { ...session, within, before };
  });
  const made: WantedDetection[] = [];
  for (const group of joinKept(live, kept.map(asKept))) {
    if (group.live.length === 0) continue;
    const within = group.live.flatMap((session) => session.within);
    const [oldest, ...others] = kept
      .filter(({ id }) => group.kept.some((each) => each.id === id))
      .sort((a, b) => a.id - b.id);
    const users = within.flatMap(({ userName }) => userName ?? []).sort();
    made.push({
      id: oldest?.id ?? null,
      joined: others,
      deviceUid: root.deviceUid,
      rootId: root.id,
      rootUid: root.processUid,
      ruleId,
      prompt: oldest?.prompt ?? (await promptOf(within)),
      accountName: oldest?.accountName ?? root.facts.user?.[1] ?? users[0] ?? null,
      startedAt: new Date(group.session.startedMs),
      endedAt: new Date(group.session.endedMs),
      processCount: group.session.processCount,
      networkCount: group.session.networkCount,
      fileCount: group.session.fileCount,
      mode: group.session.mode,
      tags: group.session.tags,
    });
  }
  return made;
}

/**
 * A session keeps the id of the oldest detection that it overlaps; what is left over has become part of another, unless
 * its events are deleted: then nobody can say it anew, and it stays.
 */
export function withIds(
  wanted: readonly WantedDetection[],
  known: readonly KnownDetection[],
): { wanted: WantedDetection[]; gone: number[] } {
  const left = new Map(known.map((each) => [each.id, each]));
  const gone = new Set<number>();
  for (const { id, joined } of wanted) {
    if (id !== null) left.delete(id);
    for (const { id: other } of joined) {
      left.delete(other);
      gone.add(other);
    }
  }
  const settled = [...wanted]
    .sort((a, b) => a.startedAt.getTime() - b.startedAt.getTime())
    .map((each) => {
      if (each.id !== null) return each;
      const same = [...left.values()].find(
        (other) =>
          other.goneBefore === null &&
          ruleKey(other) === ruleKey(each) &&
          other.startedAt <= each.endedAt &&
          other.endedAt >= each.startedAt,
      );
      if (same !== undefined) left.delete(same.id);
      return { ...each, id: same?.id ?? null };
    });
  for (const { id, goneBefore } of left.values()) if (goneBefore === null) gone.add(id);
  return { wanted: settled, gone: [...gone] };
}
