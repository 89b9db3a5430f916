import { addFacts, type FactRank } from '#engine/shadow-ai/processes.ts';
import type { ProcessFacts } from '#engine/shadow-ai/telemetry.ts';
import { ProcessIds, type Told } from './process-changes.ts';
import type { Device, DeviceDay } from './process-store.ts';
import type { Incoming } from './read-row.ts';
import { type EventMaker, type StoredEvent, tellsMore } from './stored-event.ts';

const dayMs = 86_400_000;

/** Rows that are kept in one transaction. Each is taken apart when it comes, so that what it repeats is not held. */
export class Batch {
  readonly tenantId: string;
  readonly ids: ProcessIds;
  readonly #connectorId: string;
  readonly #makeEvent: EventMaker;
  readonly #devices = new Map<string, Device>();
  /** By device, then by day. */
  readonly #days = new Map<string, Map<number, DeviceDay>>();
  readonly #told = new Map<string, Told>();
  readonly #events = new Map<string, StoredEvent>();
  #rows = 0;

  constructor(makeEvent: EventMaker, to: { readonly tenantId: string; readonly connectorId: string }) {
    this.#makeEvent = makeEvent;
    this.tenantId = to.tenantId;
    this.#connectorId = to.connectorId;
    this.ids = new ProcessIds(to.tenantId);
  }

  get rows(): number {
    return this.#rows;
  }

  get devices(): Device[] {
    return [...this.#devices.values()];
  }

  get deviceDays(): DeviceDay[] {
    return [...this.#days.values()].flatMap((days) => [...days.values()]);
  }

  /** What the rows tell of processes, by id. */
  get told(): ReadonlyMap<string, Told> {
    return this.#told;
  }

  get events(): StoredEvent[] {
    return [...this.#events.values()];
  }

  add(row: Incoming): void {
    this.#rows += 1;
    this.#addDevice(row);
    this.#addDay(row);
    const { event, rank, parent } = row;
    const processId = this.#addFacts(row, event.process, rank);
    if (parent !== undefined) this.#addFacts(row, parent, 2);
    if (row.factsOnly) return;
    const made = this.#makeEvent(row, processId, this.#connectorId);
    const other = this.#events.get(made.id);
    if (other === undefined || tellsMore(made, other)) this.#events.set(made.id, made);
  }

  #addDevice({ device, event: { atMs } }: Incoming): void {
    const known = this.#devices.get(device.uid);
    if (known === undefined) {
      this.#devices.set(device.uid, { ...device, at: new Date(atMs) });
      return;
    }
    const knownMs = known.at.getTime();
    const isNewer = atMs > knownMs || (atMs === knownMs && device.name > known.name);
    const os = largerOf(known.os, device.os);
    if (isNewer) this.#devices.set(device.uid, { ...device, os, at: new Date(atMs) });
    else if (os !== known.os) this.#devices.set(device.uid, { ...known, os });
  }

  #addDay({ device: { uid }, event: { atMs } }: Incoming): void {
    const days = this.#days.get(uid) ?? new Map<number, DeviceDay>();
    this.#days.set(uid, days);
    const dayAt = Math.floor(atMs / dayMs) * dayMs;
    const known = days.get(dayAt);
    if (known === undefined) days.set(dayAt, { uid, dayAt, firstAt: atMs, lastAt: atMs });
    else {
      known.firstAt = Math.min(known.firstAt, atMs);
      known.lastAt = Math.max(known.lastAt, atMs);
    }
  }

  /** @returns the id of the process */
  #addFacts({ event: { deviceUid, atMs } }: Incoming, facts: ProcessFacts, rank: FactRank): string {
    const id = this.ids.of(deviceUid, facts.uid);
    const known = this.#told.get(id);
    if (known === undefined)
      this.#told.set(id, { deviceUid, processUid: facts.uid, facts: addFacts({}, facts, rank), atMs });
    else {
      known.facts = addFacts(known.facts, facts, rank);
      if (atMs > known.atMs) known.atMs = atMs;
    }
    return id;
  }
}

const largerOf = (one: string | undefined, other: string | undefined): string | undefined =>
  one === undefined || (other !== undefined && other > one) ? other : one;
