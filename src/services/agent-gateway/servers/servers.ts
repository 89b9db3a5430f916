/** Registering, changing and asking MCP servers on behalf of a caller. */
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { badRequest, conflict, forbidden, invalid, notFound } from '#base/errors.ts';
import { newId } from '#base/ids.ts';
import type { Outbound } from '#base/net/outbound.ts';
import { administersAll } from '#identity/access.ts';
import type { Caller } from '#identity/caller.ts';
import { hiddenValue } from '../contract/servers.ts';
import type { LiveGateways } from '../endpoint/live-gateways.ts';
import { requireOwner } from '../gateways/gateway.ts';
import type { ManualResource, McpServer } from './server.ts';
import * as sql from './store.ts';
import type { SentServer } from './view.ts';

export interface ServersDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly store: sql.ServerStore;
  readonly outbound: Pick<Outbound, 'assertAllowed'>;
  readonly live: LiveGateways;
  readonly stdioServers: 'administrators' | 'everyone' | 'off';
}

export type Servers = ReturnType<typeof createServers>;

/** Values that were hidden when they were shown keep what is stored. */
function mergedEnv(before: McpServer['env'], sent: SentServer['env']): McpServer['env'] {
  if (sent === undefined) return before;
  return Object.fromEntries(
    Object.entries(sent ?? {}).map(([name, value]) => {
      if (value !== hiddenValue) return [name, value];
      const stored = before[name];
      if (stored === undefined)
        throw invalid(`'env.${name}' is hidden, and nothing is stored under that name. Send its value.`);
      return [name, stored];
    }),
  );
}

const or = <T>(sent: T | undefined, before: T): T => (sent === undefined ? before : sent);

/** Every method throws AppError 404 for a server that the caller's tenant does not have, 403 where it is not theirs. */
export function createServers(deps: ServersDeps) {
  const { db, clock, store, outbound, live } = deps;

  const get = async (caller: Caller, serverId: string): Promise<McpServer> => {
    const server = await store.find(db, caller.tenantId, serverId);
    if (server === undefined) throw notFound(`The MCP server ${serverId}`);
    return server;
  };

  const getOwn = async (caller: Caller, serverId: string): Promise<McpServer> => {
    const server = await get(caller, serverId);
    requireOwner(caller, server.ownerId, 'server');
    return server;
  };

  const requireStdio = (caller: Caller) => {
    if (deps.stdioServers === 'off')
      throw forbidden('stdio servers are switched off here (agent_gateway.stdio_servers).');
    if (deps.stdioServers === 'administrators' && !administersAll(caller))
      throw forbidden(
        'A stdio server runs a command on the gateway’s machine: only an administrator of the tenant system may register or change one.',
      );
  };

  const checkAddress = (caller: Caller, server: McpServer) => {
    if (server.transport === 'stdio') {
      if (server.command === null) throw badRequest("'command' is missing; a stdio server needs it.");
      requireStdio(caller);
      return;
    }
    if (server.connectionUrl === null)
      throw badRequest(
        `'connection_url' is missing; a server of the transport ${server.transport} needs it.`,
      );
    const parsed = URL.canParse(server.connectionUrl) ? new URL(server.connectionUrl) : undefined;
    if (parsed !== undefined && (parsed.username !== '' || parsed.password !== ''))
      throw invalid("'connection_url' must not hold a user name or password.");
    outbound.assertAllowed(server.connectionUrl);
  };

  const merged = (before: McpServer, sent: SentServer): McpServer => {
    if (sent.auth_type === 'oauth')
      throw invalid(
        "'auth_type' oauth is not available yet: the gateway cannot sign in at servers. Use none.",
      );
    const scheme = sent.identity_scheme;
    if (scheme !== undefined && scheme !== null && scheme !== 'none' && scheme !== 'headers')
      throw invalid(`'identity_scheme' ${scheme} is not available yet. Use none or headers.`);
    return {
      ...before,
      name: sent.name ?? before.name,
      transport: sent.transport ?? before.transport,
      connectionUrl: or(sent.connection_url, before.connectionUrl),
      command: or(sent.command, before.command),
      args: sent.args === undefined ? before.args : (sent.args ?? []),
      env: mergedEnv(before.env, sent.env),
      identityScheme: scheme === undefined ? before.identityScheme : (scheme ?? 'none'),
      updatedAt: new Date(clock.now()),
    };
  };

  const tellGateways = async (gatewayIds: readonly string[]) => {
    for (const gatewayId of gatewayIds) await live.changed(gatewayId);
  };

  return {
    get,
    getOwn,

    async list(caller: Caller, page: { limit: number; offset: number }) {
      const { servers, total } = await store.list(db, caller.tenantId, page);
      const gateways = await sql.attachedGateways(
        db,
        servers.map(({ serverId }) => serverId),
      );
      return { servers, total, gateways };
    },

    async create(caller: Caller, sent: SentServer): Promise<McpServer> {
      const now = new Date(clock.now());
      const blank: McpServer = {
        serverId: newId('mcp'),
        tenantId: caller.tenantId,
        ownerId: caller.userId,
        name: '',
        transport: 'http',
        connectionUrl: null,
        command: null,
        args: [],
        env: {},
        identityScheme: 'none',
        createdAt: now,
        updatedAt: now,
      };
      const server = merged(blank, sent);
      checkAddress(caller, server);
      await store.insert(db, server);
      return server;
    },

    async update(caller: Caller, serverId: string, sent: SentServer): Promise<McpServer> {
      const before = await getOwn(caller, serverId);
      const server = merged(before, sent);
      checkAddress(caller, server);
      await store.update(db, server);
      const gateways = await sql.attachedGateways(db, [serverId]);
      await tellGateways((gateways.get(serverId) ?? []).map(({ id }) => id));
      return server;
    },

    async remove(caller: Caller, serverId: string): Promise<McpServer> {
      const server = await getOwn(caller, serverId);
      await tellGateways(await db.transaction((tx) => store.remove(tx, serverId)));
      return server;
    },

    async addManualResource(caller: Caller, serverId: string, resource: ManualResource): Promise<void> {
      await getOwn(caller, serverId);
      if (!(await sql.insertManualResource(db, serverId, resource, new Date(clock.now()))))
        throw conflict(
          `The server has a resource "${resource.name}" already. Remove it first, or choose another name.`,
        );
    },

    async removeManualResource(caller: Caller, serverId: string, name: string): Promise<void> {
      await getOwn(caller, serverId);
      if (!(await sql.deleteManualResource(db, serverId, name))) throw notFound(`The resource "${name}"`);
    },
  };
}
