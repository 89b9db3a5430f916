import { z } from 'zod';
import { isoTime, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { ownerFilter, userName, visibilityField } from '#identity/contract/sharing.ts';
import { displayName, Message, page } from './gateways.ts';
import { Authorization } from './grants.ts';
import { IdentityScheme, ShownTokenExchange, TokenExchange } from './identity-schemes.ts';
import { Resource, Tool } from './offers.ts';

export const maxToolNameLength = 64;

/** What takes the place of each value of `env` in answers; sent back, it keeps what is stored. */
export const hiddenValue = '********';

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

const OAuthClient = z.object({
  client_id: storedText({ min: 1, max: 2048 }),
  client_secret: storedText({ min: 1, max: 4096 })
    .nullish()
    .meta({
      description: `Kept encrypted; answers show \`${hiddenValue}\`, which, sent back, keeps the value.`,
    }),
  issuer: storedText({ min: 1, max: 2048 }).nullish().meta({
    description: 'The authorization server that knows the client, where the MCP server may name others.',
  }),
});

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
    .meta({ description: 'For `stdio`.' }),
  env: env()
    .nullish()
    .meta({
      description: `For \`stdio\`: all that the process gets of an environment. Kept encrypted; answers show \`${hiddenValue}\`, which, sent back, keeps the value.`,
    }),
  auth_type: z
    .enum(['none', 'oauth'])
    .nullish()
    .meta({
      description:
        'Default `none`. With `oauth`, for `http` and `sse`, the gateway signs in at the server: its detail shows the ' +
        '`authorization_url` that a person opens once.',
    }),
  oauth_client: OAuthClient.nullish().meta({
    description:
      'For `oauth`: a client that was registered for the gateway; without it the gateway registers itself.',
  }),
  identity_scheme: IdentityScheme.nullish().meta({ description: 'Default `none`.' }),
  token_exchange: TokenExchange.nullish(),
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
    oauth_client: z
      .object({ client_id: z.string(), client_secret: z.string().nullable(), issuer: z.string().nullable() })
      .nullable(),
    identity_scheme: IdentityScheme,
    token_exchange: ShownTokenExchange.nullable(),
    lost_secrets: z
      .array(z.enum(['env', 'oauth_client']))
      .optional()
      .meta({
        description:
          'There where secrets are kept that can no longer be opened, since the key that sealed them is gone. The ' +
          'server is not reached until they are sent anew.',
      }),
    registered_by: z.string(),
    registered_by_name: userName(),
    visibility: visibilityField(),
    created_at: isoTime(),
    updated_at: isoTime(),
    gateway_ids: z.array(z.string()),
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
    description: 'Null where `auth_type` is `none`; with the scheme `user_oauth`, that of the caller.',
  }),
  authorization_url: z.string().nullable().meta({
    description:
      'Set where the server waits for a consent that the caller may give: open it in a browser within ten minutes.',
  }),
  gateways: z.array(AttachedGateway),
  tools: z.array(Tool),
  resources: z.array(Resource),
}).meta({ id: 'McpServerDetail' });

export const serverId = z.object({ server_id: z.string().meta({ example: 'mcp_…' }) });
const tag = 'MCP servers';
const access = 'jwt_or_key';
const whose = 'Only who registered the server, or an administrator of the tenant, may do this (403).';
const upstream = [403, 404, 502, 504];
const discoveredAt = { last_discovery_at: isoTime().nullable() };

export const serverOperations = {
  createServer: defineOperation({
    method: 'POST',
    path: '/api/mcp-servers',
    tag,
    summary: 'Register an MCP server',
    description:
      'For gateways of its owner, or, where it is shared, of everybody in the tenant. A `stdio` server is a command that runs on the gateway’s machine: who may ' +
      'register one is the operator’s choice (403).',
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
      'Its owner, the administrators of the tenant and, where it is shared, everybody of the tenant reads a server, and ' +
      'may attach it to gateways of their own.',
    access,
    query: page.extend({ owner: ownerFilter('all') }),
    response: z.object({ items: z.array(McpServer), total: z.int() }),
  }),
  getServer: defineOperation({
    method: 'GET',
    path: '/api/mcp-servers/{server_id}',
    tag,
    summary: 'An MCP server, its gateways, and what was found at it',
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
    description: `Only what is sent changes; its connections are made anew. ${whose}`,
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
    description: `It is detached from its gateways. ${whose}`,
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
    summary: 'The tools of the last discovery',
    description: 'The server is not asked.',
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
    description: `For trying a server out: no gateway, and so no guard, stands in between. ${whose}`,
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
    summary: 'The resources of the last discovery, and those added by hand',
    description: 'The server is not asked.',
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
    description: `One of the same name: 409. ${whose}`,
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
    summary: 'Remove a resource that was added by hand',
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
    description: whose,
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
