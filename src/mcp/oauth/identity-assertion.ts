/**
 * Identity assertions of an identity provider (ID-JAG): it vouches for its user at the authorization server of an MCP
 * server, in exchange for the user's ID token (enterprise-managed authorization).
 */
import * as oauth from 'oauth4webapi';
import { clientAuthOf, requestOptions, type OAuthClient } from './client.ts';
import { discoverAuthorizationServer } from './discover.ts';
import { authorizationError } from './errors.ts';
import type { OAuthFetch } from './http.ts';

export interface IdentityAssertionRequest {
  readonly identityProvider: { readonly issuer: string; readonly client: OAuthClient };
  readonly idToken: string;
  /** Issuer of the authorization server that is to accept the assertion. */
  readonly audience: string;
  /** The MCP server. */
  readonly resource: string;
  /** Empty: the identity provider chooses. */
  readonly scope: string;
}

const type = 'urn:ietf:params:oauth:token-type:';
const assertionType = `${type}id-jag`;
/** An assertion is no access token, so the provider says that its kind of token does not apply. */
const recognizedTokenTypes = { n_a: () => undefined };

/** Throws AppError 502 or 504. */
export async function identityAssertion(
  fetch: OAuthFetch,
  { identityProvider, idToken, audience, resource, scope }: IdentityAssertionRequest,
): Promise<string> {
  const { issuer, client } = identityProvider;
  const provider = await discoverAuthorizationServer(fetch, issuer, false);
  const known = { client_id: client.clientId };
  const parameters = {
    requested_token_type: assertionType,
    subject_token: idToken,
    subject_token_type: `${type}id_token`,
    audience,
    resource,
    ...(scope !== '' && { scope }),
  };
  try {
    const response = await oauth.genericTokenEndpointRequest(
      provider,
      known,
      clientAuthOf(provider, client),
      'urn:ietf:params:oauth:grant-type:token-exchange',
      parameters,
      requestOptions(fetch),
    );
    const answer = await oauth.processGenericTokenEndpointResponse(provider, known, response, {
      recognizedTokenTypes,
    });
    if (answer['issued_token_type'] !== assertionType) throw new Error('it issued another kind of token');
    return answer.access_token;
  } catch (error) {
    throw authorizationError(`The identity provider ${issuer} gave no identity assertion`, error);
  }
}
