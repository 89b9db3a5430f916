import { toIsoTime, type Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Vault } from '#base/secrets/vault.ts';
import type { Caller } from '#identity/caller.ts';
import type { gatewayOperations } from '../../contract/gateways.ts';
import type { LiveGateway } from '../../endpoint/live-gateway.ts';
import type { LiveGateways } from '../../endpoint/live-gateways.ts';
import type { Health } from '../../upstreams/asker.ts';
import { listAttachments } from '../../registry/servers/store.ts';
import type { UserNames } from '#identity/users/user-names.ts';
import type { Gateway } from '../../registry/gateways/gateway.ts';
import type { Gateways } from '../../registry/gateways/gateways.ts';
import { readSettings, usersNamedBy, viewGateway } from '../../registry/gateways/view.ts';

export interface GatewayRoutesDeps {
  readonly gateways: Gateways;
  readonly live: LiveGateways;
  readonly vault: Vault;
  readonly db: Database;
  readonly clock: Clock;
  readonly userNames: UserNames;
  readonly sessionsOf: (live: LiveGateway) => number;
  /** Base URL of the gateways for clients. */
  readonly mcpUrl: (gatewayId: string) => string;
  /** Base URL of this service. */
  readonly port: () => number | null;
}

/** Of a gateway that this process does not serve. */
const notLooked: Health = {
  state: 'unknown',
  version: undefined,
  error: undefined,
  heardMs: undefined,
  failedSinceMs: undefined,
};

const viewHealth = ({ state, version, error, heardMs, failedSinceMs }: Health) => ({
  state,
  protocol_version: version ?? null,
  error: error ?? null,
  last_contact_at: heardMs === undefined ? null : toIsoTime(heardMs),
  failed_since: failedSinceMs === undefined ? null : toIsoTime(failedSinceMs),
});

export const gatewayHandlers = ({
  gateways,
  live,
  vault,
  db,
  clock,
  userNames,
  sessionsOf,
  mcpUrl,
  port,
}: GatewayRoutesDeps): Handlers<typeof gatewayOperations, Caller> => {
  // Gateways run again with the service: the time before is none that they were up.
  const opened = clock.now();
  // People write principals themselves: an id there may be of another tenant, whose names are not told.
  const viewed = async (caller: Caller, gateway: Gateway) => {
    const sameNamed = await gateways.sameNamed(caller, [gateway]);
    return viewGateway(gateway, await userNames(usersNamedBy(gateway), gateway), sameNamed(gateway));
  };
  return {
    async createGateway({ caller, body, request }) {
      const gateway = await gateways.create({ caller, request }, { ...readSettings(body), name: body.name });
      return viewed(caller, gateway);
    },
    async listGateways({ caller, query }) {
      const { gateways: found, total } = await gateways.list(caller, query.owner, query);
      const nameOf = await userNames(found.flatMap(usersNamedBy), caller);
      const sameNamed = await gateways.sameNamed(caller, found);
      return { items: found.map((gateway) => viewGateway(gateway, nameOf, sameNamed(gateway))), total };
    },
    getGateway: async ({ caller, params }) => viewed(caller, await gateways.get(caller, params.gateway_id)),
    async updateGateway({ caller, params, body, request }) {
      const gateway = await gateways.update({ caller, request }, params.gateway_id, readSettings(body));
      return viewed(caller, gateway);
    },
    async deleteGateway({ caller, params, request }) {
      const { name } = await gateways.remove({ caller, request }, params.gateway_id);
      return { message: `The gateway "${name}" was deleted.` };
    },
    async startGateway({ caller, params, request }) {
      const { gatewayId, name } = await gateways.start({ caller, request }, params.gateway_id);
      return {
        status: 'success' as const,
        message: `The status of the gateway "${name}" was updated to running.`,
        port: port(),
        pid: process.pid,
        container_id: null,
        mcp_url: mcpUrl(gatewayId),
      };
    },
    async stopGateway({ caller, params, request }) {
      const { name } = await gateways.stop({ caller, request }, params.gateway_id);
      return { message: `The status of the gateway "${name}" was updated to stopped.` };
    },
    async getGatewayStatus({ caller, params }) {
      const gateway = await gateways.get(caller, params.gateway_id);
      const { gatewayId, running, startedAt } = gateway;
      const here = live.peek(gatewayId);
      const [attachments, problems] = await Promise.all([
        listAttachments(db, vault, gatewayId),
        gateways.problemsOf(caller, gateway),
      ]);
      return {
        gateway_id: gatewayId,
        name: gateway.name,
        status: gateways.stateOf(gateway),
        port: running ? port() : null,
        pid: running ? process.pid : null,
        container_id: null,
        started_at: startedAt === null ? null : toIsoTime(startedAt),
        mcp_url: mcpUrl(gatewayId),
        uptime_seconds:
          startedAt === null ? null : Math.max(0, clock.now() - Math.max(startedAt.getTime(), opened)) / 1000,
        sessions: here === undefined ? 0 : sessionsOf(here),
        servers: attachments.map(({ server }) => ({
          server_id: server.serverId,
          name: server.name,
          ...viewHealth(here?.pool.health(server.serverId) ?? notLooked),
          processes: here?.pool.processes(server.serverId) ?? 0,
        })),
        problems,
      };
    },
  };
};
