/** A gateway for one task, with the settings of the one that is tested, in front of the task's environments. */
import type { Outbound } from '#base/net/outbound.ts';
import type { Caller } from '#identity/caller.ts';
import { connect, type Connection } from '#mcp/connection.ts';
import { HttpTransport } from '#mcp/http-transport.ts';
import {
  callerOf,
  clientFor,
  type GatewayAccess,
  type GatewayClient,
  type GatewaySettings,
} from './gateway-client.ts';

export interface TaskGateways extends GatewayAccess {
  readonly outbound: Outbound;
}

export interface TaskGatewayRequest {
  readonly runId: string;
  readonly userId: string;
  readonly gatewayId: string;
  /** The MCP address of the task's environments. */
  readonly environmentsUrl: string;
}

const timeoutMs = 120_000;
const limitBytes = 16 * 1024 * 1024;
const page = 1000;

/** By this the gateways of a run are found again after a crash. */
const nameOf = (runId: string) => `red-team run ${runId}`;

/** The settings that decide about calls. Servers are not scanned: the only one is our own. */
const settingsOf = (tested: GatewaySettings) => ({
  action_guard_policy_id: tested.action_guard_policy_id,
  access_control: tested.access_control,
  guard_mode: tested.guard_mode,
  guard_failure: tested.guard_failure,
  output_guard: tested.output_guard,
  description_guard: tested.description_guard,
  result_redaction: tested.result_redaction,
  pin_tools: tested.pin_tools,
  rate_limit: tested.rate_limit,
  scan_gate: { mode: 'off' as const, level: tested.scan_gate.level },
  visibility: 'private' as const,
});

/**
 * The gateway that a run is to go through.
 * @throws AppError 404 if the caller cannot read it, 503 if the agent gateway cannot be reached
 */
export const findGateway = (
  access: GatewayAccess,
  caller: Caller,
  gatewayId: string,
): Promise<GatewaySettings> => clientFor(access, caller).getGateway({ params: { gateway_id: gatewayId } });

/** Deletes what a process that died has left of a run. */
export async function deleteTaskGateways(
  access: GatewayAccess,
  userId: string,
  runId: string,
): Promise<void> {
  const client = clientFor(access, await callerOf(access, userId));
  const query = { owner: 'me', limit: String(page) } as const;
  const [gateways, servers] = await Promise.all([
    client.listGateways({ query }),
    client.listServers({ query }),
  ]);
  for (const { id, name } of gateways.items)
    if (name === nameOf(runId)) await client.deleteGateway({ params: { gateway_id: id } });
  for (const { id, name } of servers.items)
    if (name === nameOf(runId)) await client.deleteServer({ params: { server_id: id } });
}

/** A running gateway with a connection of its own to it. */
export class TaskGateway implements AsyncDisposable {
  readonly connection: Connection;
  readonly #client: GatewayClient;
  readonly #ids: Ids;

  private constructor(client: GatewayClient, ids: Ids, connection: Connection) {
    this.#client = client;
    this.#ids = ids;
    this.connection = connection;
  }

  /** @throws AppError of the agent gateway */
  static async open(access: TaskGateways, request: TaskGatewayRequest): Promise<TaskGateway> {
    const caller = await callerOf(access, request.userId);
    const client = clientFor(access, caller);
    const ids: Ids = {};
    try {
      const mcpUrl = await start(client, ids, request);
      const token = async () => ({ authorization: `Bearer ${await access.identity.tokenFor(caller)}` });
      const connection = await connect({
        transport: new HttpTransport({
          url: mcpUrl,
          outbound: access.outbound,
          credentials: { headers: token, refused: async () => false },
          limitBytes,
        }),
        client: { info: { name: 'bulwark-red-team', version: '1' }, capabilities: {} },
        // Sessions of the older protocols have a trace of their own at the gateway.
        era: 'legacy',
        timeoutMs,
        handlers: { onNotification: () => undefined, onClosed: () => undefined },
      });
      return new TaskGateway(client, ids, connection);
    } catch (error) {
      await remove(client, ids);
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.connection[Symbol.asyncDispose]();
    await remove(this.#client, this.#ids);
  }
}

interface Ids {
  gateway?: string;
  server?: string;
}

/** Creates and starts the gateway, and returns its MCP address. What was created stands in `ids`, also after an error. */
async function start(
  client: GatewayClient,
  ids: Ids,
  { runId, gatewayId, environmentsUrl }: TaskGatewayRequest,
): Promise<string> {
  const name = nameOf(runId);
  const tested = await client.getGateway({ params: { gateway_id: gatewayId } });
  const [gateway, server] = await Promise.all([
    client.createGateway({ body: { name, ...settingsOf(tested) } }),
    client.createServer({ body: { name, transport: 'http', connection_url: environmentsUrl } }),
  ]);
  ids.gateway = gateway.id;
  ids.server = server.id;
  const params = { gateway_id: gateway.id };
  await client.attachServer({
    params: { ...params, server_id: server.id },
    body: { tool_prefix: '' },
  });
  return (await client.startGateway({ params })).mcp_url;
}

async function remove(client: GatewayClient, { gateway, server }: Ids): Promise<void> {
  if (gateway !== undefined) await client.deleteGateway({ params: { gateway_id: gateway } });
  if (server !== undefined) await client.deleteServer({ params: { server_id: server } });
}
