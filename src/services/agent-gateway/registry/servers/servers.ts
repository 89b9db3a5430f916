/** Registers, changes and queries MCP servers for a caller. */
import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import { AppError, badRequest, conflict, forbidden, invalid, notFound } from '#base/errors.ts';
import { newId } from '#base/ids.ts';
import type { Vault } from '#base/secrets/vault.ts';
import type { Outbound } from '#base/net/outbound.ts';
import { administersAll } from '#identity/access.ts';
import type { Asking, Audit } from '#identity/audit/audit.ts';
import type { Caller } from '#identity/caller.ts';
import type { RunningGateways } from '../gateways/gateways.ts';
import { changeableOrRefused, type OwnerFilter, readableOr404, viewerOf } from '#identity/sharing.ts';
import { auditedAtServer, auditedServer } from './audited.ts';
import { checkIdentityScheme } from './identity-scheme.ts';
import { deleteManualResource, insertManualResource } from './manual-resources.ts';
import { type ManualResource, type McpServer, signsInItself } from './server.ts';
import { mergedServer } from './merged-server.ts';
import * as store from './store.ts';
import type { SentServer } from './view.ts';

export interface ServersDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly vault: Vault;
  readonly outbound: Pick<Outbound, 'assertAllowed'>;
  readonly live: Pick<RunningGateways, 'changed'>;
  /** Deletes the grants for the server. */
  readonly forgetGrant: (tx: Queries, serverId: string) => Promise<void>;
  readonly stdioServers: 'administrators' | 'everyone' | 'off';
}

/** Whether a grant for one is also valid for the other. */
const sameTarget = (a: McpServer, b: McpServer): boolean =>
  a.transport === b.transport &&
  a.connectionUrl === b.connectionUrl &&
  a.authType === b.authType &&
  (a.identityScheme === 'user_oauth') === (b.identityScheme === 'user_oauth') &&
  a.oauthClient?.clientId === b.oauthClient?.clientId &&
  a.oauthClient?.issuer === b.oauthClient?.issuer &&
  signsInItself(a) === signsInItself(b);

/**
 * All methods throw AppError 404 for servers that the caller may not read, 403 for changes of servers that the caller
 * may only read.
 */
export class Servers {
  readonly #deps: ServersDeps;

  constructor(deps: ServersDeps) {
    this.#deps = deps;
  }

  async get(caller: Caller, serverId: string): Promise<McpServer> {
    return readableOr404(viewerOf(caller), await this.#find(caller, serverId), `The MCP server ${serverId}`);
  }

  async getOwn(caller: Caller, serverId: string): Promise<McpServer> {
    return this.#changeable(caller, await this.#find(caller, serverId), serverId);
  }

  #changeable(caller: Caller, server: McpServer | undefined, serverId: string): McpServer {
    return changeableOrRefused(viewerOf(caller), server, `The MCP server ${serverId}`);
  }

  /** A server that the caller may read, or that asks each user of a gateway to sign in there. */
  async getUsable(caller: Caller, serverId: string): Promise<McpServer> {
    const server = await this.#find(caller, serverId);
    const isAttached =
      server?.identityScheme === 'user_oauth' &&
      (await store.attachedGateways(this.#deps.db, [serverId])).has(serverId);
    return isAttached ? server : readableOr404(viewerOf(caller), server, `The MCP server ${serverId}`);
  }

  async list(caller: Caller, owner: OwnerFilter, page: { limit: number; offset: number }) {
    const { db, vault } = this.#deps;
    const { servers, total } = await store.listServers(db, vault, { viewer: viewerOf(caller), owner }, page);
    const gateways = await store.attachedGateways(
      db,
      servers.map(({ serverId }) => serverId),
    );
    return { servers, total, gateways };
  }

  async create(asking: Asking, sent: SentServer): Promise<McpServer> {
    const { caller } = asking;
    const { clock, db, vault, audit } = this.#deps;
    const now = new Date(clock.now());
    const blank: McpServer = {
      serverId: newId('mcp'),
      tenantId: caller.tenantId,
      ownerId: caller.userId,
      visibility: 'private',
      name: '',
      transport: 'http',
      connectionUrl: null,
      command: null,
      args: [],
      env: {},
      identityScheme: 'none',
      authType: 'none',
      oauthClient: null,
      tokenExchange: null,
      identityProvider: null,
      lostSecrets: [],
      createdAt: now,
      updatedAt: now,
    };
    const server = mergedServer(blank, sent, now);
    this.#checkAddress(caller, server);
    await db.transaction(async (tx) => {
      await store.insertServer(tx, vault, server);
      await audit(auditedServer('mcp_server_registered', asking, { after: server }), tx);
    });
    return server;
  }

  async update(asking: Asking, serverId: string, sent: SentServer): Promise<McpServer> {
    const { caller } = asking;
    const { db, vault, audit } = this.#deps;
    const updated = await db.transaction(async (tx) => {
      const before = this.#changeable(
        caller,
        await store.lockServer(tx, vault, caller.tenantId, serverId),
        serverId,
      );
      const server = mergedServer(before, sent, new Date(this.#deps.clock.now()));
      this.#checkAddress(caller, server);
      await store.updateServer(tx, vault, server);
      // A token is only valid for the server that it was requested for.
      if (!sameTarget(before, server)) await this.#deps.forgetGrant(tx, serverId);
      await audit(auditedServer('mcp_server_updated', asking, { before, after: server }), tx);
      return server;
    });
    await this.#tellGatewaysOf(serverId);
    return updated;
  }

  /** The server's credentials changed. */
  async reconnect(serverId: string): Promise<void> {
    const { db, clock } = this.#deps;
    await store.touchServer(db, serverId, new Date(clock.now()));
    await this.#tellGatewaysOf(serverId);
  }

  async remove(asking: Asking, serverId: string): Promise<McpServer> {
    const server = await this.getOwn(asking.caller, serverId);
    const { db, clock, audit } = this.#deps;
    const gateways = await db.transaction(async (tx) => {
      const told = await store.deleteServer(tx, serverId, new Date(clock.now()));
      await audit(auditedServer('mcp_server_deleted', asking, { before: server }), tx);
      return told;
    });
    await this.#tellGateways(gateways);
    return server;
  }

  async addManualResource(asking: Asking, serverId: string, resource: ManualResource): Promise<void> {
    const { db, clock, audit } = this.#deps;
    const server = await this.getOwn(asking.caller, serverId);
    const after = { [`resource "${resource.name}"`]: resource.description };
    const add = async (tx: Queries) => {
      if (!(await insertManualResource(tx, serverId, resource, new Date(clock.now()))))
        throw conflict(
          `The server has a resource "${resource.name}" already. Remove it first, or choose another name.`,
        );
      await audit(auditedAtServer('mcp_server_updated', asking, server, { after }), tx);
    };
    await db.transaction(add).catch(store.refuseGone(serverId));
  }

  async removeManualResource(asking: Asking, serverId: string, name: string): Promise<void> {
    const { db, audit } = this.#deps;
    const server = await this.getOwn(asking.caller, serverId);
    await db.transaction(async (tx) => {
      const gone = await deleteManualResource(tx, serverId, name);
      if (gone === undefined) throw notFound(`The resource "${name}"`);
      const before = { [`resource "${name}"`]: gone.description };
      await audit(auditedAtServer('mcp_server_updated', asking, server, { before }), tx);
    });
  }

  #find(caller: Caller, serverId: string) {
    const { db, vault } = this.#deps;
    return store.findServer(db, vault, caller.tenantId, serverId);
  }

  #requireStdio(caller: Caller) {
    if (this.#deps.stdioServers === 'off')
      throw forbidden('stdio servers are switched off here (agent_gateway.stdio_servers).');
    if (this.#deps.stdioServers === 'administrators' && !administersAll(caller))
      throw forbidden(
        'A stdio server runs a command on the gateway’s machine: only an administrator of the tenant system may register or change one.',
      );
  }

  #checkAddress(caller: Caller, server: McpServer) {
    const { outbound } = this.#deps;
    checkIdentityScheme(server, outbound);
    if (server.transport === 'stdio') {
      if (server.authType === 'oauth')
        throw invalid(
          "'auth_type' oauth is for the transports http and sse; a stdio server gets its secrets in 'env'.",
        );
      if (server.command === null) throw badRequest("'command' is missing; a stdio server needs it.");
      this.#requireStdio(caller);
      return;
    }
    if (server.connectionUrl === null)
      throw badRequest(
        `'connection_url' is missing; a server of the transport ${server.transport} needs it.`,
      );
    const parsed = URL.canParse(server.connectionUrl) ? new URL(server.connectionUrl) : undefined;
    if (parsed !== undefined && (parsed.username !== '' || parsed.password !== ''))
      throw invalid("'connection_url' must not hold a user name or password.");
    try {
      outbound.assertAllowed(server.connectionUrl);
    } catch (error) {
      throw error instanceof AppError ? invalid(`'connection_url': ${error.detail}`) : error;
    }
  }

  async #tellGateways(gatewayIds: readonly string[]) {
    for (const gatewayId of gatewayIds) await this.#deps.live.changed(gatewayId);
  }

  /** The gateways that use the server reconnect to it. */
  async #tellGatewaysOf(serverId: string) {
    const gateways = await store.attachedGateways(this.#deps.db, [serverId]);
    await this.#tellGateways((gateways.get(serverId) ?? []).map(({ id }) => id));
  }
}
