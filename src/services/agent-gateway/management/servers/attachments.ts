/** Attaches servers to gateways under unique tool names. */
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { AppError, conflict, notFound } from '#base/errors.ts';
import type { Vault } from '#base/secrets/vault.ts';
import type { Asking, Audit, AuditEvent } from '#identity/audit/audit.ts';
import { resourceEvent } from '#identity/audit/resource-event.ts';
import type { Caller } from '#identity/caller.ts';
import { viewerOf } from '#identity/sharing.ts';
import { maxToolNameLength } from '../../contract/servers.ts';
import type { Gateways, RunningGateways } from '../../registry/gateways/gateways.ts';
import type { Gateway } from '../../registry/gateways/gateway.ts';
import { lockGateway } from '../../registry/gateways/store.ts';
import type { Gated, ScanGates } from '../../guarding/scan-gate.ts';
import { readDescriptions } from './read-descriptions.ts';
import type { Discovery } from './discovery.ts';
import { slugOf, type Attachment, type McpServer } from '../../registry/servers/server.ts';
import type { Servers } from '../../registry/servers/servers.ts';
import * as store from '../../registry/servers/store.ts';
import { gatewaysFor } from '../../registry/servers/view.ts';

export interface AttachmentsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: Audit;
  readonly vault: Vault;
  readonly gateways: Gateways;
  readonly servers: Servers;
  readonly discovery: Discovery;
  readonly live: Pick<RunningGateways, 'changed'>;
  readonly scanGates: ScanGates;
}

interface NewAttachment {
  readonly gateway: Gateway;
  readonly server: McpServer;
  readonly prefix: string;
  /** Who may use servers that their owners do not share. */
  readonly byAdministrator: boolean;
  readonly scan: Gated | null;
}

type Others = readonly Attachment[];
/** Names that the prefix applies to. */
type Kind = 'tools' | 'prompts';

interface Offered {
  readonly names: readonly string[];
  /** Why the server could not be asked; null where it could, or was earlier. */
  readonly problem: string | null;
}

/** Whether the same is attached under the same names. */
const namesAt = (attached: Others): string =>
  JSON.stringify(attached.map(({ server, toolPrefix }) => [server.serverId, toolPrefix]));

/** Methods throw AppError 404 and 403 like those of gateways and servers. */
export class Attachments {
  readonly #deps: AttachmentsDeps;

  constructor(deps: AttachmentsDeps) {
    this.#deps = deps;
  }

  /** @throws AppError 409 if it is already attached, if names collide or are too long, or if the scan gate refuses it. */
  async attach(
    asking: Asking,
    gatewayId: string,
    serverId: string,
    sentPrefix: string | undefined,
  ): Promise<{ prefix: string; scan: Gated | null; problem: string | null }> {
    const { caller } = asking;
    const { gateways, servers, db, vault, live, scanGates } = this.#deps;
    const gateway = await gateways.getOwn(caller, gatewayId);
    const server = await servers.get(caller, serverId);
    const prefix = sentPrefix ?? `${slugOf(server.name)}__`;
    // Before anything else asks the server: what has not been scanned is not connected to.
    const scan = await scanGates.check(caller, gateway.scanGate, server);
    let problem: string | null = null;
    for (;;) {
      const others = await store.listAttachments(db, vault, gatewayId);
      if (others.some((each) => each.server.serverId === serverId))
        throw conflict(`The server ${server.name} is attached to this gateway already.`);
      const [tools, prompts] = await Promise.all([
        this.#namesOf(caller, server, 'tools'),
        this.#namesOf(caller, server, 'prompts'),
      ]);
      problem = tools.problem;
      await Promise.all([
        this.#refuseTaken(caller, { kind: 'tools', names: tools.names }, prefix, others),
        this.#refuseTaken(caller, { kind: 'prompts', names: prompts.names }, prefix, others),
      ]);
      const byAdministrator = viewerOf(caller).isAdmin;
      const wanted = { gateway, server, prefix, byAdministrator, scan };
      if (await this.#attachUnlessChanged(asking, wanted, others)) break;
    }
    await readDescriptions({ db, clock: this.#deps.clock }, gatewayId, serverId);
    await live.changed(gatewayId);
    return { prefix, scan, problem };
  }

  async detach(asking: Asking, gatewayId: string, serverId: string): Promise<void> {
    const { gateways, db, live, audit } = this.#deps;
    const gateway = await gateways.getOwn(asking.caller, gatewayId);
    await db.transaction(async (tx) => {
      const prefix = await store.deleteAttachment(tx, gatewayId, serverId);
      if (prefix === undefined) throw notFound(`The server ${serverId} is not attached to this gateway; it`);
      const name = (await store.listServerNames(tx, [serverId])).get(serverId) ?? serverId;
      const before = { toolPrefix: prefix };
      await audit(audited('mcp_server_detached', asking, { gateway, serverId, name, before }), tx);
    });
    await live.changed(gatewayId);
  }

  async list(caller: Caller, gatewayId: string) {
    const { gateways, db, vault } = this.#deps;
    await gateways.get(caller, gatewayId);
    const attached = await store.listAttachments(db, vault, gatewayId);
    const all = await store.attachedGateways(
      db,
      attached.map(({ server }) => server.serverId),
    );
    return attached.map((each) => ({
      ...each,
      gatewayIds: gatewaysFor(viewerOf(caller), all.get(each.server.serverId)).map(({ id }) => id),
    }));
  }

  /** Names of what a server offers; none, and why, if it is unreachable and was never discovered. */
  async #namesOf(caller: Caller, server: McpServer, kind: Kind): Promise<Offered> {
    const { db, discovery } = this.#deps;
    const known = await store.findDiscovery(db, server.serverId, kind);
    const namesIn = ({ items }: Pick<typeof known, 'items'>) => items.map(({ name }) => String(name));
    if (known.at !== null) return { names: namesIn(known), problem: null };
    try {
      return { names: namesIn(await discovery.discover(caller, server, kind)), problem: null };
    } catch (error) {
      if (error instanceof AppError) return { names: [], problem: error.message };
      throw error;
    }
  }

  async #refuseTaken(
    caller: Caller,
    { kind, names }: { kind: Kind; names: readonly string[] },
    prefix: string,
    others: Others,
  ) {
    const what = kind.slice(0, -1);
    const own = names.map((name) => prefix + name);
    const long = own.find((name) => name.length > maxToolNameLength);
    if (long !== undefined)
      throw conflict(
        `The ${what} name ${long.slice(0, 200)} would be longer than ${maxToolNameLength} characters. Attach with a shorter 'tool_prefix'.`,
      );
    for (const other of others) {
      const offered = await this.#namesOf(caller, other.server, kind);
      const taken = new Set(offered.names.map((name) => other.toolPrefix + name));
      const twice = own.find((name) => taken.has(name));
      if (twice !== undefined)
        throw conflict(
          `The ${what} name ${twice.slice(0, 200)} is taken by the server ${other.server.name}. Attach with another 'tool_prefix'.`,
        );
    }
  }

  /** Asking servers takes time, so attachments may change meanwhile. False if they did. */
  #attachUnlessChanged(
    asking: Asking,
    { gateway, server, prefix, byAdministrator, scan }: NewAttachment,
    others: Others,
  ): Promise<boolean> {
    const { db, vault, clock, audit } = this.#deps;
    const { gatewayId } = gateway;
    return db.transaction(async (tx) => {
      if ((await lockGateway(tx, gatewayId)) === undefined) throw notFound(`The gateway ${gatewayId}`);
      if (namesAt(await store.listAttachments(tx, vault, gatewayId)) !== namesAt(others)) return false;
      const { serverId } = server;
      await store
        .insertAttachment(tx, {
          gatewayId,
          serverId,
          toolPrefix: prefix,
          at: new Date(clock.now()),
          byAdministrator,
        })
        .catch(store.refuseGone(serverId));
      const { name } = server;
      const after = { toolPrefix: prefix };
      await audit(audited('mcp_server_attached', asking, { gateway, serverId, name, after, scan }), tx);
      return true;
    });
  }
}

function audited(
  event: `mcp_server_${'attached' | 'detached'}`,
  asking: Asking,
  {
    gateway,
    serverId: id,
    scan = null,
    ...attachment
  }: {
    readonly gateway: Gateway;
    readonly serverId: string;
    readonly name: string;
    readonly before?: { readonly toolPrefix: string };
    readonly after?: { readonly toolPrefix: string };
    readonly scan?: Gated | null;
  },
): AuditEvent {
  const said = scan === null ? {} : { scan: scan.message ?? scan.outcome };
  const more = { gateway_id: gateway.gatewayId, gateway: gateway.name, ...said };
  return resourceEvent(event, asking, { id, ...attachment, more });
}
