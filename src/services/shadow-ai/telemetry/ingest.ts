import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import type { Matcher } from '#engine/shadow-ai/matcher.ts';
import {
  mergeFacts,
  type MergedFacts,
  type Owner,
  ownersOf,
  type Recognised,
} from '#engine/shadow-ai/processes.ts';
import { createTagger } from '#engine/shadow-ai/tags.ts';
import { fileNameOf } from '#engine/shadow-ai/telemetry.ts';
import { evaluateRoots } from './evaluate.ts';
import type { Incoming } from './read-row.ts';
import {
  findProcesses,
  findSubtrees,
  noteEvaluation,
  type ProcessKey,
  type ProcessRow,
  setOwners,
  type StoredEvent,
  upsertDevices,
  upsertEvents,
  upsertProcesses,
} from './store.ts';

export interface Ingest {
  /**
   * Keeps the rows and brings the detections up to date, in one transaction. What was kept before changes nothing, and
   * the detections are those of all rows ever given, whatever their order and batches.
   */
  ingest(
    rows: readonly Incoming[],
    to: { readonly tenantId: string; readonly connectorId: string },
  ): Promise<void>;
}

export interface IngestDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly matcher: Matcher;
  /** Whether the tenant wants prompts. */
  readonly wantsPrompts: (tx: Queries, tenantId: string) => Promise<boolean>;
}

const separator = '\u0000';
const keyOf = ({ deviceUid, processUid }: ProcessKey) => `${deviceUid}${separator}${processUid}`;

function asKey(key: string): ProcessKey {
  const at = key.indexOf(separator);
  return { deviceUid: key.slice(0, at), processUid: key.slice(at + 1) };
}

export function createIngest({ db, clock, matcher, wantsPrompts }: IngestDeps): Ingest {
  const tagsOf = createTagger(matcher.catalogue, matcher);

  function asStored({ event, contentHash }: Incoming, connectorId: string): StoredEvent {
    const { process, host, filePath, dimension, action = '' } = event;
    const fileRule =
      dimension === 'file' && !/^(?:read|open|delete)/i.test(action)
        ? matcher.matchFile(filePath ?? '')?.id
        : undefined;
    return {
      deviceUid: event.deviceUid,
      processUid: process.uid,
      eventKey: event.key,
      contentHash,
      at: new Date(event.atMs),
      dimension,
      connectorId,
      userName: event.user,
      appName: process.image === undefined ? undefined : fileNameOf(process.image),
      commandLine: process.commandLine,
      host,
      ip: event.ip,
      port: event.port,
      inbound: event.inbound,
      filePath,
      action: event.action,
      providerId: host === undefined ? undefined : matcher.findProvider(host)?.id,
      isApi: host !== undefined && event.inbound !== true && matcher.isApiHost(host),
      fileRule,
      tags: tagsOf(event),
    };
  }

  return {
    async ingest(rows, { tenantId, connectorId }) {
      if (rows.length === 0) return;
      const events = new Map<string, StoredEvent>();
      for (const row of rows) {
        if (row.factsOnly) continue;
        const stored = asStored(row, connectorId);
        const key = `${stored.deviceUid}${separator}${stored.eventKey}`;
        const other = events.get(key);
        if (other === undefined || tellsMore(stored, other)) events.set(key, stored);
      }
      const facts = factsIn(rows);
      await db.transaction(async (tx) => {
        const at = new Date(clock.now());
        await upsertDevices(tx, tenantId, devicesIn(rows));
        const changed = await mergeProcesses(tx, tenantId, facts, matcher);
        const inserted = await upsertEvents(tx, tenantId, [...events.values()]);
        const roots = await settleOwners(tx, tenantId, { changed, touched: inserted, matcher });
        if (roots.length > 0) {
          const prompts = await wantsPrompts(tx, tenantId);
          await evaluateRoots({ tx, tenantId, matcher, prompts, at }, roots);
        }
        await noteEvaluation(tx, tenantId, at);
      });
    },
  };
}

/** Of two rows of one event: the one that names the host, else the one with the smaller hash, as the store decides. */
function tellsMore(one: StoredEvent, other: StoredEvent): boolean {
  const [named, otherNamed] = [one.host !== undefined, other.host !== undefined];
  return named === otherNamed ? one.contentHash < other.contentHash : named;
}

function devicesIn(rows: readonly Incoming[]) {
  const devices = new Map<string, Incoming['device'] & { at: Date }>();
  for (const { device, event } of rows) {
    const known = devices.get(device.uid);
    const at = new Date(event.atMs);
    const isNewer =
      known === undefined ||
      at > known.at ||
      (at.getTime() === known.at.getTime() && device.name > known.name);
    const os = [known?.os, device.os]
      .filter((each) => each !== undefined)
      .sort()
      .at(-1);
    devices.set(device.uid, {
      uid: device.uid,
      name: isNewer ? device.name : known.name,
      os,
      at: isNewer ? at : known.at,
    });
  }
  return [...devices.values()];
}

interface SeenFacts {
  readonly facts: MergedFacts;
  readonly atMs: number;
}

function factsIn(rows: readonly Incoming[]): Map<string, SeenFacts> {
  const seen = new Map<string, SeenFacts>();
  for (const { event, facts } of rows)
    for (const [processUid, each] of facts) {
      const key = keyOf({ deviceUid: event.deviceUid, processUid });
      const known = seen.get(key);
      seen.set(key, {
        facts: known === undefined ? each : mergeFacts(known.facts, each),
        atMs: Math.max(known?.atMs ?? 0, event.atMs),
      });
    }
  return seen;
}

/** Adds what is known now; answers the processes of which that says something else than before. */
// oxlint-disable-next-line eslint/complexity -- columns of one row, most of which may be missing
async function mergeProcesses(
  tx: Queries,
  tenantId: string,
  seen: ReadonlyMap<string, SeenFacts>,
  matcher: Matcher,
): Promise<ProcessKey[]> {
  const known = new Map(
    (await findProcesses(tx, tenantId, [...seen.keys()].map(asKey))).map((row) => [keyOf(row), row]),
  );
  const written: (ProcessRow & { at: Date })[] = [];
  const changed: ProcessKey[] = [];
  for (const [key, { facts, atMs }] of seen) {
    const before = known.get(key);
    const merged = before === undefined ? facts : mergeFacts(before.facts, facts);
    if (before !== undefined && JSON.stringify(merged) === JSON.stringify(before.facts)) continue;
    const match = matcher.matchProcess(merged.image?.[1] ?? '', merged.commandLine?.[1] ?? '');
    const row = {
      ...asKey(key),
      parentUid: merged.parentUid?.[1] ?? null,
      facts: merged,
      ruleId: match?.rule.id ?? null,
      signal: match?.signal ?? null,
      weak: match?.weak ?? false,
      ownerUid: before?.ownerUid ?? null,
      ownerRule: before?.ownerRule ?? null,
      at: new Date(atMs),
    };
    written.push(row);
    changed.push({ deviceUid: row.deviceUid, processUid: row.processUid });
  }
  if (written.length > 0) await upsertProcesses(tx, tenantId, written);
  return changed;
}

/**
 * Says anew whose session the changed processes, and all below them, belong to.
 * @returns the roots whose sessions may be others now
 */
// oxlint-disable-next-line eslint/complexity -- fallbacks for rows that are not there yet; in parts it is harder to follow
async function settleOwners(
  tx: Queries,
  tenantId: string,
  { changed, touched, matcher }: { changed: ProcessKey[]; touched: readonly ProcessKey[]; matcher: Matcher },
): Promise<ProcessKey[]> {
  const rows = changed.length === 0 ? [] : await findSubtrees(tx, tenantId, changed);
  const within = new Map(rows.map((row) => [keyOf(row), row]));
  const outside = new Set(
    [
      ...rows.flatMap(({ deviceUid, parentUid }) =>
        parentUid === null ? [] : [keyOf({ deviceUid, processUid: parentUid })],
      ),
      ...touched.map(keyOf),
    ].filter((key) => !within.has(key)),
  );
  const others = new Map(
    (outside.size === 0 ? [] : await findProcesses(tx, tenantId, [...outside].map(asKey))).map((row) => [
      keyOf(row),
      row,
    ]),
  );
  const owners = ownersOf(recognised(rows, matcher), (key) => ownerIn(others.get(key)));
  const roots = new Set<string>();
  const moved: (ProcessKey & { ownerUid: string | null; ownerRule: string | null })[] = [];
  for (const row of rows) {
    const owner = owners.get(keyOf(row));
    const ownerUid = owner === undefined ? null : asKey(owner.rootUid).processUid;
    const { deviceUid, processUid } = row;
    for (const root of [row.ownerUid, ownerUid, processUid])
      if (root !== null) roots.add(keyOf({ deviceUid, processUid: root }));
    if (ownerUid !== row.ownerUid || (owner?.ruleId ?? null) !== row.ownerRule)
      moved.push({ deviceUid, processUid, ownerUid, ownerRule: owner?.ruleId ?? null });
  }
  if (moved.length > 0) await setOwners(tx, tenantId, moved);
  for (const key of touched.map(keyOf)) {
    const owner = within.has(key) ? owners.get(key) : ownerIn(others.get(key));
    roots.add(owner?.rootUid ?? key);
  }
  return [...roots].map(asKey);
}

const ownerIn = (row: ProcessRow | undefined): Owner | undefined =>
  row === undefined || row.ownerUid === null || row.ownerRule === null
    ? undefined
    : { rootUid: keyOf({ deviceUid: row.deviceUid, processUid: row.ownerUid }), ruleId: row.ownerRule };

/** Keys stand in the place of uids, so that devices are kept apart. */
function recognised(rows: readonly ProcessRow[], matcher: Matcher): Map<string, Recognised> {
  return new Map(
    rows.map((row) => {
      const { deviceUid, parentUid, ruleId, weak } = row;
      const uid = keyOf(row);
      const parent = parentUid === null ? undefined : keyOf({ deviceUid, processUid: parentUid });
      const serves = ruleId !== null && matcher.findRule(ruleId)?.category === 'MCP_RUNTIME';
      return [uid, { uid, parentUid: parent, ruleId: ruleId ?? undefined, weak, serves }];
    }),
  );
}
