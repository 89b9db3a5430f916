/** Required fields of each identity scheme. */
import { badRequest, invalid } from '#base/errors.ts';
import type { Outbound } from '#base/net/outbound.ts';
import { isSafeAddress } from '#mcp/oauth/http.ts';
import { algorithmOf } from '#mcp/oauth/machine-token.ts';
import type { McpServer } from './server.ts';

/** Throws AppError 400 if a field is missing, 422 if one is not allowed. */
export function checkIdentityScheme(server: McpServer, outbound: Pick<Outbound, 'assertAllowed'>): void {
  const { identityScheme: scheme, transport, authType } = server;
  checkClient(server, outbound);
  if (scheme === 'none') return;
  if (transport === 'stdio')
    throw invalid(
      `'identity_scheme' ${scheme} is for the transports http and sse: a stdio server gets no headers. Use none.`,
    );
  if ((scheme === 'bearer' || scheme === 'token_exchange') && authType === 'oauth')
    throw invalid(
      `'identity_scheme' ${scheme} sends a token of the caller, so 'auth_type' must be none: only one of them can stand in the header Authorization.`,
    );
  if (scheme === 'user_oauth' && authType !== 'oauth')
    throw invalid(
      "'identity_scheme' user_oauth needs 'auth_type' oauth; leave 'auth_type' out, or send oauth.",
    );
  if (scheme === 'token_exchange') checkExchange(server, outbound);
}

const unusedFields = [
  ['privateKey', 'private_key'],
  ['assertion', 'assertion'],
] as const;

/** Fields of the client that signs in at the server. */
function checkClient(server: McpServer, outbound: Pick<Outbound, 'assertAllowed'>): void {
  const { oauthClient: client, authType, identityScheme: scheme } = server;
  if (client === null) return;
  const { grant = 'authorization_code', clientSecret, privateKey = null, assertion = null, issuer } = client;
  if (grant === 'authorization_code') {
    const unused = unusedFields.find(([field]) => (client[field] ?? null) !== null);
    if (unused !== undefined)
      throw invalid(`'oauth_client.${unused[1]}' is for the grants with which the gateway signs in itself.`);
    return;
  }
  if (authType !== 'oauth')
    throw invalid(`'oauth_client.grant' ${grant} needs 'auth_type' oauth; 'auth_type' is ${authType}.`);
  if (scheme === 'user_oauth')
    throw invalid(
      `'oauth_client.grant' ${grant} signs in the gateway, and 'identity_scheme' user_oauth each user: choose one.`,
    );
  if (assertion !== null && grant !== 'jwt_bearer')
    throw invalid("'oauth_client.assertion' is for the grant jwt_bearer.");
  if (privateKey !== null) checkKey(privateKey);
  if (grant === 'client_credentials' && clientSecret === null && privateKey === null)
    throw badRequest(
      "'oauth_client.client_secret' or 'oauth_client.private_key' is missing: the grant client_credentials needs one.",
    );
  // The MCP server names the authorization server: a secret must not go wherever it says.
  if (clientSecret !== null && privateKey === null && issuer === null)
    throw badRequest(
      `'oauth_client.issuer' is missing: with the grant ${grant} a secret is sent to that authorization server alone.`,
    );
  if (issuer !== null && !isSafeAddress(issuer))
    throw invalid("'oauth_client.issuer' must be an https:// address.");
  if (issuer !== null) outbound.assertAllowed(issuer);
}

function checkKey(privateKey: string): void {
  try {
    algorithmOf(privateKey);
  } catch (cause) {
    throw invalid(
      "'oauth_client.private_key' must be a PKCS #8 key as PEM, of RSA, of a NIST curve or of Ed25519.",
      cause,
    );
  }
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
