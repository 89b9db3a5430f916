import type { Queries } from '#base/db/database.ts';
import { redact } from '#engine/redact/redact.ts';
import type { Matcher } from '#engine/shadow-ai/matcher.ts';
import { promptOf } from '#engine/shadow-ai/prompts.ts';
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

/** Makes the detections of these roots anew from all events that are kept of them. */
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
  const wanted: Omit<WantedDetection, 'id'>[] = [];
  for (const root of owning) wanted.push(...(await ownedSessions(deps, root, events.get(keyOf(root)) ?? [])));
  for (const root of free) wanted.push(...looseSessions(deps, root, events.get(keyOf(root)) ?? []));
  const known = await listDetectionsOf(tx, tenantId, roots);
  const { kept, gone } = withIds(wanted, known);
  await writeDetections(tx, tenantId, { wanted: kept, gone, at: deps.at });
}

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

/** Sessions of an agent and of all that it has started. */
async function ownedSessions(
  { matcher, prompts }: Evaluation,
  root: ProcessRow,
  events: readonly RootedEvent[],
): Promise<Omit<WantedDetection, 'id'>[]> {
  const ruleId = root.ruleId ?? '';
  const rule = matcher.findRule(ruleId);
  const ground = { signal: root.signal ?? 'process', rootUid: root.processUid, weak: root.weak, rule };
  const sessions = sessionsOf(events.map(asSessionEvent), ground, matcher);
  const made: Omit<WantedDetection, 'id'>[] = [];
  for (const session of sessions) {
    const within = events.filter(
      ({ at }) => at.getTime() >= session.startedMs && at.getTime() <= session.endedMs,
    );
    const prompt = prompts && rule?.prompt !== undefined ? await promptIn(within, ruleId, matcher) : null;
    made.push(detectionOf(root, ruleId, session, within, prompt));
  }
  return made;
}

/** Sessions of a program that is no agent, but asks a provider or writes models. */
function looseSessions(
  { matcher }: Evaluation,
  root: ProcessRow,
  events: readonly RootedEvent[],
): Omit<WantedDetection, 'id'>[] {
  const ruleIds = new Set(
    events.flatMap(({ isApi, providerId, fileRule }) => [
      ...(isApi && providerId !== null ? [providerId] : []),
      ...(fileRule === null ? [] : [fileRule]),
    ]),
  );
  return [...ruleIds].sort().flatMap((ruleId) => {
    const own = events.filter(
      ({ dimension, providerId, fileRule }) =>
        dimension === 'process' || providerId === ruleId || fileRule === ruleId,
    );
    const rule = matcher.findRule(ruleId);
    const signal = rule === undefined ? undefined : ('process' as const);
    const ground = { signal, rootUid: root.processUid, weak: false, rule };
    return sessionsOf(own.map(asSessionEvent), ground, matcher)
      .filter(({ startedMs, endedMs }) =>
        own.some(
          ({ dimension, at }) =>
            dimension !== 'process' && at.getTime() >= startedMs && at.getTime() <= endedMs,
        ),
      )
      .map((session) => detectionOf(root, ruleId, session, own, null));
  });
}

function detectionOf(
  root: ProcessRow,
  ruleId: string,
  session: Session,
  events: readonly RootedEvent[],
  prompt: string | null,
): Omit<WantedDetection, 'id'> {
  const users = events.flatMap(({ userName }) => userName ?? []).sort();
  return {
    deviceUid: root.deviceUid,
    rootUid: root.processUid,
    ruleId,
    prompt,
    accountName: root.facts.user?.[1] ?? users[0] ?? null,
    startedAt: new Date(session.startedMs),
    endedAt: new Date(session.endedMs),
    processCount: session.processCount,
    networkCount: session.networkCount,
    fileCount: session.fileCount,
    mode: session.mode,
    tags: session.tags,
  };
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

/** A session keeps the id of the oldest detection that it overlaps; what is left over has become part of another. */
function withIds(
  wanted: readonly Omit<WantedDetection, 'id'>[],
  known: readonly KnownDetection[],
): { kept: WantedDetection[]; gone: number[] } {
  const left = new Map(known.map((each) => [each.id, each]));
  const kept = [...wanted]
    .sort((a, b) => a.startedAt.getTime() - b.startedAt.getTime())
    .map((each) => {
      const same = [...left.values()].find(
        (other) =>
          other.deviceUid === each.deviceUid &&
          other.rootUid === each.rootUid &&
          other.ruleId === each.ruleId &&
          other.startedAt <= each.endedAt &&
          other.endedAt >= each.startedAt,
      );
      if (same !== undefined) left.delete(same.id);
      return { ...each, id: same?.id ?? null };
    });
  return { kept, gone: [...left.keys()] };
}
