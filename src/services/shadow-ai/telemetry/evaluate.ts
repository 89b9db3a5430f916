import type { Queries } from '#base/db/database.ts';
import { redact } from '#engine/redact/redact.ts';
import type { Matcher } from '#engine/shadow-ai/matcher.ts';
import { promptOf } from '#engine/shadow-ai/prompts.ts';
import { type SessionEvent, sessionsOf } from '#engine/shadow-ai/sessions.ts';
import { findProcesses, type ProcessRow } from './process-store.ts';
import { detectionsOf, eventsWithin, withIds } from './session-detections.ts';
import { type Asked, readEvents, type TouchedRoot } from './session-events.ts';
import {
  type KnownDetection,
  listDetectionsOf,
  type EventOfSession,
  type WantedDetection,
  writeDetections,
} from './session-store.ts';
import type { StoredEvent } from './stored-event.ts';

interface Evaluation {
  readonly tx: Queries;
  readonly tenantId: string;
  readonly matcher: Matcher;
  /** Whether prompts are taken from command lines. */
  readonly prompts: boolean;
  readonly at: Date;
}

/** A root with what is known of it. */
interface Root {
  readonly row: ProcessRow;
  readonly owns: boolean;
  readonly events: readonly EventOfSession[];
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
  const read = await readEvents(tx, concernedRoots, known);
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

const asSessionEvent = (event: EventOfSession): SessionEvent => ({
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
  const promptOf = (within: readonly EventOfSession[]) =>
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

const isLoose = ({ dimension, isApi, providerId, fileRule }: EventOfSession, ruleId: string): boolean =>
  dimension === 'process' || (isApi && providerId === ruleId) || fileRule === ruleId;

/** The first prompt of the session that the agent's own command lines tell, without what must not be kept. */
async function promptIn(
  events: readonly EventOfSession[],
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
