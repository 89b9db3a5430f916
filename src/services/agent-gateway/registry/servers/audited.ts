/** What the audit trail says of an MCP server: of secrets only their names, and whether there is another one. */
import type { Asking, AuditEvent } from '#identity/audit/audit.ts';
import { resourceEvent } from '#identity/audit/resource-event.ts';
import { maskedArguments } from '#engine/mcp-servers/argument-secrets.ts';
import type { McpServer } from './server.ts';

export function auditedServer(
  event: `mcp_server_${'registered' | 'updated' | 'deleted'}`,
  asking: Asking,
  { before, after }: { readonly before?: McpServer; readonly after?: McpServer },
): AuditEvent {
  const { serverId: id = '', name = '' } = after ?? before ?? {};
  return resourceEvent(event, asking, {
    id,
    name,
    before: before && fieldsOf(before),
    after: after && fieldsOf(after, before),
  });
}

/** A change of something at the server, such as a grant. */
export const auditedAtServer = (
  event: 'mcp_server_updated' | `mcp_server_${'connected' | 'disconnected'}`,
  asking: Asking,
  { serverId: id, name }: McpServer,
  changed: Pick<Parameters<typeof resourceEvent>[2], 'before' | 'after' | 'more'>,
): AuditEvent => resourceEvent(event, asking, { id, name, ...changed });

function fieldsOf(server: McpServer, before?: McpServer): Record<string, unknown> {
  const { oauthClient, tokenExchange, identityProvider } = server;
  return {
    name: server.name,
    visibility: server.visibility,
    transport: server.transport,
    connectionUrl: server.connectionUrl === null ? null : withoutSecrets(server.connectionUrl),
    command: server.command,
    args: maskedArguments(server.args),
    authType: server.authType,
    identityScheme: server.identityScheme,
    oauthClientId: oauthClient?.clientId,
    oauthClientIssuer: oauthClient?.issuer,
    oauthClientGrant: oauthClient?.grant,
    tokenEndpoint: tokenExchange?.tokenEndpoint,
    tokenAudience: tokenExchange?.audience,
    tokenScope: tokenExchange?.scope,
    identityProviderIssuer: identityProvider?.issuer,
    identityProviderClientId: identityProvider?.clientId,
    ...secretsSaid(server, before),
  };
}

/** Addresses may have a key in their query. */
function withoutSecrets(address: string): string {
  const [place = '', query] = address.split('?', 2);
  return query === undefined ? address : `${place}?${query.replaceAll(/=[^&#]*/g, '=********')}`;
}

/** Of each secret that it is there, or that it is another than before. */
function secretsSaid(server: McpServer, before: McpServer | undefined): Record<string, string> {
  const known = before === undefined ? new Map<string, string>() : secretsOf(before);
  return Object.fromEntries(
    [...secretsOf(server)].map(([name, secret]) => {
      const isOther = known.has(name) && known.get(name) !== secret;
      return [name, isOther ? 'hidden, another one' : 'hidden'];
    }),
  );
}

function secretsOf({ args, env, connectionUrl, oauthClient, identityProvider }: McpServer) {
  const masked = maskedArguments(args);
  const query = connectionUrl?.split('?')[1];
  const all: [string, string | null | undefined][] = [
    ...Object.entries(env).map(([name, value]): [string, string] => [`variable "${name}"`, value]),
    ['secrets of args', masked.some((arg, i) => arg !== args[i]) ? JSON.stringify(args) : undefined],
    ['query of connection_url', query],
    ['oauth_client_secret', oauthClient?.clientSecret],
    ['oauth_client_private_key', oauthClient?.privateKey],
    ['oauth_client_assertion', oauthClient?.assertion],
    ['identity_provider_client_secret', identityProvider?.clientSecret],
  ];
  return new Map(all.filter((each): each is [string, string] => each[1] !== null && each[1] !== undefined));
}
