import type { Queries } from '#base/db/database.ts';
import { redact } from '#engine/redact/redact.ts';
import type { Matcher } from '#engine/shadow-ai/matcher.ts';
import { promptOf } from '#engine/shadow-ai/prompts.ts';
import { joinKept, type KeptSession, type SessionCounts } from '#engine/shadow-ai/kept-sessions.ts';
import { type Session, type SessionEvent, sessionsOf } from '#engine/shadow-ai/sessions.ts';
import {
  type KnownDetection,
  listDetectionsOf,
  listOwnedEvents,
  listOwnEvents,
  type RootedEvent,
  type WantedDetection,
  writeDetections,
} from './session-store.ts';
import { findProcesses, type ProcessKey, type ProcessRow } from './store.ts';

const keyOf = ({ deviceUid, processUid }: ProcessKey) => `${deviceUid}\u0000${processUid}`;

interface Evaluation {
  readonly tx: Queries;
  readonly tenantId: string;
  readonly matcher: Matcher;
  /** Whether prompts are taken from command lines. */
  readonly prompts: boolean;
  readonly at: Date;
}

/** Makes the detections of these roots anew from all events that are kept of them, and what is kept of deleted ones. */
export async function evaluateRoots(deps: Evaluation, roots: readonly ProcessKey[]): Promise<void> {
  const { tx, tenantId, prompts } = deps;
  const rows = await findProcesses(tx, tenantId, roots);
  const owning = rows.filter(({ ownerUid, processUid }) => ownerUid === processUid);
  const free = rows.filter(
    ({ ownerUid, facts }) => ownerUid === null && !deps.matcher.actsForOthers(facts.image?.[1] ?? ''),
  );
  const events = groupByRoot([
    ...(await listOwnedEvents(tx, tenantId, owning, prompts)),
    ...(await listOwnEvents(tx, tenantId, free)),
  ]);
  const known = await listDetectionsOf(tx, tenantId, roots);
  const kept = new Map<string, KnownDetection[]>();
  for (const each of known)
    if (each.goneBefore !== null) kept.set(ruleKey(each), [...(kept.get(ruleKey(each)) ?? []), each]);
  const wanted: WantedDetection[] = [];
  for (const root of owning)
    wanted.push(...(await ownedSessions(deps, root, events.get(keyOf(root)) ?? [], kept)));
  for (const root of free)
    wanted.push(...(await looseSessions(deps, root, events.get(keyOf(root)) ?? [], kept)));
  const settled = withIds(wanted, known);
  await writeDetections(tx, tenantId, { ...settled, at: deps.at });
}

const ruleKey = ({ deviceUid, rootUid, ruleId }: { deviceUid: string; rootUid: string; ruleId: string }) =>
  [deviceUid, rootUid, ruleId].join('\u0000');

type Kept = ReadonlyMap<string, readonly KnownDetection[]>;

function groupByRoot(events: readonly RootedEvent[]): Map<string, RootedEvent[]> {
  const groups = new Map<string, RootedEvent[]>();
  for (const event of events) {
    const key = keyOf({ deviceUid: event.deviceUid, processUid: event.rootUid });
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [event]);
    else group.push(event);
  }
  return groups;
}

const asSessionEvent = (event: RootedEvent): SessionEvent => ({
  key: event.key,
  atMs: event.at.getTime(),
  dimension: event.dimension,
  processUid: event.processUid,
  host: event.host ?? undefined,
  port: event.port ?? undefined,
  inbound: event.inbound ?? undefined,
  filePath: event.filePath ?? undefined,
  providerId: event.providerId ?? undefined,
  tags: event.tags,
});

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

interface Found {
  readonly root: ProcessRow;
  readonly ruleId: string;
  readonly sessions: readonly Session[];
  readonly events: readonly RootedEvent[];
  readonly kept: readonly KnownDetection[];
  readonly promptOf: (events: readonly RootedEvent[]) => Promise<string | null> | null;
}

const eventsWithin = (events: readonly RootedEvent[], { startedMs, endedMs }: Session) =>
  events.filter(({ at }) => at.getTime() >= startedMs && at.getTime() <= endedMs);

function countsOf(events: readonly RootedEvent[]): SessionCounts {
  const count = (wanted: string) => events.filter(({ dimension }) => dimension === wanted).length;
  return { processCount: count('process'), networkCount: count('network'), fileCount: count('file') };
}

/** The detections of one root and rule; those of deleted events that nothing joins stay as they are. */
async function detectionsOf({
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

/** Sessions of an agent and of all that it has started. */
async function ownedSessions(
  { matcher, prompts }: Evaluation,
  root: ProcessRow,
  events: readonly RootedEvent[],
  allKept: Kept,
): Promise<WantedDetection[]> {
  const ruleId = root.ruleId ?? '';
  const rule = matcher.findRule(ruleId);
  const kept = allKept.get(ruleKey({ ...root, rootUid: root.processUid, ruleId })) ?? [];
  // What was a detection once has had its second signal.
  const weak = root.weak && kept.length === 0;
  const ground = { signal: root.signal ?? 'process', rootUid: root.processUid, weak, rule };
  const sessions = sessionsOf(events.map(asSessionEvent), ground, matcher);
  const promptOf = (within: readonly RootedEvent[]) =>
    prompts && rule?.prompt !== undefined ? promptIn(within, ruleId, matcher) : null;
  return detectionsOf({ root, ruleId, sessions, events, kept, promptOf });
}

/** Sessions of a program that is no agent, but asks a provider or writes models. */
async function looseSessions(
  { matcher }: Evaluation,
  root: ProcessRow,
  events: readonly RootedEvent[],
  allKept: Kept,
): Promise<WantedDetection[]> {
  const ruleIds = new Set(
    events.flatMap(({ isApi, providerId, fileRule }) => [
      ...(isApi && providerId !== null ? [providerId] : []),
      ...(fileRule === null ? [] : [fileRule]),
    ]),
  );
  const made: WantedDetection[] = [];
  for (const ruleId of [...ruleIds].sort()) {
    const own = events.filter(
      ({ dimension, providerId, fileRule }) =>
        dimension === 'process' || providerId === ruleId || fileRule === ruleId,
    );
    const rule = matcher.findRule(ruleId);
    const signal = rule === undefined ? undefined : ('process' as const);
    const ground = { signal, rootUid: root.processUid, weak: false, rule };
    const sessions = sessionsOf(own.map(asSessionEvent), ground, matcher).filter((session) =>
      eventsWithin(own, session).some(({ dimension }) => dimension !== 'process'),
    );
    const kept = allKept.get(ruleKey({ ...root, rootUid: root.processUid, ruleId })) ?? [];
    made.push(...(await detectionsOf({ root, ruleId, sessions, events: own, kept, promptOf: () => null })));
  }
  return made;
}

/** The first prompt of the session that the agent's own command lines tell, without what must not be kept. */
async function promptIn(
  events: readonly RootedEvent[],
  ruleId: string,
  matcher: Matcher,
): Promise<string | null> {
  const starts = events.filter(({ commandLine }) => commandLine !== null);
  starts.sort((a, b) => a.at.getTime() - b.at.getTime() || (a.key < b.key ? -1 : 1));
  for (const { commandLine } of starts) {
    const found = matcher.matchProcess('', commandLine ?? '');
    const grammar = found?.rule.id === ruleId ? found.rule.prompt : undefined;
    const prompt = grammar && promptOf(commandLine ?? '', grammar);
    if (prompt !== undefined) return (await redact(prompt, {}, () => '')).text;
  }
  return null;
}

/**
 * A session keeps the id of the oldest detection that it overlaps; what is left over has become part of another, unless
 * its events are deleted: then nobody can say it anew, and it stays.
 */
function withIds(
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
