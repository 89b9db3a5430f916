/** SQL for servers and attachments; values of `env`, secrets among arguments and of clients are stored encrypted. */
import { isForeignKeyViolation } from '#base/db/errors.ts';
import { json } from '#base/db/values.ts';
import type { Queries } from '#base/db/database.ts';
import { notFound } from '#base/errors.ts';
import type { SealedColumn } from '#base/secrets/sealed-column.ts';
import type { Vault } from '#base/secrets/vault.ts';
import { maskedArguments } from '#engine/mcp-servers/argument-secrets.ts';
import { listed, listParams, type OwnerFilter, type Viewer } from '#identity/sharing.ts';
import type { Fields } from '#mcp/json-rpc.ts';
import type {
  AttachedServer,
  Discovery,
  IdentityProvider,
  LostSecret,
  McpServer,
  RegisteredClient,
  UsingGateway,
} from './server.ts';

export type DiscoveredKind = 'tools' | 'resources' | 'prompts';

interface Row
  extends
    Omit<McpServer, 'env' | 'oauthClient' | 'identityProvider' | 'lostSecrets'>,
    Record<string, unknown> {
  readonly sealedArgs: Buffer | null;
  readonly sealedEnv: Buffer | null;
  readonly sealedClient: Buffer | null;
  readonly sealedProvider: Buffer | null;
}

const columns = `
  s.server_id as "serverId", s.tenant_id as "tenantId", s.owner_id as "ownerId", s.visibility, s.name, s.transport,
  s.connection_url as "connectionUrl", s.command, s.args, s.sealed_args as "sealedArgs", s.env as "sealedEnv",
  s.identity_scheme as "identityScheme", s.auth_type as "authType", s.oauth_client as "sealedClient",
  s.token_exchange as "tokenExchange", s.identity_provider as "sealedProvider", s.created_at as "createdAt", s.updated_at as "updatedAt"`;

const clientPlace = (serverId: string) => `agent_gateway.mcp_servers.oauth_client:${serverId}`;
const providerPlace = (serverId: string) => `agent_gateway.mcp_servers.identity_provider:${serverId}`;
const argsPlace = (serverId: string) => `agent_gateway.mcp_servers.args:${serverId}`;
const envPlace = (serverId: string) => `agent_gateway.mcp_servers.env:${serverId}`;

const places = {
  oauth_client: clientPlace,
  identity_provider: providerPlace,
  sealed_args: argsPlace,
  env: envPlace,
};

export const sealedServers: readonly SealedColumn[] = Object.entries(places).map(([column, place]) => ({
  table: 'agent_gateway.mcp_servers',
  column,
  keys: ['server_id'],
  place,
}));

/** Converts a violated foreign key to 404, for writes while the server is being deleted. */
export const refuseGone =
  (serverId: string) =>
  (error: unknown): never => {
    throw isForeignKeyViolation(error) ? notFound(`The MCP server ${serverId}`) : error;
  };

/** Null where nothing is stored, undefined where it cannot be decrypted. */
function opened<T>(vault: Vault, sealed: Buffer | null, place: string): T | null | undefined {
  const text = sealed && vault.find(sealed, place);
  return typeof text === 'string' ? (JSON.parse(text) as T) : text;
}

/** A secret that cannot be decrypted affects only its own server, not the list. */
function read(
  vault: Vault,
  { sealedArgs, sealedEnv, sealedClient, sealedProvider, ...server }: Row,
): McpServer {
  const { serverId } = server;
  const secrets = {
    args: opened<string[]>(vault, sealedArgs, argsPlace(serverId)),
    env: opened<Record<string, string>>(vault, sealedEnv, envPlace(serverId)),
    oauth_client: opened<RegisteredClient>(vault, sealedClient, clientPlace(serverId)),
    identity_provider: opened<IdentityProvider>(vault, sealedProvider, providerPlace(serverId)),
  };
  return {
    ...server,
    args: secrets.args ?? server.args,
    env: secrets.env ?? {},
    oauthClient: secrets.oauth_client ?? null,
    identityProvider: secrets.identity_provider ?? null,
    lostSecrets: (Object.keys(secrets) as LostSecret[]).filter((name) => secrets[name] === undefined),
  };
}

/** Arguments that hold secrets are stored twice: as they may be shown, and whole, encrypted. */
function storedArgs(vault: Vault, { serverId, args }: McpServer) {
  const masked = maskedArguments(args);
  const isWhole = masked.every((arg, i) => arg === args[i]);
  return { masked, sealed: isWhole ? null : vault.seal(JSON.stringify(args), argsPlace(serverId)) };
}

const valuesOf = (vault: Vault, server: McpServer, args = storedArgs(vault, server)) => [
  server.serverId,
  server.name,
  server.transport,
  server.connectionUrl,
  server.command,
  args.masked,
  Object.keys(server.env).length === 0
    ? null
    : vault.seal(JSON.stringify(server.env), envPlace(server.serverId)),
  server.identityScheme,
  server.updatedAt,
  server.authType,
  server.oauthClient === null
    ? null
    : vault.seal(JSON.stringify(server.oauthClient), clientPlace(server.serverId)),
  server.tokenExchange === null ? null : json(server.tokenExchange),
  server.visibility,
  server.identityProvider === null
    ? null
    : vault.seal(JSON.stringify(server.identityProvider), providerPlace(server.serverId)),
  args.sealed,
];

export async function findServer(
  db: Queries,
  vault: Vault,
  tenantId: string,
  serverId: string,
): Promise<McpServer | undefined> {
  const [row] = await db.query<Row>(
    `select ${columns} from agent_gateway.mcp_servers s where s.tenant_id = $1 and s.server_id = $2`,
    [tenantId, serverId],
  );
  return row && read(vault, row);
}

/** The server as the transaction may change it: others who would change or delete it wait. */
export async function lockServer(
  tx: Queries,
  vault: Vault,
  tenantId: string,
  serverId: string,
): Promise<McpServer | undefined> {
  await tx.query('select from agent_gateway.mcp_servers where tenant_id = $1 and server_id = $2 for update', [
    tenantId,
    serverId,
  ]);
  return findServer(tx, vault, tenantId, serverId);
}

/** Names of servers, including deleted ones; for ids stored by us. */
export async function listServerNames(
  db: Queries,
  serverIds: Iterable<string | null>,
): Promise<Map<string, string>> {
  const wanted = [...new Set(serverIds)].filter((id) => id !== null);
  if (wanted.length === 0) return new Map();
  const rows = await db.query<{ id: string; name: string }>(
    `select server_id as id, name from agent_gateway.mcp_servers where server_id = any($1)
      union all
      select server_id, name from agent_gateway.former_servers where server_id = any($1)`,
    [wanted],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Newest first. */
export async function listServers(
  db: Queries,
  vault: Vault,
  { viewer, owner }: { viewer: Viewer; owner: OwnerFilter },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ servers: McpServer[]; total: number }> {
  const [counted] = await db.query<{ total: number }>(
    `select count(*) as total from agent_gateway.mcp_servers s where ${listed('s')}`,
    listParams(viewer, owner),
  );
  const rows = await db.query<Row>(
    `select ${columns} from agent_gateway.mcp_servers s where ${listed('s')}
      order by s.created_at desc, s.server_id limit $5 offset $6`,
    [...listParams(viewer, owner), limit, offset],
  );
  return { servers: rows.map((row) => read(vault, row)), total: counted?.total ?? 0 };
}

export async function insertServer(db: Queries, vault: Vault, server: McpServer): Promise<void> {
  await db.query(
    `insert into agent_gateway.mcp_servers (server_id, name, transport, connection_url, command, args, env,
      identity_scheme, updated_at, auth_type, oauth_client, token_exchange, visibility, identity_provider, sealed_args,
      tenant_id, owner_id, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
    [...valuesOf(vault, server), server.tenantId, server.ownerId, server.createdAt],
  );
}

export async function updateServer(db: Queries, vault: Vault, server: McpServer): Promise<void> {
  const { lostSecrets } = server;
  await db.query(
    // Values that cannot be decrypted are kept, because the key may be restored.
    `update agent_gateway.mcp_servers set name = $2, transport = $3, connection_url = $4, command = $5,
      args = case when $16::boolean then args else $6 end,
      sealed_args = case when $16::boolean then sealed_args else $15 end,
      env = case when $17::boolean then env else $7 end, identity_scheme = $8, updated_at = $9, auth_type = $10,
      oauth_client = case when $18::boolean then oauth_client else $11 end,
      token_exchange = $12, visibility = $13,
      identity_provider = case when $19::boolean then identity_provider else $14 end where server_id = $1`,
    [
      ...valuesOf(vault, server),
      lostSecrets.includes('args'),
      lostSecrets.includes('env'),
      lostSecrets.includes('oauth_client'),
      lostSecrets.includes('identity_provider'),
    ],
  );
}

/** Increments the version, so that all processes reconnect to the server. */
export async function touchServer(db: Queries, serverId: string, at: Date): Promise<void> {
  await db.query('update agent_gateway.mcp_servers set updated_at = $2 where server_id = $1', [serverId, at]);
}

/** Deletes the server and keeps its name for the audit log. Returns the gateways that it was attached to. */
export async function deleteServer(tx: Queries, serverId: string, at: Date): Promise<string[]> {
  const gateways = await tx.query<{ gatewayId: string }>(
    'select gateway_id as "gatewayId" from agent_gateway.attachments where server_id = $1',
    [serverId],
  );
  await tx.query(
    `with gone as (delete from agent_gateway.mcp_servers where server_id = $1 returning server_id, name)
      insert into agent_gateway.former_servers (server_id, name, deleted_at)
        select server_id, name, $2::timestamptz from gone on conflict do nothing`,
    [serverId, at],
  );
  return gateways.map(({ gatewayId }) => gatewayId);
}

/** Attachments of a gateway, oldest first. */
export async function listAttachments(
  db: Queries,
  vault: Vault,
  gatewayId: string,
): Promise<AttachedServer[]> {
  const rows = await db.query<Row & Pick<AttachedServer, 'toolPrefix' | 'usable'>>(
    `select ${columns}, a.tool_prefix as "toolPrefix",
        s.owner_id = g.owner_id or s.visibility = 'tenant' or a.by_administrator as usable
      from agent_gateway.attachments a
      join agent_gateway.gateways g on g.gateway_id = a.gateway_id
      join agent_gateway.mcp_servers s on s.server_id = a.server_id
      where a.gateway_id = $1 order by a.attached_at, s.server_id`,
    [gatewayId],
  );
  return rows.map(({ toolPrefix, usable, ...row }) => ({
    server: read(vault, row as Row),
    toolPrefix,
    usable,
  }));
}

/** Gateways that use each of the servers. */
export async function attachedGateways(
  db: Queries,
  serverIds: readonly string[],
): Promise<Map<string, UsingGateway[]>> {
  const rows = await db.query<UsingGateway & Record<string, unknown>>(
    `select a.server_id as "serverId", g.gateway_id as id, g.name, a.tool_prefix as "toolPrefix",
        g.tenant_id as "tenantId", g.owner_id as "ownerId", g.visibility
      from agent_gateway.attachments a join agent_gateway.gateways g on g.gateway_id = a.gateway_id
      where a.server_id = any($1) order by a.attached_at, g.gateway_id`,
    [serverIds],
  );
  return Map.groupBy(rows, ({ serverId }) => serverId);
}

export async function insertAttachment(
  db: Queries,
  attachment: {
    gatewayId: string;
    serverId: string;
    toolPrefix: string;
    at: Date;
    byAdministrator: boolean;
  },
): Promise<void> {
  const { gatewayId, serverId, toolPrefix, at, byAdministrator } = attachment;
  await db.query(
    `insert into agent_gateway.attachments (gateway_id, server_id, tool_prefix, attached_at, by_administrator)
      values ($1, $2, $3, $4, $5)`,
    [gatewayId, serverId, toolPrefix, at, byAdministrator],
  );
}

/** The prefix that it was attached with; undefined where it was not. */
export async function deleteAttachment(
  db: Queries,
  gatewayId: string,
  serverId: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ toolPrefix: string }>(
    `delete from agent_gateway.attachments where gateway_id = $1 and server_id = $2
      returning tool_prefix as "toolPrefix"`,
    [gatewayId, serverId],
  );
  return row?.toolPrefix;
}

export async function saveDiscovery(
  db: Queries,
  serverId: string,
  kind: DiscoveredKind,
  { items, at }: Discovery,
): Promise<void> {
  await db.query(`update agent_gateway.mcp_servers set ${kind} = $2, ${kind}_at = $3 where server_id = $1`, [
    serverId,
    json(items),
    at,
  ]);
}

export async function findDiscovery(db: Queries, serverId: string, kind: DiscoveredKind): Promise<Discovery> {
  const [row] = await db.query<{ items: Fields[] | null; at: Date | null }>(
    `select ${kind} as items, ${kind}_at as at from agent_gateway.mcp_servers where server_id = $1`,
    [serverId],
  );
  return { items: row?.items ?? [], at: row?.at ?? null };
}
