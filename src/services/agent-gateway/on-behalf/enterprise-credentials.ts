/**
 * Enterprise-managed authorization: the identity provider of the caller's organisation vouches for them at a server's
 * authorization server, so that it decides who uses which server, and nobody consents. The caller sends their ID token.
 */
import type { Clock } from '#base/clock.ts';
import { AppError } from '#base/errors.ts';
import { identityAssertion } from '#mcp/oauth/identity-assertion.ts';
import type { OAuthFetch } from '#mcp/oauth/http.ts';
import type { Credentials } from '#mcp/transport.ts';
import type { IdentityProvider, McpServer } from '../registry/servers/server.ts';
import type { AskedTokens } from './asked-tokens.ts';
import { isIdTokenOf } from './own-token.ts';
import type { Who } from './who.ts';

export interface EnterpriseDeps {
  readonly clock: Clock;
  readonly fetch: OAuthFetch;
  readonly tokens: AskedTokens;
}

/** Credentials of a connection that belongs to one caller and their ID token. */
export type EnterpriseCredentials = (server: McpServer, who: Who) => Credentials;

export function createEnterpriseCredentials({ clock, fetch, tokens }: EnterpriseDeps): EnterpriseCredentials {
  /** The caller's ID token, while it is valid: a token that was got with it is not used longer. */
  const idTokenOf = (
    { name }: McpServer,
    { issuer, clientId }: IdentityProvider,
    { bearer }: Who,
  ): string => {
    if (bearer !== undefined && isIdTokenOf(bearer, { issuer, clientId, nowMs: clock.now() })) return bearer;
    throw new AppError(
      502,
      'needs_own_token',
      `The MCP server ${name} takes a token for which ${issuer} vouches, and no valid ID token of it came whose audience is ${clientId}: send one as Authorization: Bearer, beside an API key as X-API-Key where it is not for the gateway as well.`,
    );
  };

  return (server, who) => {
    const { identityProvider: provider, oauthClient: client } = server;
    if (provider === null || client === null)
      throw new AppError(
        502,
        'not_configured',
        `The MCP server ${server.name} has no identity provider any more.`,
      );
    const { issuer, clientId, clientSecret } = provider;
    const idToken = () => idTokenOf(server, provider, who);
    const asked = tokens.credentials({
      server,
      client,
      holder: who.key,
      assertionFor: (wanted) =>
        identityAssertion(fetch, {
          identityProvider: {
            issuer,
            client: { clientId, ...(clientSecret !== null && { clientSecret }) },
          },
          idToken: idToken(),
          audience: wanted.issuer,
          resource: wanted.resource,
          scope: wanted.scope,
        }),
    });
    return {
      ...asked,
      headers() {
        idToken();
        return asked.headers();
      },
    };
  };
}
