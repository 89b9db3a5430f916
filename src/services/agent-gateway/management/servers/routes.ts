import type { z } from 'zod';
import type { Database } from '#base/db/database.ts';
import { AppError } from '#base/errors.ts';
import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import { viewerOf } from '#identity/sharing.ts';
import type { UserNames } from '#identity/users/user-names.ts';
import { isFields, type Fields } from '#mcp/json-rpc.ts';
import type { attachmentOperations } from '../../contract/attachments.ts';
import type { serverOperations } from '../../contract/servers.ts';
import type { Resource, Tool } from '../../contract/offers.ts';
import { statusOf } from '../../grants/grant.ts';
import type { SignIn } from '../../grants/sign-in.ts';
import { viewAuthorization } from '../../grants/view.ts';
import type { Attachments } from './attachments.ts';
import type { Discovery } from './discovery.ts';
import type { McpServer } from '../../registry/servers/server.ts';
import type { Servers } from '../../registry/servers/servers.ts';
import { listManualResources } from '../../registry/servers/manual-resources.ts';
import { attachedGateways, findDiscovery } from '../../registry/servers/store.ts';
import { gatewaysFor, viewAttached, viewServer, viewTime } from '../../registry/servers/view.ts';

export interface ServerRoutesDeps {
  readonly db: Database;
  readonly servers: Servers;
  readonly attachments: Attachments;
  readonly discovery: Discovery;
  readonly signIn: Pick<SignIn, 'grantFor' | 'mayConsent' | 'beginOrTakeUp'>;
  readonly userNames: UserNames;
}

// Stored results were validated at discovery.
const asTools = (items: readonly Fields[]) => items as unknown as z.input<typeof Tool>[];
const asResources = (items: readonly Fields[]) => items as unknown as z.input<typeof Resource>[];

const blocks = (value: unknown) => (Array.isArray(value) ? value.filter(isFields) : []);

export const serverHandlers = ({
  db,
  servers,
  discovery,
  signIn,
  userNames,
}: ServerRoutesDeps): Handlers<typeof serverOperations, Caller> => {
  const gatewaysOf = async (caller: Caller, serverId: string) =>
    gatewaysFor(viewerOf(caller), (await attachedGateways(db, [serverId])).get(serverId));
  /** State of the authorization, and the consent URL for those who may consent. */
  const authorizationOf = async (caller: Caller, server: McpServer) => {
    if (server.authType !== 'oauth') return { authorization: null, authorization_url: null };
    const grant = await signIn.grantFor(caller, server);
    const nameOf = await userNames([grant?.grantedBy]);
    if (statusOf(grant) !== 'needs_authorization' || !signIn.mayConsent(caller, server))
      return { authorization: viewAuthorization(grant, null, nameOf), authorization_url: null };
    try {
      const { secrets } = await signIn.beginOrTakeUp(caller, server);
      return { authorization: viewAuthorization(grant, null, nameOf), authorization_url: secrets.url };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { authorization: viewAuthorization(grant, error.detail, nameOf), authorization_url: null };
    }
  };
  return {
    async createServer({ caller, body, request }) {
      const server = await servers.create({ caller, request }, body);
      return viewServer(server, [], await userNames([server.ownerId]));
    },
    async listServers({ caller, query }) {
      const { servers: found, total, gateways } = await servers.list(caller, query.owner, query);
      const nameOf = await userNames(found.map(({ ownerId }) => ownerId));
      const ids = (serverId: string) =>
        gatewaysFor(viewerOf(caller), gateways.get(serverId)).map(({ id }) => id);
      return { items: found.map((server) => viewServer(server, ids(server.serverId), nameOf)), total };
    },
    async getServer({ caller, params }) {
      const server = await servers.get(caller, params.server_id);
      const gateways = await gatewaysOf(caller, server.serverId);
      const tools = await findDiscovery(db, server.serverId, 'tools');
      const resources = await findDiscovery(db, server.serverId, 'resources');
      return {
        ...(await authorizationOf(caller, server)),
        ...viewServer(
          server,
          gateways.map(({ id }) => id),
          await userNames([server.ownerId]),
        ),
        gateways: gateways.map(({ id, name, toolPrefix }) => ({ id, name, tool_prefix: toolPrefix })),
        tools: asTools(tools.items),
        resources: asResources(resources.items),
      };
    },
    async updateServer({ caller, params, body, request }) {
      const server = await servers.update({ caller, request }, params.server_id, body);
      return viewServer(
        server,
        (await gatewaysOf(caller, server.serverId)).map(({ id }) => id),
        await userNames([server.ownerId]),
      );
    },
    async deleteServer({ caller, params, request }) {
      const { name } = await servers.remove({ caller, request }, params.server_id);
      return { message: `The MCP server "${name}" was deleted.` };
    },
    async discoverTools({ caller, params }) {
      const found = await discovery.discover(caller, await servers.get(caller, params.server_id), 'tools');
      return { count: found.items.length, tools: asTools(found.items), ...viewTime(found) };
    },
    async listTools({ caller, params }) {
      const { serverId } = await servers.get(caller, params.server_id);
      const found = await findDiscovery(db, serverId, 'tools');
      return { total_count: found.items.length, tools: asTools(found.items), ...viewTime(found) };
    },
    async callTool({ caller, params, body }) {
      const server = await servers.getOwn(caller, params.server_id);
      const sent = { name: body.name, arguments: body.arguments ?? {} };
      const result = await discovery.ask(caller, server, { method: 'tools/call', params: sent });
      return {
        content: blocks(result['content']) as { type: string }[],
        isError: result['isError'] === true,
        ...(result['structuredContent'] !== undefined && { structuredContent: result['structuredContent'] }),
      };
    },
    async discoverResources({ caller, params }) {
      const found = await discovery.discover(
        caller,
        await servers.get(caller, params.server_id),
        'resources',
      );
      return { count: found.items.length, resources: asResources(found.items), ...viewTime(found) };
    },
    async listResources({ caller, params }) {
      const { serverId } = await servers.get(caller, params.server_id);
      const found = await findDiscovery(db, serverId, 'resources');
      const manual = await listManualResources(db, serverId);
      return {
        total_count: found.items.length + manual.length,
        discovered: { resources: asResources(found.items), ...viewTime(found) },
        manual: { resources: manual },
      };
    },
    async addManualResource({ caller, params, body, request }) {
      const resource = {
        name: body.name,
        description: body.description ?? '',
        mimeType: body.mimeType ?? null,
      };
      await servers.addManualResource({ caller, request }, params.server_id, resource);
      return resource;
    },
    async removeManualResource({ caller, params, body, request }) {
      await servers.removeManualResource({ caller, request }, params.server_id, body.name);
      return { message: `The resource "${body.name}" was removed.` };
    },
    async readResource({ caller, params, body }) {
      const server = await servers.getOwn(caller, params.server_id);
      const result = await discovery.ask(caller, server, {
        method: 'resources/read',
        params: { uri: body.uri },
      });
      return {
        contents: blocks(result['contents']).map((each) => ({
          ...each,
          type: typeof each['text'] === 'string' ? 'text' : 'blob',
        })),
      };
    },
  };
};

function attachedMessage(warning: string | null, problem: string | null): string {
  const said =
    warning === null
      ? 'The MCP server was attached.'
      : `The MCP server was attached, with a warning: ${warning}`;
  return problem === null ? said : `${said} It does not answer: ${problem}`;
}

export const attachmentHandlers = ({
  attachments,
  userNames,
}: ServerRoutesDeps): Handlers<typeof attachmentOperations, Caller> => ({
  async attachServer({ caller, params, body, request }) {
    const { gateway_id: gatewayId, server_id: serverId } = params;
    const { prefix, scan, problem } = await attachments.attach(
      { caller, request },
      gatewayId,
      serverId,
      body?.tool_prefix ?? undefined,
    );
    return {
      gateway_id: gatewayId,
      mcp_server_id: serverId,
      tool_prefix: prefix,
      message: attachedMessage(scan?.outcome === 'warned' ? scan.message : null, problem),
      ...(problem !== null && { problem }),
      ...(scan !== null && {
        scan: { scan_id: scan.scanId, outcome: scan.outcome, message: scan.message },
      }),
    };
  },
  async detachServer({ caller, params, request }) {
    const { gateway_id: gatewayId, server_id: serverId } = params;
    await attachments.detach({ caller, request }, gatewayId, serverId);
    return { message: 'The MCP server was detached.' };
  },
  async listAttachedServers({ caller, params }) {
    const attached = await attachments.list(caller, params.gateway_id);
    const nameOf = await userNames(attached.map(({ server }) => server.ownerId));
    const look = { viewer: viewerOf(caller), nameOf };
    return {
      items: attached.map(({ server, toolPrefix, usable, gatewayIds }) => ({
        usable,
        ...viewAttached(server, gatewayIds, look),
        tool_prefix: toolPrefix,
      })),
      total: attached.length,
    };
  },
});
