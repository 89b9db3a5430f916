import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import type { Matcher } from '#engine/shadow-ai/matcher.ts';
import { ConnectionCounts } from './connection-counts.ts';
import { evaluateRoots } from './evaluate.ts';
import {
  addEvents,
  type EventRows,
  findEvents,
  type Replacement,
  replaceEvents,
  rowsOfEvents,
} from './event-store.ts';
import { DayTables } from './partitions.ts';
import { ProcessChanges, type Processes, ProcessIds, type Told, toldIn } from './process-changes.ts';
import { upsertDevices } from './process-store.ts';
import type { Incoming } from './read-row.ts';
import type { TouchedRoot } from './session-events.ts';
import { eventMaker, type StoredEvent, tellsMore } from './stored-event.ts';

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

/** A batch, made ready before its transaction begins. */
interface Batch {
  readonly tenantId: string;
  readonly ids: ProcessIds;
  readonly devices: readonly (Incoming['device'] & { readonly at: Date })[];
  readonly told: ReadonlyMap<string, Told>;
  readonly events: readonly StoredEvent[];
  /** Of all events, which nearly always are new: while another transaction has the database there is time to encode. */
  readonly rows: EventRows;
}

export function createIngest(deps: IngestDeps): Ingest {
  const { db, clock, matcher, wantsPrompts } = deps;
  const makeEvent = eventMaker(matcher);
  const dayTables = new DayTables(db);

  function makeReady(rows: readonly Incoming[], tenantId: string, connectorId: string): Batch {
    const ids = new ProcessIds(tenantId);
    const events = new Map<string, StoredEvent>();
    for (const row of rows) {
      if (row.factsOnly) continue;
      const { deviceUid, process } = row.event;
      const made = makeEvent(row, ids.of(deviceUid, process.uid), connectorId);
      const other = events.get(made.id);
      if (other === undefined || tellsMore(made, other)) events.set(made.id, made);
    }
    const kept = [...events.values()];
    return {
      tenantId,
      ids,
      devices: devicesIn(rows),
      told: toldIn(rows, ids),
      events: kept,
      rows: rowsOfEvents(tenantId, kept),
    };
  }

  async function keep(tx: Queries, batch: Batch): Promise<void> {
    const { tenantId, ids } = batch;
    const at = new Date(clock.now());
    // Retention locks this table first too, so neither waits for what the other holds.
    await tx.script('lock table shadow_ai.event_blocks in row exclusive mode');
    await upsertDevices(tx, tenantId, batch.devices);
    const processes = await new ProcessChanges(tx, matcher, { tenantId, ids }).apply(batch.told);
    const kept = await keepEvents(tx, batch, processes);
    const roots = rootsOf(processes, kept);
    if (roots.length > 0) {
      const prompts = await wantsPrompts(tx, tenantId);
      await evaluateRoots({ tx, tenantId, matcher, prompts, at }, roots);
    }
    // Last: these rows are shared by all devices of the tenant, so others wait for them only shortly.
    await kept.counts.write(tx, tenantId);
    await noteEvaluation(tx, tenantId, at);
  }

  return {
    async ingest(rows, { tenantId, connectorId }) {
      if (rows.length === 0) return;
      const batch = makeReady(rows, tenantId, connectorId);
      await dayTables.open(new Set(batch.events.map((event) => event.at.getTime())), clock.now());
      await db.transaction((tx) => keep(tx, batch));
    },
  };
}

function devicesIn(rows: readonly Incoming[]): Batch['devices'] {
  const devices = new Map<string, Incoming['device'] & { at: Date }>();
  for (const { device, event } of rows) {
    const known = devices.get(device.uid);
    const atMs = event.atMs;
    if (known === undefined) {
      devices.set(device.uid, { ...device, at: new Date(atMs) });
      continue;
    }
    const knownMs = known.at.getTime();
    const isNewer = atMs > knownMs || (atMs === knownMs && device.name > known.name);
    const os = largerOf(known.os, device.os);
    if (isNewer) devices.set(device.uid, { ...device, os, at: new Date(atMs) });
    else if (os !== known.os) devices.set(device.uid, { ...known, os });
  }
  return [...devices.values()];
}

const largerOf = (one: string | undefined, other: string | undefined): string | undefined =>
  one === undefined || (other !== undefined && other > one) ? other : one;

/** What became of the events of a batch. */
interface Kept {
  readonly added: readonly StoredEvent[];
  /** Their rows tell more than those that were kept. */
  readonly replaced: readonly StoredEvent[];
  readonly counts: ConnectionCounts;
}

async function keepEvents(
  tx: Queries,
  { tenantId, events, rows }: Batch,
  { fresh }: Processes,
): Promise<Kept> {
  const counts = new ConnectionCounts();
  // Each event has its process beside it, so nothing is kept of a process that nobody has heard of.
  const asked = events.filter(({ processId }) => !fresh.has(processId));
  const known = await findEvents(tx, asked);
  const added = known.size === 0 ? events : events.filter(({ id }) => !known.has(id));
  await addEvents(tx, added === events ? rows : rowsOfEvents(tenantId, added));
  for (const event of added) counts.add(event);
  const replacements: Replacement[] = [];
  for (const event of known.size === 0 ? [] : events) {
    const before = known.get(event.id);
    if (before === undefined || !tellsMore(event, before.event)) continue;
    const by = { ...event, connectorId: before.event.connectorId };
    replacements.push({ known: before, by });
    counts.replace({ ...before.event, deviceUid: event.deviceUid }, by);
  }
  await replaceEvents(tx, tenantId, replacements);
  return { added, replaced: replacements.map(({ by }) => by), counts };
}

/** The roots whose sessions may be others now. */
function rootsOf({ byId, fresh, unsettled }: Processes, { added, replaced }: Kept): TouchedRoot[] {
  const roots = new Map<string, { fromMs: number; toMs: number; whole: boolean; events: StoredEvent[] }>();
  const rootOf = (processId: string) => byId.get(processId)?.ownerId ?? processId;
  const touch = (event: StoredEvent) => {
    const id = rootOf(event.processId);
    const atMs = event.at.getTime();
    const root = roots.get(id);
    if (root === undefined) roots.set(id, { fromMs: atMs, toMs: atMs, whole: false, events: [event] });
    else {
      root.fromMs = Math.min(root.fromMs, atMs);
      root.toMs = Math.max(root.toMs, atMs);
      root.events.push(event);
    }
  };
  for (const event of [...added, ...replaced]) touch(event);
  for (const id of unsettled) {
    const root = roots.get(id);
    if (root === undefined) roots.set(id, { fromMs: 0, toMs: 0, whole: true, events: [] });
    else root.whole = true;
  }
  return [...roots].map(([id, root]) => ({
    ...root,
    id,
    row: byId.get(id),
    // Had it processes that were known before, these would have made it unsettled.
    isAll: fresh.has(id) && !root.whole,
  }));
}

async function noteEvaluation(tx: Queries, tenantId: string, at: Date): Promise<void> {
  await tx.query(
    `insert into shadow_ai.evaluations as known (tenant_id, evaluated_at) values ($1, $2)
     on conflict (tenant_id) do update set evaluated_at = greatest(known.evaluated_at, excluded.evaluated_at)`,
    [tenantId, at],
  );
}
