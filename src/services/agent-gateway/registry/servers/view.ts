import type { z } from 'zod';
import { toIsoTime } from '#base/clock.ts';
import { maskedArguments } from '#engine/mcp-servers/argument-secrets.ts';
import { hiddenValue } from '../../contract/oauth-client.ts';
import type { serverOperations } from '../../contract/servers.ts';
import { mayRead, type Viewer } from '#identity/sharing.ts';
import type { NameOf } from '#identity/users/user-names.ts';
import type { Discovery, McpServer, RegisteredClient, UsingGateway } from './server.ts';

const hidden = (secret: string | null | undefined) => (secret ? hiddenValue : null);

const viewClient = (client: RegisteredClient | null) =>
  client && {
    client_id: client.clientId,
    client_secret: hidden(client.clientSecret),
    issuer: client.issuer,
    grant: client.grant ?? ('authorization_code' as const),
    private_key: hidden(client.privateKey),
    assertion: hidden(client.assertion),
  };

export const viewServer = (server: McpServer, gatewayIds: readonly string[], nameOf: NameOf) => ({
  id: server.serverId,
  name: server.name,
  transport: server.transport,
  connection_url: server.connectionUrl,
  command: server.command,
  args: maskedArguments(server.args),
  env: Object.fromEntries(Object.keys(server.env).map((name) => [name, hiddenValue])),
  auth_type: server.authType,
  oauth_client: viewClient(server.oauthClient),
  identity_scheme: server.identityScheme,
  token_exchange: server.tokenExchange && {
    token_endpoint: server.tokenExchange.tokenEndpoint,
    audience: server.tokenExchange.audience,
    scope: server.tokenExchange.scope,
  },
  identity_provider: server.identityProvider && {
    issuer: server.identityProvider.issuer,
    client_id: server.identityProvider.clientId,
    client_secret: hidden(server.identityProvider.clientSecret),
  },
  ...(server.lostSecrets.length > 0 && { lost_secrets: [...server.lostSecrets] }),
  registered_by: server.ownerId,
  registered_by_name: nameOf(server.ownerId),
  visibility: server.visibility,
  created_at: toIsoTime(server.createdAt),
  updated_at: toIsoTime(server.updatedAt),
  gateway_ids: [...gatewayIds],
});

/** Those that the viewer may know of: who shares a server is not told which private gateways others use it in. */
export const gatewaysFor = (viewer: Viewer, gateways: readonly UsingGateway[] = []): UsingGateway[] =>
  gateways.filter((gateway) => mayRead(viewer, gateway));

/** For users who may only read the gateway: how another user's private server is reached is hidden. */
export const viewAttached = (
  server: McpServer,
  gatewayIds: readonly string[],
  { viewer, nameOf }: { viewer: Viewer; nameOf: NameOf },
) => {
  const shown = viewServer(server, gatewayIds, nameOf);
  if (mayRead(viewer, server)) return { ...shown, readable: true };
  const withheld = { connection_url: null, command: null, args: [], env: {}, oauth_client: null };
  return { ...shown, ...withheld, token_exchange: null, identity_provider: null, readable: false };
};

export const viewTime = ({ at }: Discovery) => ({ last_discovery_at: at === null ? null : toIsoTime(at) });

export type SentServer = z.output<typeof serverOperations.updateServer.body>;
