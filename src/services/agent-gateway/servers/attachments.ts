/** Attaching servers to gateways, with names that clients can tell apart. */
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { AppError, conflict, notFound } from '#base/errors.ts';
import type { Caller } from '#identity/caller.ts';
import { maxToolNameLength } from '../contract/servers.ts';
import type { LiveGateways } from '../endpoint/live-gateways.ts';
import type { Gateways } from '../gateways/gateways.ts';
import type { Discovery } from './discovery.ts';
import { slugOf, type McpServer } from './server.ts';
import type { Servers } from './servers.ts';
import * as sql from './store.ts';

export interface AttachmentsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly store: sql.ServerStore;
  readonly gateways: Gateways;
  readonly servers: Servers;
  readonly discovery: Discovery;
  readonly live: LiveGateways;
}

export type Attachments = ReturnType<typeof createAttachments>;

/** Methods throw AppError 404 and 403 as those of gateways and servers do. */
export function createAttachments({ db, clock, store, gateways, servers, discovery, live }: AttachmentsDeps) {
  /** Names of what a server has; of one that is away and was never asked, nothing is known. */
  const namesOf = async (caller: Caller, server: McpServer, kind: 'tools' | 'prompts'): Promise<string[]> => {
    const known = await sql.findDiscovery(db, server.serverId, kind);
    if (known.at !== null) return known.items.map(({ name }) => String(name));
    try {
      return (await discovery.discover(caller, server, kind)).items.map(({ name }) => String(name));
    } catch (error) {
      if (error instanceof AppError) return [];
      throw error;
    }
  };

  const refuseCollisions = async (caller: Caller, gatewayId: string, server: McpServer, prefix: string) => {
    const own = [...(await namesOf(caller, server, 'tools'))].map((name) => prefix + name);
    const long = own.find((name) => name.length > maxToolNameLength);
    if (long !== undefined)
      throw conflict(
        `The tool name ${long.slice(0, 200)} would be longer than ${maxToolNameLength} characters. Attach with a shorter 'tool_prefix'.`,
      );
    for (const other of await store.attachments(db, gatewayId)) {
      const taken = new Set(
        (await namesOf(caller, other.server, 'tools')).map((name) => other.toolPrefix + name),
      );
      const twice = own.find((name) => taken.has(name));
      if (twice !== undefined)
        throw conflict(
          `The tool name ${twice.slice(0, 200)} is taken by the server ${other.server.name}. Attach with another 'tool_prefix'.`,
        );
    }
  };

  return {
    /** @throws AppError 409 where it is attached, or names collide or are too long. */
    async attach(
      caller: Caller,
      gatewayId: string,
      serverId: string,
      sentPrefix: string | undefined,
    ): Promise<string> {
      await gateways.getOwn(caller, gatewayId);
      const server = await servers.get(caller, serverId);
      const prefix = sentPrefix ?? `${slugOf(server.name)}__`;
      const attached = (await store.attachments(db, gatewayId)).some(
        (each) => each.server.serverId === serverId,
      );
      if (attached) throw conflict(`The server ${server.name} is attached to this gateway already.`);
      await refuseCollisions(caller, gatewayId, server, prefix);
      const at = new Date(clock.now());
      if (!(await sql.insertAttachment(db, { gatewayId, serverId, toolPrefix: prefix, at })))
        throw conflict(`The server ${server.name} is attached to this gateway already.`);
      await live.changed(gatewayId);
      return prefix;
    },

    async detach(caller: Caller, gatewayId: string, serverId: string): Promise<void> {
      await gateways.getOwn(caller, gatewayId);
      if (!(await sql.deleteAttachment(db, gatewayId, serverId)))
        throw notFound(`The server ${serverId} is not attached to this gateway; it`);
      await live.changed(gatewayId);
    },

    async list(caller: Caller, gatewayId: string) {
      await gateways.get(caller, gatewayId);
      const attached = await store.attachments(db, gatewayId);
      const all = await sql.attachedGateways(
        db,
        attached.map(({ server }) => server.serverId),
      );
      return attached.map((each) => ({
        ...each,
        gatewayIds: (all.get(each.server.serverId) ?? []).map(({ id }) => id),
      }));
    },
  };
}
