import type { CopiedRow } from '#base/db/copy.ts';
import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import { isConnection } from './connection-counts.ts';
import { type EventBlock, type KeptEvent, packEvents, unpackEvents } from './event-block.ts';
import type { StoredEvent } from './stored-event.ts';

type BlockRow = EventBlock & Record<string, unknown>;

export const blockColumns = `b.process_id as "processId", b.first_at as "firstAt", b.last_at as "lastAt", b.id,
  b.connector_id as "connectorId", b.events`;

/** A block has events of one day: what overlaps a span begins on its first day or later. */
export const overlaps = (from: string, to: string): string =>
  `b.first_at >= date_trunc('day', ${from}) and b.first_at <= ${to} and b.last_at >= ${from}`;

/** A process, and from when to when its events are asked for. */
interface ProcessSpan {
  readonly id: string;
  readonly from: Date;
  readonly to: Date;
}

/** Blocks that may have events of these processes between these moments, both included. */
const findBlocks = (tx: Queries, spans: readonly ProcessSpan[]): Promise<BlockRow[]> =>
  tx.query(
    `select ${blockColumns} from json_to_recordset($1::json) as w (id uuid, "from" timestamptz, "to" timestamptz)
     cross join lateral (
       select * from shadow_ai.event_blocks b where b.process_id = w.id and ${overlaps('w."from"', 'w."to"')} offset 0) b`,
    [json(spans)],
  );

/** An event that is kept, and the block that it stands in. */
export interface KnownEvent {
  readonly event: KeptEvent;
  readonly block: EventBlock;
}

/** Those of the events that are kept already, by id. */
export async function findEvents(
  tx: Queries,
  events: readonly StoredEvent[],
): Promise<Map<string, KnownEvent>> {
  const asked = new Set<string>();
  const spans = new Map<string, { id: string; from: Date; to: Date }>();
  for (const { id, processId, at } of events) {
    asked.add(id);
    const span = spans.get(processId);
    if (span === undefined) spans.set(processId, { id: processId, from: at, to: at });
    else if (at < span.from) span.from = at;
    else if (at > span.to) span.to = at;
  }
  const known = new Map<string, KnownEvent>();
  if (spans.size === 0) return known;
  for (const block of await findBlocks(tx, [...spans.values()]))
    for (const event of unpackEvents(block)) if (asked.has(event.id)) known.set(event.id, { event, block });
  return known;
}

/** Rows of the two tables that events are kept in, encoded for COPY. */
export interface EventRows {
  readonly blocks: readonly CopiedRow[];
  readonly connections: readonly CopiedRow[];
}

export const rowsOfEvents = (tenantId: string, events: readonly StoredEvent[]): EventRows => ({
  blocks: packEvents(events).map((block) => rowOfBlock(tenantId, block)),
  connections: events.filter(isConnection).map((event) => rowOfConnection(tenantId, event)),
});

/** Keeps events that are not there yet; their devices are held. */
export async function addEvents(tx: Queries, { blocks, connections }: EventRows): Promise<void> {
  await tx.copy('shadow_ai.event_blocks', copiedOfBlock, blocks);
  await tx.copy('shadow_ai.connections', copiedOfConnection, connections);
}

const copiedOfBlock = ['tenant_id', 'process_id', 'first_at', 'last_at', 'id', 'connector_id', 'events'];

const rowOfBlock = (tenantId: string, block: EventBlock): CopiedRow => [
  tenantId,
  block.processId,
  block.firstAt,
  block.lastAt,
  block.id,
  block.connectorId,
  json(block.events),
];

export const addBlocks = (tx: Queries, tenantId: string, blocks: readonly EventBlock[]): Promise<void> =>
  tx.copy(
    'shadow_ai.event_blocks',
    copiedOfBlock,
    blocks.map((block) => rowOfBlock(tenantId, block)),
  );

const copiedOfConnection = [
  'tenant_id',
  'at',
  'id',
  'process_id',
  'device_uid',
  'connector_id',
  'provider_id',
  'user_name',
  'app_name',
  'host',
  'ip',
  'port',
];

const rowOfConnection = (tenantId: string, event: StoredEvent): CopiedRow => [
  tenantId,
  event.at,
  event.id,
  event.processId,
  event.deviceUid,
  event.connectorId,
  event.providerId,
  event.userName,
  event.appName,
  event.host,
  event.ip,
  event.port,
];

/** An event that takes the place of a kept one with the same id. */
export interface Replacement {
  readonly known: KnownEvent;
  /** With the connector of the kept one, which told of it first. */
  readonly by: StoredEvent;
}

export async function replaceEvents(
  tx: Queries,
  tenantId: string,
  replacements: readonly Replacement[],
): Promise<void> {
  if (replacements.length === 0) return;
  const blocks = Map.groupBy(replacements, ({ known }) => known.block);
  const changed = [...blocks].flatMap(([block, each]) => {
    const byId = new Map(each.map(({ by }) => [by.id, by]));
    return packEvents(unpackEvents(block).map((event) => byId.get(event.id) ?? event));
  });
  await tx.query(
    `update shadow_ai.event_blocks b set events = w.events
     from json_to_recordset($1::json) as w ("processId" uuid, "firstAt" timestamptz, id uuid, events json)
     where b.process_id = w."processId" and b.first_at = w."firstAt" and b.id = w.id`,
    [json(changed)],
  );
  await tx.query(
    `delete from shadow_ai.connections c using unnest($2::timestamptz[], $3::uuid[]) as w (at, id)
     where c.tenant_id = $1 and c.at = w.at and c.id = w.id`,
    [tenantId, replacements.map(({ by }) => by.at), replacements.map(({ by }) => by.id)],
  );
  await tx.copy(
    'shadow_ai.connections',
    copiedOfConnection,
    replacements.filter(({ by }) => isConnection(by)).map(({ by }) => rowOfConnection(tenantId, by)),
  );
}
