import { z } from 'zod';
import { isoTime, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { ownerFilter, userName, visibilityField } from '#identity/contract/sharing.ts';
import { displayName, Message, page } from './gateways.ts';
import { Authorization } from './grants.ts';
import {
  IdentityProvider,
  IdentityScheme,
  ShownIdentityProvider,
  ShownTokenExchange,
  TokenExchange,
} from './identity-schemes.ts';
import { hiddenValue, OAuthClient, ShownOAuthClient } from './oauth-client.ts';
import { Resource, Tool } from './offers.ts';

export const maxToolNameLength = 64;

const Transport = z.enum(['http', 'sse', 'stdio']);
const env = () =>
  z
    .record(
      z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
        error: 'must be letters, digits and `_`, and begin with no digit',
      }),
      storedText({ max: 32_768 }),
    )
    .refine((values) => Object.keys(values).length <= 200, { error: 'must have at most 200 names' });

const fields = {
  name: displayName(),
  transport: Transport,
  connection_url: storedText({ min: 1, max: 2048 }).nullish().meta({ description: 'For `http` and `sse`.' }),
  command: storedText({ min: 1, max: 1024 })
    .nullish()
    .meta({ description: 'For `stdio`: a name or an absolute path.' }),
  args: z
    .array(storedText({ max: 8192 }))
    .max(200)
    .nullish()
    .meta({
      description: `For \`stdio\`. Values of variables, headers and options that are secret are stored encrypted; responses show \`${hiddenValue}\` in their place, which keeps the stored value if the argument is sent back.`,
    }),
  env: env()
    .nullish()
    .meta({
      description: `For \`stdio\`: the complete environment of the process. Stored encrypted; responses show \`${hiddenValue}\`, which keeps the stored value if it is sent back.`,
    }),
  auth_type: z
    .enum(['none', 'oauth'])
    .nullish()
    .meta({
      description:
        'Default `none`. With `oauth`, for `http` and `sse`, the gateway signs in at the server: the server’s details show the ' +
        '`authorization_url` that a user opens once.',
    }),
  oauth_client: OAuthClient.nullish().meta({
    description:
      'For `oauth`: a client that was registered manually; without it the gateway registers itself.',
  }),
  identity_scheme: IdentityScheme.nullish().meta({ description: 'Default `none`.' }),
  token_exchange: TokenExchange.nullish(),
  identity_provider: IdentityProvider.nullish(),
  visibility: visibilityField().optional().meta({ description: 'Default `private`.' }),
};

const ServerInput = z.object(fields).meta({ id: 'McpServerInput' });

export const McpServer = z
  .object({
    id: z.string().meta({ example: 'mcp_…' }),
    name: z.string(),
    transport: Transport,
    connection_url: z.string().nullable(),
    command: z.string().nullable(),
    args: z.array(z.string()),
    env: z.record(z.string(), z.string()),
    auth_type: z.enum(['none', 'oauth']),
    oauth_client: ShownOAuthClient.nullable(),
    identity_scheme: IdentityScheme,
    token_exchange: ShownTokenExchange.nullable(),
    identity_provider: ShownIdentityProvider.nullable(),
    lost_secrets: z
      .array(z.enum(['args', 'env', 'oauth_client', 'identity_provider']))
      .optional()
      .meta({
        description:
          'Present if stored secrets cannot be decrypted because their key was lost. The server is not connected until ' +
          'they are submitted again.',
      }),
    registered_by: z.string(),
    registered_by_name: userName(),
    visibility: visibilityField(),
    created_at: isoTime(),
    updated_at: isoTime(),
    gateway_ids: z
      .array(z.string())
      .meta({ description: 'Gateways that use it, of those that the caller may read.' }),
  })
  .meta({ id: 'McpServer' });

const ManualResource = z
  .object({ name: z.string(), description: z.string(), mimeType: z.string().nullable() })
  .meta({ id: 'ManualResource' });

const AttachedGateway = z
  .object({ id: z.string(), name: z.string(), tool_prefix: z.string() })
  .meta({ id: 'AttachedGateway' });

const ServerDetail = McpServer.extend({
  authorization: Authorization.nullable().meta({
    description: 'Null if `auth_type` is `none`; with the scheme `user_oauth`, the caller’s authorization.',
  }),
  authorization_url: z.string().nullable().meta({
    description:
      'Set if a consent is missing that the caller may give; open the URL in a browser within ten minutes.',
  }),
  gateways: z.array(AttachedGateway),
  tools: z.array(Tool),
  resources: z.array(Resource),
}).meta({ id: 'McpServerDetail' });

export const serverId = z.object({ server_id: z.string().meta({ example: 'mcp_…' }) });
const tag = 'MCP servers';
const access = 'jwt_or_key';
const whose = 'Requires the owner of the server or an administrator of the tenant (403).';
const upstream = [403, 404, 502, 504];
const discoveredAt = { last_discovery_at: isoTime().nullable() };

export const serverOperations = {
  createServer: defineOperation({
    method: 'POST',
    path: '/api/mcp-servers',
    tag,
    summary: 'Register an MCP server',
    description:
      'For gateways of its owner or, if it is shared, of all users of the tenant. A `stdio` server is a command that runs ' +
      'on the gateway’s machine; the operator decides who may register one (403).',
    access,
    body: ServerInput,
    status: 201,
    response: McpServer,
    errors: [403],
  }),
  listServers: defineOperation({
    method: 'GET',
    path: '/api/mcp-servers',
    tag,
    summary: 'List the MCP servers that the caller may read',
    description:
      'A server can be read, and attached to own gateways, by its owner, by administrators of the tenant and, if it is ' +
      'shared, by all users of the tenant.',
    access,
    query: page.extend({ owner: ownerFilter('all') }),
    response: z.object({ items: z.array(McpServer), total: z.int() }),
  }),
  getServer: defineOperation({
    method: 'GET',
    path: '/api/mcp-servers/{server_id}',
    tag,
    summary: 'Get an MCP server with its gateways and discovered tools',
    access,
    params: serverId,
    response: ServerDetail,
    errors: [404],
  }),
  updateServer: defineOperation({
    method: 'PUT',
    path: '/api/mcp-servers/{server_id}',
    tag,
    summary: 'Change an MCP server',
    description: `Only submitted fields change; gateways reconnect to the server. ${whose}`,
    access,
    params: serverId,
    body: ServerInput.partial().meta({ id: 'McpServerChanges' }),
    response: McpServer,
    errors: [403, 404],
  }),
  deleteServer: defineOperation({
    method: 'DELETE',
    path: '/api/mcp-servers/{server_id}',
    tag,
    summary: 'Delete an MCP server',
    description: `It is also detached from its gateways. ${whose}`,
    access,
    params: serverId,
    response: Message,
    errors: [403, 404],
  }),
  discoverTools: defineOperation({
    method: 'POST',
    path: '/api/mcp-servers/{server_id}/discover/tools',
    tag,
    summary: 'Ask the server for its tools',
    access,
    params: serverId,
    response: z.object({ count: z.int(), tools: z.array(Tool), ...discoveredAt }),
    errors: upstream,
  }),
  listTools: defineOperation({
    method: 'GET',
    path: '/api/mcp-servers/{server_id}/tools',
    tag,
    summary: 'List the tools of the last discovery',
    description: 'The server is not contacted.',
    access,
    params: serverId,
    response: z.object({ total_count: z.int(), tools: z.array(Tool), ...discoveredAt }),
    errors: [404],
  }),
  callTool: defineOperation({
    method: 'POST',
    path: '/api/mcp-servers/{server_id}/tools/call',
    tag,
    summary: 'Call a tool directly',
    description:
      'For testing a server: the call bypasses gateways and guards. A tool that the server does not have is 404, arguments ' +
      `that it does not take are 422, unless the server answers a result that says so (\`isError\`). ${whose}`,
    access,
    params: serverId,
    body: z
      .object({ name: z.string().min(1).max(256), arguments: z.record(z.string(), z.unknown()).nullish() })
      .meta({ id: 'ToolCall' }),
    response: z
      .object({
        content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
        isError: z.boolean(),
        structuredContent: z.unknown().optional(),
      })
      .meta({ id: 'ToolResult' }),
    errors: upstream,
  }),
  discoverResources: defineOperation({
    method: 'POST',
    path: '/api/mcp-servers/{server_id}/discover/resources',
    tag,
    summary: 'Ask the server for its resources',
    access,
    params: serverId,
    response: z.object({ count: z.int(), resources: z.array(Resource), ...discoveredAt }),
    errors: upstream,
  }),
  listResources: defineOperation({
    method: 'GET',
    path: '/api/mcp-servers/{server_id}/resources',
    tag,
    summary: 'List the resources of the last discovery and manually added ones',
    description: 'The server is not contacted.',
    access,
    params: serverId,
    response: z.object({
      total_count: z.int(),
      discovered: z.object({ resources: z.array(Resource), ...discoveredAt }),
      manual: z.object({ resources: z.array(ManualResource) }),
    }),
    errors: [404],
  }),
  addManualResource: defineOperation({
    method: 'POST',
    path: '/api/mcp-servers/{server_id}/manual-resources',
    tag,
    summary: 'Add a resource that the server does not list',
    description: `409 if the name is taken. ${whose}`,
    access,
    params: serverId,
    body: z
      .object({
        name: displayName(),
        description: storedText({ max: 10_000 }).nullish(),
        mimeType: storedText({ min: 1, max: 255 }).nullish(),
      })
      .meta({ id: 'ManualResourceInput' }),
    response: ManualResource,
    errors: [403, 404, 409],
  }),
  removeManualResource: defineOperation({
    method: 'DELETE',
    path: '/api/mcp-servers/{server_id}/manual-resources',
    tag,
    summary: 'Remove a manually added resource',
    description: whose,
    access,
    params: serverId,
    body: z.object({ name: z.string().min(1).max(255) }).meta({ id: 'ManualResourceName' }),
    response: Message,
    errors: [403, 404],
  }),
  readResource: defineOperation({
    method: 'POST',
    path: '/api/mcp-servers/{server_id}/resources/read',
    tag,
    summary: 'Read a resource directly',
    description: `A resource that the server does not have is 404. ${whose}`,
    access,
    params: serverId,
    body: z.object({ uri: z.string().min(1).max(8192) }).meta({ id: 'ResourceRead' }),
    response: z.object({
      contents: z.array(
        z.looseObject({ type: z.string(), text: z.string().optional(), uri: z.string().optional() }),
      ),
    }),
    errors: upstream,
  }),
};
