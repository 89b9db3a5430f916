import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import type { Matcher } from '#engine/shadow-ai/matcher.ts';
import { Batch } from './batch.ts';
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
import { ProcessChanges, type Processes } from './process-changes.ts';
import { upsertDeviceDays, upsertDevices } from './process-store.ts';
import type { TouchedRoot } from './session-events.ts';
import { eventMaker, type StoredEvent, tellsMore } from './stored-event.ts';

export interface Ingest {
  /** An empty batch for rows of this tenant and connector. */
  open(to: { readonly tenantId: string; readonly connectorId: string }): Batch;
  /**
   * Keeps the rows and brings the detections up to date, in one transaction. What was kept before changes nothing, and
   * the detections are those of all rows ever given, whatever their order and batches.
   */
  keep(batch: Batch): Promise<void>;
}

export interface IngestDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly matcher: Matcher;
  /** Whether the tenant wants prompts. */
  readonly wantsPrompts: (tx: Queries, tenantId: string) => Promise<boolean>;
}

/** The events of a batch with their rows for the database, encoded before its transaction begins. */
interface Events {
  readonly events: readonly StoredEvent[];
  /** Of all events, which nearly always are new: while another transaction has the database there is time to encode. */
  readonly rows: EventRows;
}

export function createIngest(deps: IngestDeps): Ingest {
  const { db, clock, matcher, wantsPrompts } = deps;
  const makeEvent = eventMaker(matcher);
  const dayTables = new DayTables(db);

  async function keepIn(tx: Queries, batch: Batch, encoded: Events): Promise<void> {
    const { tenantId, ids } = batch;
    const at = new Date(clock.now());
    // Retention locks this table first too, so neither waits for what the other holds.
    await tx.script('lock table shadow_ai.event_blocks in row exclusive mode');
    await upsertDevices(tx, tenantId, batch.devices);
    await upsertDeviceDays(tx, tenantId, batch.deviceDays);
    const processes = await new ProcessChanges(tx, matcher, { tenantId, ids }).apply(batch.told);
    const kept = await keepEvents(tx, tenantId, encoded, processes);
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
    open: (to) => new Batch(makeEvent, to),
    async keep(batch) {
      if (batch.rows === 0) return;
      const { events } = batch;
      const encoded = { events, rows: rowsOfEvents(batch.tenantId, events) };
      await dayTables.open(new Set(events.map((event) => event.at.getTime())), clock.now());
      await db.transaction((tx) => keepIn(tx, batch, encoded));
    },
  };
}

/** What became of the events of a batch. */
interface Kept {
  readonly added: readonly StoredEvent[];
  /** Their rows tell more than those that were kept. */
  readonly replaced: readonly StoredEvent[];
  readonly counts: ConnectionCounts;
}

async function keepEvents(
  tx: Queries,
  tenantId: string,
  { events, rows }: Events,
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
