/** Required fields of each identity scheme. */
import { badRequest, invalid } from '#base/errors.ts';
import type { Outbound } from '#base/net/outbound.ts';
import { isSafeAddress } from '#mcp/oauth/http.ts';
import { checkClient } from './check-client.ts';
import type { IdentityScheme, McpServer } from './server.ts';

/** Schemes that fill the header Authorization. */
const sendsToken: ReadonlySet<IdentityScheme> = new Set(['bearer', 'token_exchange', 'enterprise_managed']);

/** Throws AppError 400 if a field is missing, 422 if one is not allowed. */
export function checkIdentityScheme(server: McpServer, outbound: Pick<Outbound, 'assertAllowed'>): void {
  const { identityScheme: scheme, transport, authType } = server;
  checkClient(server, outbound);
  if (scheme === 'none') return;
  if (transport === 'stdio')
    throw invalid(
      `'identity_scheme' ${scheme} is for the transports http and sse: a stdio server gets no headers. Use none.`,
    );
  if (sendsToken.has(scheme) && authType === 'oauth')
    throw invalid(
      `'identity_scheme' ${scheme} sends a token of the caller, so 'auth_type' must be none: only one of them can stand in the header Authorization.`,
    );
  if (scheme === 'user_oauth' && authType !== 'oauth')
    throw invalid(
      "'identity_scheme' user_oauth needs 'auth_type' oauth; leave 'auth_type' out, or send oauth.",
    );
  if (scheme === 'token_exchange') checkExchange(server, outbound);
  if (scheme === 'enterprise_managed') checkProvider(server, outbound);
}

function checkExchange(
  { tokenExchange, oauthClient }: McpServer,
  outbound: Pick<Outbound, 'assertAllowed'>,
): void {
  if (tokenExchange === null)
    throw badRequest("'token_exchange.token_endpoint' is missing; the scheme token_exchange needs it.");
  if (oauthClient === null)
    throw badRequest(
      "'oauth_client' is missing: the scheme token_exchange needs the client that is registered at its token endpoint.",
    );
  if (!isSafeAddress(tokenExchange.tokenEndpoint))
    throw invalid("'token_exchange.token_endpoint' must be an https:// address.");
  outbound.assertAllowed(tokenExchange.tokenEndpoint);
}

function checkProvider(
  { identityProvider, oauthClient }: McpServer,
  outbound: Pick<Outbound, 'assertAllowed'>,
): void {
  if (identityProvider === null)
    throw badRequest("'identity_provider' is missing; the scheme enterprise_managed needs it.");
  if (oauthClient === null)
    throw badRequest(
      "'oauth_client' is missing: the scheme enterprise_managed needs the client that is registered at the server’s authorization server.",
    );
  if (oauthClient.issuer === null)
    throw badRequest(
      "'oauth_client.issuer' is missing: with the scheme enterprise_managed the client’s secret and the identity assertion are for that authorization server alone.",
    );
  for (const [field, issuer] of [
    ['identity_provider.issuer', identityProvider.issuer],
    ['oauth_client.issuer', oauthClient.issuer],
  ] as const) {
    if (!isSafeAddress(issuer)) throw invalid(`'${field}' must be an https:// address.`);
    outbound.assertAllowed(issuer);
  }
}
