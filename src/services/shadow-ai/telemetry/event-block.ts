import type { Dimension } from '#engine/shadow-ai/telemetry.ts';
import type { StoredEvent } from './stored-event.ts';

/** An event as a block tells it; whose device it is, its process says. */
export type KeptEvent = Omit<StoredEvent, 'deviceUid'>;

/** Of every event: milliseconds are counted from the first event of the block. */
type Common = readonly [
  dimension: number,
  afterMs: number,
  id: string,
  content: number,
  action: string | null,
  tags: readonly string[],
  userName: string | null,
  appName: string | null,
];
type PackedProcess = readonly [...Common, commandLine: string | null];
type PackedFile = readonly [...Common, filePath: string | null, fileRule: string | null];
type PackedConnection = readonly [
  ...Common,
  host: string | null,
  ip: string | null,
  port: number | null,
  inbound: boolean | null,
  providerId: string | null,
  isApi: boolean,
];
/** Another form needs a migration that writes all blocks anew, as `0007_event_blocks.sql` wrote the first ones. */
export type PackedEvent = PackedProcess | PackedFile | PackedConnection;

/** Where SQL finds what it asks of a packed event. */
export const placeOf = { dimension: 0, afterMs: 1, fileRule: 9, providerId: 12 } as const;

/** Some events of one process on one day (UTC), oldest first, from one connector. */
export interface EventBlock {
  readonly processId: string;
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** Of the first event. */
  readonly id: string;
  readonly connectorId: string;
  readonly events: readonly PackedEvent[];
}

const dayMs = 86_400_000;
/** Reading a few minutes of a busy process must not read its whole day. */
const mostEvents = 500;
export const codeOf: Readonly<Record<Dimension, number>> = { process: 0, network: 1, file: 2, dns: 3 };
const nameOf: readonly Dimension[] = ['process', 'network', 'file', 'dns'];

/** By time, and of one time by id. */
export const inOrder = (a: Pick<KeptEvent, 'at' | 'id'>, b: Pick<KeptEvent, 'at' | 'id'>): number =>
  a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1);

/** Puts events into blocks; those of a process and connector stand in few. */
export function packEvents(events: readonly KeptEvent[]): EventBlock[] {
  const groups = new Map<string, Map<string, KeptEvent[]>>();
  for (const event of events) {
    const { processId, connectorId, at } = event;
    let days = groups.get(processId);
    if (days === undefined) groups.set(processId, (days = new Map()));
    const key = `${Math.floor(at.getTime() / dayMs)} ${connectorId}`;
    const group = days.get(key);
    if (group === undefined) days.set(key, [event]);
    else group.push(event);
  }
  const blocks: EventBlock[] = [];
  for (const days of groups.values())
    for (const group of days.values()) {
      if (group.length > 1) group.sort(inOrder);
      for (let i = 0; i < group.length; i += mostEvents) {
        const block = blockOf(group.slice(i, i + mostEvents));
        if (block !== undefined) blocks.push(block);
      }
    }
  return blocks;
}

function blockOf(events: readonly KeptEvent[]): EventBlock | undefined {
  const [first, last] = [events[0], events.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const { processId, connectorId, id, at } = first;
  const firstMs = at.getTime();
  const packed = events.map((event) => pack(event, firstMs));
  return { processId, firstAt: at, lastAt: last.at, id, connectorId, events: packed };
}

function pack(event: KeptEvent, firstMs: number): PackedEvent {
  const { dimension, at, id, content, action, tags, userName, appName } = event;
  const afterMs = at.getTime() - firstMs;
  const code = codeOf[dimension];
  if (dimension === 'process')
    return [code, afterMs, id, content, action, tags, userName, appName, event.commandLine];
  if (dimension === 'file')
    return [code, afterMs, id, content, action, tags, userName, appName, event.filePath, event.fileRule];
  const { host, ip, port, inbound, providerId, isApi } = event;
  return [
    code,
    afterMs,
    id,
    content,
    action,
    tags,
    userName,
    appName,
    host,
    ip,
    port,
    inbound,
    providerId,
    isApi,
  ];
}

/** The events of the block, oldest first. */
export function unpackEvents({ processId, connectorId, firstAt, events }: EventBlock): KeptEvent[] {
  const firstMs = firstAt.getTime();
  return events.map((packed) => {
    const [code, afterMs, id, content, action, tags, userName, appName] = packed;
    const dimension = nameOf[code] ?? 'process';
    return {
      id,
      content,
      at: new Date(firstMs + afterMs),
      dimension,
      processId,
      connectorId,
      userName,
      appName,
      action,
      tags,
      ...nothing,
      ...detailsOf(packed),
    };
  });
}

const nothing = {
  commandLine: null,
  host: null,
  ip: null,
  port: null,
  inbound: null,
  filePath: null,
  providerId: null,
  isApi: false,
  fileRule: null,
};

/** What its dimension alone has; which one it is, its length says too. */
function detailsOf(packed: PackedEvent): Partial<KeptEvent> {
  if (packed.length === 9) return { commandLine: packed[8] };
  if (packed.length === 10) return { filePath: packed[8], fileRule: packed[9] };
  const [, , , , , , , , host, ip, port, inbound, providerId, isApi] = packed;
  return { host, ip, port, inbound, providerId, isApi };
}
