import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { yieldToEventLoop } from '#base/yield-to-event-loop.ts';
import type { Attachment } from '../../registry/servers/server.ts';
import type { Offer } from '../../upstreams/catalog.ts';
import type { Holders } from '../../upstreams/unique-names.ts';
import type { AgentGatewayEvents } from '../../events.ts';
import { pinHash, pinnedPart } from './pin.ts';
import * as store from './store.ts';

interface Known {
  readonly hash: string;
  readonly changedHash: string | null;
  readonly pinnedAt: Date;
}

interface PinsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly events: AgentGatewayEvents;
  readonly gatewayId: string;
}

interface FirstPin {
  readonly serverId: string;
  readonly pinnedAt: Date;
  /** Of the attachment: tools that were seen together were pinned at the same moment. */
  readonly order: number;
}

const isBefore = (a: FirstPin, b: FirstPin): boolean => {
  const apartMs = a.pinnedAt.getTime() - b.pinnedAt.getTime();
  return apartMs < 0 || (apartMs === 0 && a.order < b.order);
};

/** Tools of one statement. */
const pinnedAtOnce = 500;

const keyOf = (serverId: string, toolName: string) => `${serverId}\n${toolName}`;

const partsOf = (key: string) => {
  const end = key.indexOf('\n');
  return { serverId: key.slice(0, end), toolName: key.slice(end + 1) };
};

/** Pinned tools of one gateway, cached while it runs. */
export class Pins {
  readonly #deps: PinsDeps;
  #known: Promise<Map<string, Known>> | undefined;
  /** The same once it is read. */
  #pins: ReadonlyMap<string, Known> | undefined;
  /** Definitions are hashed once per list. */
  readonly #hashes = new WeakMap<object, string>();

  constructor(deps: PinsDeps) {
    this.#deps = deps;
  }

  /** Pins those of the tools that are new: a long list in a few statements. */
  async pinNew(offers: readonly Offer[]): Promise<void> {
    const { db, clock, gatewayId } = this.#deps;
    this.#known ??= this.#load();
    const pins = await this.#known;
    const pinnedAt = new Date(clock.now());
    const fresh: store.NewPin[] = [];
    for (const offer of offers) {
      const { serverId } = offer.attachment.server;
      const toolName = offer.ownName;
      const key = keyOf(serverId, toolName);
      if (pins.has(key)) continue;
      await yieldToEventLoop();
      const definition = { ...offer.definition, name: toolName };
      const hash = this.#hashOf(offer, definition);
      pins.set(key, { hash, changedHash: null, pinnedAt });
      fresh.push({ serverId, toolName, hash, definition: pinnedPart(definition), pinnedAt });
    }
    for (let from = 0; from < fresh.length; from += pinnedAtOnce) {
      await store.insertPins(db, gatewayId, fresh.slice(from, from + pinnedAtOnce));
      // A database in this thread answers before anything else has its turn.
      await yieldToEventLoop();
    }
  }

  /** Pins a new tool. False if the tool differs from its pin. Synchronous where it is known to be as pinned. */
  asPinned(offer: Offer): boolean | Promise<boolean> {
    const pin = this.#pins?.get(keyOf(offer.attachment.server.serverId, offer.ownName));
    // Nearly every call: nothing has changed, and nothing is to be noted.
    const isKnown = pin?.changedHash === null && pin.hash === this.#hashes.get(offer.definition);
    return isKnown || this.#compare(offer);
  }

  async #compare(offer: Offer): Promise<boolean> {
    const key = keyOf(offer.attachment.server.serverId, offer.ownName);
    this.#known ??= this.#load();
    let pin = (await this.#known).get(key);
    if (pin === undefined) {
      await this.pinNew([offer]);
      this.#known ??= this.#load();
      pin = (await this.#known).get(key);
    }
    // Pinned a moment ago, and forgotten because pins changed elsewhere: the next look finds it.
    if (pin === undefined) return true;
    const definition = { ...offer.definition, name: offer.ownName };
    const hash = this.#hashOf(offer, definition);
    await this.#note(offer, pin, hash, definition);
    return pin.hash === hash;
  }

  /** The server that was pinned first with each name that clients see: it keeps the name. */
  async holders(attachments: readonly Attachment[]): Promise<Holders> {
    this.#known ??= this.#load();
    const places = new Map(
      attachments.map(({ server, toolPrefix }, order) => [server.serverId, { toolPrefix, order }]),
    );
    const first = new Map<string, FirstPin>();
    for (const [key, { pinnedAt }] of await this.#known) {
      const { serverId, toolName } = partsOf(key);
      const place = places.get(serverId);
      if (place === undefined) continue;
      const name = place.toolPrefix + toolName;
      const pin = { serverId, pinnedAt, order: place.order };
      const known = first.get(name);
      if (known === undefined || isBefore(pin, known)) first.set(name, pin);
    }
    return new Map([...first].map(([name, { serverId }]) => [name, serverId]));
  }

  /** Called when pins were changed elsewhere. */
  reload(): void {
    this.#known = undefined;
    this.#pins = undefined;
  }

  #load(): Promise<Map<string, Known>> {
    const loading = store.listPins(this.#deps.db, this.#deps.gatewayId).then((pins) => {
      const known = new Map<string, Known>(pins.map((pin) => [keyOf(pin.serverId, pin.toolName), pin]));
      // Unless they were changed elsewhere meanwhile.
      if (this.#known === loading) this.#pins = known;
      return known;
    });
    // What could not be read is read again by the next call.
    loading.catch(() => {
      if (this.#known === loading) this.#known = undefined;
    });
    return loading;
  }

  #hashOf(offer: Offer, definition: Record<string, unknown>): string {
    const hash = this.#hashes.get(offer.definition) ?? pinHash(definition);
    this.#hashes.set(offer.definition, hash);
    return hash;
  }

  async #note(offer: Offer, pin: Known, hash: string, definition: Record<string, unknown>): Promise<void> {
    const { db, clock, events, gatewayId } = this.#deps;
    const { serverId } = offer.attachment.server;
    const changed = hash !== pin.hash;
    if (pin.changedHash === (changed ? hash : null)) return;
    (await this.#known)?.set(keyOf(serverId, offer.ownName), {
      ...pin,
      changedHash: changed ? hash : null,
    });
    await store.noteChange(db, gatewayId, {
      serverId,
      toolName: offer.ownName,
      changedHash: changed ? hash : null,
      changedDefinition: changed ? pinnedPart(definition) : null,
      changedAt: changed ? new Date(clock.now()) : null,
    });
    if (changed) events.toolChanged(gatewayId, serverId, offer.ownName);
  }
}
