import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import type { Offer } from '../../upstreams/catalog.ts';
import type { AgentGatewayEvents } from '../../events.ts';
import { pinHash, pinnedPart } from './pin.ts';
import * as store from './store.ts';

/** Pinned tools of one gateway, cached while it runs. */
export interface Pins {
  /** Pins a new tool. False if the tool differs from its pin. */
  asPinned(offer: Offer): Promise<boolean>;
  /** Called when pins were changed elsewhere. */
  reload(): void;
}

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

export function createPins({ db, clock, events, gatewayId }: PinsDeps): Pins {
  let known: Promise<Map<string, Known>> | undefined;
  // Definitions are hashed once per list.
  const hashes = new WeakMap<object, string>();

  const load = async () => {
    const pins = await store.listPins(db, gatewayId);
    return new Map<string, Known>(pins.map((pin) => [keyOf(pin.serverId, pin.toolName), pin]));
  };

  const hashOf = (offer: Offer, definition: Record<string, unknown>): string => {
    const hash = hashes.get(offer.definition) ?? pinHash(definition);
    hashes.set(offer.definition, hash);
    return hash;
  };

  const note = async (offer: Offer, pin: Known, hash: string, definition: Record<string, unknown>) => {
    const { serverId } = offer.attachment.server;
    const changed = hash !== pin.hash;
    if (pin.changedHash === (changed ? hash : null)) return;
    (await known)?.set(keyOf(serverId, offer.ownName), {
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
  };

  return {
    async asPinned(offer) {
      known ??= load();
      const pins = await known;
      const definition = { ...offer.definition, name: offer.ownName };
      const hash = hashOf(offer, definition);
      const { serverId } = offer.attachment.server;
      const key = keyOf(serverId, offer.ownName);
      const pin = pins.get(key);
      if (pin !== undefined) {
        await note(offer, pin, hash, definition);
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
    },
    reload() {
      known = undefined;
    },
  };
}
