import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import type { Offer } from '../../upstreams/catalog.ts';
import type { AgentGatewayEvents } from '../../events.ts';
import { pinHash, pinnedPart } from './pin.ts';
import * as store from './store.ts';

interface Known {
  readonly hash: string;
  readonly changedHash: string | null;
}

interface PinsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly events: AgentGatewayEvents;
  readonly gatewayId: string;
}

const keyOf = (serverId: string, toolName: string) => `${serverId}\n${toolName}`;

/** Pinned tools of one gateway, cached while it runs. */
export class Pins {
  readonly #deps: PinsDeps;
  #known: Promise<Map<string, Known>> | undefined;
  /** Definitions are hashed once per list. */
  readonly #hashes = new WeakMap<object, string>();

  constructor(deps: PinsDeps) {
    this.#deps = deps;
  }

  /** Pins a new tool. False if the tool differs from its pin. */
  async asPinned(offer: Offer): Promise<boolean> {
    const { db, clock, gatewayId } = this.#deps;
    this.#known ??= this.#load();
    const pins = await this.#known;
    const definition = { ...offer.definition, name: offer.ownName };
    const hash = this.#hashOf(offer, definition);
    const { serverId } = offer.attachment.server;
    const key = keyOf(serverId, offer.ownName);
    const pin = pins.get(key);
    if (pin !== undefined) {
      await this.#note(offer, pin, hash, definition);
      return pin.hash === hash;
    }
    pins.set(key, { hash, changedHash: null });
    await store.insertPin(db, gatewayId, {
      serverId,
      toolName: offer.ownName,
      hash,
      definition: pinnedPart(definition),
      pinnedAt: new Date(clock.now()),
    });
    return true;
  }

  /** Called when pins were changed elsewhere. */
  reload(): void {
    this.#known = undefined;
  }

  async #load(): Promise<Map<string, Known>> {
    const pins = await store.listPins(this.#deps.db, this.#deps.gatewayId);
    return new Map<string, Known>(pins.map((pin) => [keyOf(pin.serverId, pin.toolName), pin]));
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
      hash: pin.hash,
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
