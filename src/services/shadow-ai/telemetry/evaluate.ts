import type { Queries } from '#base/db/database.ts';
import { redact } from '#engine/redact/redact.ts';
import type { Matcher } from '#engine/shadow-ai/matcher.ts';
import { promptOf } from '#engine/shadow-ai/prompts.ts';
import { joinKept, type KeptSession, type SessionCounts } from '#engine/shadow-ai/kept-sessions.ts';
import { type Session, type SessionEvent, sessionsOf, silenceMs } from '#engine/shadow-ai/sessions.ts';
import {
  type KnownDetection,
  listDetectionsOf,
  listOwnedEvents,
  listOwnEvents,
  type RootedEvent,
  type WantedDetection,
  writeDetections,
} from './session-store.ts';
import { findProcesses, type ProcessRow } from './process-store.ts';
import type { StoredEvent } from './stored-event.ts';

interface Evaluation {
  readonly tx: Queries;
  readonly tenantId: string;
  readonly matcher: Matcher;
  /** Whether prompts are taken from command lines. */
  readonly prompts: boolean;
  readonly at: Date;
}

/** A process whose sessions may be others now. */
export interface TouchedRoot {
  readonly id: string;
  /** Undefined where it is not known yet. */
  readonly row: ProcessRow | undefined;
  /** From the first to the last of the events that came. */
  readonly fromMs: number;
  readonly toMs: number;
  /** More than these events has changed: all its sessions are made anew. */
  readonly whole: boolean;
  /** Those that came. */
  readonly events: readonly StoredEvent[];
  /** They are all that there are: the root and all that it has started are new. */
  readonly isAll: boolean;
}

/** A root with what is known of it. */
interface Root {
  readonly row: ProcessRow;
  readonly owns: boolean;
  readonly events: readonly RootedEvent[];
  /** Detections in the time that is made anew, of deleted events. */
  readonly kept: readonly KnownDetection[];
}

/** Makes the detections of these roots anew from the events that are kept of them, and what is kept of deleted ones. */
export async function evaluateRoots(deps: Evaluation, touched: readonly TouchedRoot[]): Promise<void> {
  const { tx, tenantId } = deps;
  const rows = await rowsOf(tx, touched);
  const asked = touched.flatMap((root) => {
    const row = rows.get(root.id);
    return row !== undefined && mayBeFound(deps, row, root) ? [{ ...root, row }] : [];
  });
  if (asked.length === 0) return;
  const known = Map.groupBy(
    await listDetectionsOf(
      tx,
      tenantId,
      asked.map(({ id }) => id),
    ),
    ({ rootId }) => rootId,
  );
  const concernedRoots = asked.filter((root) => known.has(root.id) || mayBeNew(root));
  const read = await readEvents(deps, concernedRoots, known);
  const wanted: WantedDetection[] = [];
  const concerned: KnownDetection[] = [];
  for (const { row, id } of concernedRoots) {
    const { events, within } = read.get(id) ?? { events: [], within: [] };
    concerned.push(...within);
    const root = {
      row,
      owns: row.ownerId === id,
      events,
      kept: within.filter(({ goneBefore }) => goneBefore !== null),
    };
    // A process within another's session has none of its own.
    if (root.owns) wanted.push(...(await ownedSessions(deps, root)));
    else if (row.ownerId === null) wanted.push(...(await looseSessions(deps, root)));
  }
  await writeDetections(tx, tenantId, { ...withIds(wanted, concerned), at: deps.at });
}

async function rowsOf(tx: Queries, touched: readonly TouchedRoot[]): Promise<Map<string, ProcessRow>> {
  const rows = new Map(touched.flatMap(({ id, row }) => (row === undefined ? [] : [[id, row] as const])));
  const missing = touched.filter(({ id }) => !rows.has(id)).map(({ id }) => id);
  if (missing.length > 0) for (const row of await findProcesses(tx, missing)) rows.set(row.id, row);
  return rows;
}

/** Most programs are no agents and ask no provider; of a new one nothing else can be known. */
function mayBeFound(
  { matcher }: Evaluation,
  row: ProcessRow,
  { events, isAll, whole }: TouchedRoot,
): boolean {
  if (whole || row.ownerId !== null) return true;
  if (matcher.actsForOthers(row.facts.image?.[1] ?? '')) return false;
  return !isAll || events.some(isGround);
}

/** Of a program that is no agent: it makes a detection. */
const isGround = ({ isApi, fileRule }: StoredEvent): boolean => isApi || fileRule !== null;

/** Whether there may be a detection where none was before. What was one's ground before has made one. */
const mayBeNew = ({ row, whole, events }: Asked): boolean =>
  whole || row.ownerId !== null || events.some(isGround);

type Asked = TouchedRoot & { readonly row: ProcessRow };

interface Read {
  readonly events: readonly RootedEvent[];
  /** Detections that the events may belong to. */
  readonly within: readonly KnownDetection[];
}

/** The sessions around what came: the events of each root from one silence to another, and their detections. */
async function readEvents(
  deps: Evaluation,
  asked: readonly Asked[],
  known: ReadonlyMap<string, readonly KnownDetection[]>,
): Promise<Map<string, Read>> {
  const read = new Map<string, Read>();
  let open: Reading[] = [];
  for (const root of asked) {
    const detections = known.get(root.id) ?? [];
    if (root.isAll)
      read.set(root.id, {
        events: root.events.map((event) => ({ ...event, rootId: root.id })),
        within: detections,
      });
    else open.push({ root, detections, span: firstSpan(root) });
  }
  while (open.length > 0) {
    const found = Map.groupBy(await readSpans(deps, open), ({ rootId }) => rootId);
    open = open.filter((reading) => {
      const events = found.get(reading.root.id) ?? [];
      const core = coreOf(reading, events);
      const { fromMs, toMs } = reading.span;
      if (core.fromMs - silenceMs >= fromMs && core.toMs + silenceMs <= toMs) {
        read.set(reading.root.id, {
          events: events.filter(({ at }) => at.getTime() >= core.fromMs && at.getTime() <= core.toMs),
          within: reading.detections.filter((each) => touches(each, core)),
        });
        return false;
      }
      reading.span = { fromMs: core.fromMs - marginMs, toMs: core.toMs + marginMs };
      return true;
    });
  }
  return read;
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

interface Reading {
  readonly root: Asked;
  readonly detections: readonly KnownDetection[];
  /** What is read. */
  span: Span;
}

/** So far around what is known: nearly always the ends of the session are within. */
const marginMs = 4 * silenceMs;
const always: Span = { fromMs: -Infinity, toMs: Infinity };

function firstSpan({ fromMs, toMs, whole, row }: Asked): Span {
  // A weak name is a detection, or none, because of what it did at any time.
  if (whole || row.weak) return always;
  return { fromMs: fromMs - marginMs, toMs: toMs + marginMs };
}

/** The detection lies in the span, or no silence lies between them. */
const touches = ({ startedAt, endedAt }: KnownDetection, { fromMs, toMs }: Span): boolean =>
  endedAt.getTime() >= fromMs - silenceMs && startedAt.getTime() <= toMs + silenceMs;

/** From one silence to another: the sessions that what came belongs to. */
function coreOf({ root, detections, span }: Reading, events: readonly RootedEvent[]): Span {
  if (span === always) return always;
  const parts: Span[] = [
    ...detections.map((each) => ({ fromMs: each.startedAt.getTime(), toMs: each.endedAt.getTime() })),
    ...events.map(({ at }) => ({ fromMs: at.getTime(), toMs: at.getTime() })),
  ];
  let { fromMs, toMs } = root;
  for (const part of parts.sort((a, b) => a.fromMs - b.fromMs))
    if (part.fromMs <= toMs + silenceMs && part.toMs >= toMs) toMs = part.toMs;
  for (const part of parts.sort((a, b) => b.toMs - a.toMs))
    if (part.toMs >= fromMs - silenceMs && part.fromMs <= fromMs) fromMs = part.fromMs;
  return { fromMs, toMs };
}

async function readSpans({ tx, prompts }: Evaluation, open: readonly Reading[]): Promise<RootedEvent[]> {
  const spansOf = (owning: boolean) =>
    open
      .filter(({ root }) => (root.row.ownerId === null) !== owning)
      .map(({ root, span }) => ({ id: root.id, fromMs: span.fromMs, toMs: span.toMs }));
  return [
    ...(await listOwnedEvents(tx, spansOf(true), prompts)),
    ...(await listOwnEvents(tx, spansOf(false))),
  ];
}

const ruleKey = ({ rootId, ruleId }: { rootId: string; ruleId: string }) => `${rootId} ${ruleId}`;

const asSessionEvent = (event: RootedEvent): SessionEvent => ({
  key: event.id,
  atMs: event.at.getTime(),
  dimension: event.dimension,
  processUid: event.processId,
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

/** Sessions of an agent and of all that it has started. */
async function ownedSessions({ matcher, prompts }: Evaluation, root: Root): Promise<WantedDetection[]> {
  const { row, events } = root;
  const ruleId = row.ruleId ?? '';
  const rule = matcher.findRule(ruleId);
  const kept = root.kept.filter((each) => each.ruleId === ruleId);
  // What was a detection once has had its second signal.
  const weak = row.weak && kept.length === 0;
  const ground = { signal: row.signal ?? 'process', rootUid: row.id, weak, rule };
  const sessions = sessionsOf(events.map(asSessionEvent), ground, matcher);
  const promptOf = (within: readonly RootedEvent[]) =>
    prompts && rule?.prompt !== undefined ? promptIn(within, ruleId, matcher) : null;
  return detectionsOf({ root: row, ruleId, sessions, events, kept, promptOf });
}

/** Sessions of a program that is no agent, but asks a provider or writes models. */
async function looseSessions({ matcher }: Evaluation, root: Root): Promise<WantedDetection[]> {
  const { row, events } = root;
  if (matcher.actsForOthers(row.facts.image?.[1] ?? '')) return [];
  const ruleIds = new Set(
    events.flatMap(({ isApi, providerId, fileRule }) => [
      ...(isApi && providerId !== null ? [providerId] : []),
      ...(fileRule === null ? [] : [fileRule]),
    ]),
  );
  const made: WantedDetection[] = [];
  for (const ruleId of [...ruleIds].sort()) {
    const own = events.filter((event) => isLoose(event, ruleId));
    const rule = matcher.findRule(ruleId);
    const signal = rule === undefined ? undefined : ('process' as const);
    const ground = { signal, rootUid: row.id, weak: false, rule };
    const sessions = sessionsOf(own.map(asSessionEvent), ground, matcher).filter((session) =>
      eventsWithin(own, session).some(({ dimension }) => dimension !== 'process'),
    );
    const kept = root.kept.filter((each) => each.ruleId === ruleId);
    made.push(
      ...(await detectionsOf({ root: row, ruleId, sessions, events: own, kept, promptOf: () => null })),
    );
  }
  return made;
}

const isLoose = ({ dimension, isApi, providerId, fileRule }: RootedEvent, ruleId: string): boolean =>
  dimension === 'process' || (isApi && providerId === ruleId) || fileRule === ruleId;

/** The first prompt of the session that the agent's own command lines tell, without what must not be kept. */
async function promptIn(
  events: readonly RootedEvent[],
  ruleId: string,
  matcher: Matcher,
): Promise<string | null> {
  const starts = events.filter(({ commandLine }) => commandLine !== null);
  starts.sort((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1));
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
