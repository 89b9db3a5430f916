/** Which fields of an OAuth client go together. */
import { badRequest, invalid } from '#base/errors.ts';
import type { Outbound } from '#base/net/outbound.ts';
import { isSafeAddress } from '#mcp/oauth/http.ts';
import { signingKey } from '#mcp/oauth/machine-token.ts';
import type { ClientGrant, McpServer, RegisteredClient } from './server.ts';

const ofMachines = [
  ['privateKey', 'private_key'],
  ['assertion', 'assertion'],
] as const;

/** Throws AppError 400 if a field is missing, 422 if one is not allowed. */
export function checkClient(server: McpServer, outbound: Pick<Outbound, 'assertAllowed'>): void {
  const { oauthClient: client } = server;
  if (client === null) return;
  const { grant = 'authorization_code', issuer } = client;
  if (grant === 'authorization_code') {
    const unused = ofMachines.find(([field]) => (client[field] ?? null) !== null);
    if (unused !== undefined)
      throw invalid(`'oauth_client.${unused[1]}' is for the grants with which the gateway signs in itself.`);
    return;
  }
  checkScheme(server, grant);
  checkSecrets(client, grant);
  if (issuer === null) return;
  if (!isSafeAddress(issuer)) throw invalid("'oauth_client.issuer' must be an https:// address.");
  outbound.assertAllowed(issuer);
}

function checkScheme({ authType, identityScheme }: McpServer, grant: ClientGrant): void {
  if (authType !== 'oauth')
    throw invalid(`'oauth_client.grant' ${grant} needs 'auth_type' oauth; 'auth_type' is ${authType}.`);
  if (identityScheme === 'user_oauth')
    throw invalid(
      `'oauth_client.grant' ${grant} signs in the gateway, and 'identity_scheme' user_oauth each user: choose one.`,
    );
}

function checkSecrets(client: RegisteredClient, grant: ClientGrant): void {
  const { clientSecret, privateKey = null, assertion = null, issuer } = client;
  if (assertion !== null && grant !== 'jwt_bearer')
    throw invalid("'oauth_client.assertion' is for the grant jwt_bearer.");
  if (privateKey !== null) checkKey(privateKey);
  else if (clientSecret === null && grant === 'client_credentials')
    throw badRequest(
      "'oauth_client.client_secret' or 'oauth_client.private_key' is missing: the grant client_credentials needs one.",
    );
  // The MCP server names the authorization server: neither a secret nor a stored assertion may go wherever it says.
  const isShown = (clientSecret !== null && privateKey === null) || assertion !== null;
  if (isShown && issuer === null)
    throw badRequest(
      `'oauth_client.issuer' is missing: with the grant ${grant} a secret is sent to that authorization server alone.`,
    );
}

function checkKey(privateKey: string): void {
  try {
    signingKey(privateKey);
  } catch (cause) {
    throw invalid(
      "'oauth_client.private_key' must be a private key as PEM, of RSA, of a NIST curve or of Ed25519.",
      cause,
    );
  }
}
