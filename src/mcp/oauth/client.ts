/** OAuth client for a user's consent: registration, authorization code with PKCE, token refresh and revocation. */
import * as oauth from 'oauth4webapi';
import type { AuthorizationServer } from 'oauth4webapi';
import { authorizationError } from './errors.ts';
import { assertSafe, type OAuthFetch } from './http.ts';

export type { AuthorizationServer } from 'oauth4webapi';

export type TokenAuthMethod = 'none' | 'client_secret_basic' | 'client_secret_post';

/** Our client registration at one authorization server. */
export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  readonly authMethod?: TokenAuthMethod | undefined;
  /** Seconds since the Unix epoch; undefined if the secret does not expire. */
  readonly secretExpiresAt?: number | undefined;
}

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Undefined if the granted scopes are the requested ones. */
  readonly scope: string | undefined;
  readonly expiresInSeconds: number | undefined;
}

export interface ConsentRequest {
  readonly server: AuthorizationServer;
  readonly client: OAuthClient;
  readonly redirectUri: string;
  readonly resource: string;
  /** Empty: the authorization server chooses. */
  readonly scope: string;
  readonly state: string;
  readonly verifier: string;
}

/** Options of every request of the OAuth library. */
export const requestOptions = (fetch: OAuthFetch) => ({
  // Our fetch (`assertSafe`) refuses plain HTTP except to this machine.
  [oauth.allowInsecureRequests]: true,
  [oauth.customFetch]: fetch,
});

const methods: readonly TokenAuthMethod[] = ['client_secret_basic', 'client_secret_post', 'none'];

/** Client authentication method; RFC 8414 defaults to basic. */
function methodFor(server: AuthorizationServer, hasSecret: boolean): TokenAuthMethod {
  if (!hasSecret) return 'none';
  const supported = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.find((each) => each !== 'none' && supported.includes(each)) ?? 'client_secret_basic';
}

/** How the client says who it is. */
export function clientAuthOf(
  server: AuthorizationServer,
  { clientSecret, authMethod }: Omit<OAuthClient, 'clientId'>,
): oauth.ClientAuth {
  const method = authMethod ?? methodFor(server, clientSecret !== undefined);
  if (clientSecret === undefined || method === 'none') return oauth.None();
  return method === 'client_secret_post' ? oauth.ClientSecretPost(clientSecret) : basic(clientSecret);
}

/** Encodes only what must be encoded: many servers do not decode the client id and secret as the standard requires. */
const basic =
  (secret: string): oauth.ClientAuth =>
  (_server, { client_id: clientId }, _body, headers) => {
    const pair = `${encodeURIComponent(clientId)}:${encodeURIComponent(secret)}`;
    headers.set('authorization', `Basic ${Buffer.from(pair).toString('base64')}`);
  };

/** Adds what some servers omit although the standard requires it: the expiry of the secret, status 201. */
async function completed(response: Response): Promise<Response> {
  if (!response.ok) return response;
  const made: unknown = await response.json().catch(() => undefined);
  const isObject = typeof made === 'object' && made !== null;
  return Response.json(isObject ? { client_secret_expires_at: 0, ...made } : made, { status: 201 });
}

/** Our client metadata (RFC 7591), used for registration and in our metadata document. */
export const clientMetadata = (redirectUri: string) => ({
  client_name: 'Bulwark agent gateway',
  redirect_uris: [redirectUri],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  application_type: new URL(redirectUri).protocol === 'https:' ? 'web' : 'native',
});

/** Registers at the authorization server. Throws AppError 502. */
export async function registerClient(
  fetch: OAuthFetch,
  server: AuthorizationServer,
  redirectUri: string,
): Promise<OAuthClient> {
  const supported = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const method = methods.find((each) => supported.includes(each)) ?? 'none';
  const metadata = { ...clientMetadata(redirectUri), token_endpoint_auth_method: method };
  try {
    const response = await oauth.dynamicClientRegistrationRequest(server, metadata, requestOptions(fetch));
    const made = await oauth.processDynamicClientRegistrationResponse(await completed(response));
    const secret = made['client_secret'];
    const expires = made['client_secret_expires_at'];
    return {
      clientId: made.client_id,
      ...(typeof secret === 'string' && { clientSecret: secret }),
      authMethod: methods.find((each) => each === made.token_endpoint_auth_method),
      ...(typeof expires === 'number' && expires > 0 && { secretExpiresAt: expires }),
    };
  } catch (error) {
    throw authorizationError(
      `The authorization server ${server.issuer} refused to register the gateway`,
      error,
    );
  }
}

/** The authorization URL to open in the user's browser. */
export async function consentUrl(request: ConsentRequest): Promise<string> {
  const url = new URL(assertSafe(request.server.authorization_endpoint, 'authorization endpoint'));
  const parameters = {
    response_type: 'code',
    client_id: request.client.clientId,
    redirect_uri: request.redirectUri,
    state: request.state,
    code_challenge: await oauth.calculatePKCECodeChallenge(request.verifier),
    code_challenge_method: 'S256',
    resource: request.resource,
    ...(request.scope !== '' && { scope: request.scope }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

export const tokensOf = (response: oauth.TokenEndpointResponse): Tokens => ({
  accessToken: response.access_token,
  refreshToken: response.refresh_token,
  scope: response.scope,
  expiresInSeconds: response.expires_in,
});

/**
 * Exchanges the authorization response for tokens. Its `iss` must equal the issuer exactly (RFC 9207), and must be
 * present if the server announces that it sends it.
 * @throws AppError 502
 */
export async function redeem(
  fetch: OAuthFetch,
  request: Omit<ConsentRequest, 'scope'>,
  answer: URLSearchParams,
): Promise<Tokens> {
  const { server, client, redirectUri, resource, state, verifier } = request;
  const known = { client_id: client.clientId };
  try {
    const checked = oauth.validateAuthResponse(server, known, answer, state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      known,
      clientAuthOf(server, client),
      checked,
      redirectUri,
      verifier,
      { ...requestOptions(fetch), additionalParameters: { resource } },
    );
    return tokensOf(await oauth.processAuthorizationCodeResponse(server, known, response));
  } catch (error) {
    throw authorizationError(`The authorization server ${server.issuer} gave no token`, error);
  }
}

/** Refreshes the token. Throws AppError 502. */
export async function refresh(
  fetch: OAuthFetch,
  { server, client, resource }: Pick<ConsentRequest, 'server' | 'client' | 'resource'>,
  refreshToken: string,
): Promise<Tokens> {
  const known = { client_id: client.clientId };
  try {
    const response = await oauth.refreshTokenGrantRequest(
      server,
      known,
      clientAuthOf(server, client),
      refreshToken,
      {
        ...requestOptions(fetch),
        additionalParameters: { resource },
      },
    );
    return tokensOf(await oauth.processRefreshTokenResponse(server, known, response));
  } catch (error) {
    throw authorizationError(`The authorization server ${server.issuer} did not renew the token`, error);
  }
}

export interface TokenExchange {
  readonly tokenEndpoint: string;
  readonly client: OAuthClient;
  /** A JWT about the user, whose audience is this token endpoint. */
  readonly subjectToken: string;
  /** The server that the token is for (RFC 8707). */
  readonly resource: string;
  readonly audience: string | null;
  readonly scope: string | null;
}

/** Exchanges a token about a user for a token of a server (RFC 8693). Throws AppError 502 or 504. */
export async function exchangeToken(fetch: OAuthFetch, exchange: TokenExchange): Promise<Tokens> {
  const { client, audience, scope } = exchange;
  const tokenEndpoint = assertSafe(exchange.tokenEndpoint, 'token endpoint');
  const server: AuthorizationServer = {
    issuer: new URL(tokenEndpoint).origin,
    token_endpoint: tokenEndpoint,
  };
  const known = { client_id: client.clientId };
  const type = 'urn:ietf:params:oauth:token-type:';
  const parameters = {
    subject_token: exchange.subjectToken,
    subject_token_type: `${type}jwt`,
    requested_token_type: `${type}access_token`,
    resource: exchange.resource,
    ...(audience !== null && { audience }),
    ...(scope !== null && { scope }),
  };
  try {
    const response = await oauth.genericTokenEndpointRequest(
      server,
      known,
      clientAuthOf(server, client),
      'urn:ietf:params:oauth:grant-type:token-exchange',
      parameters,
      requestOptions(fetch),
    );
    const answer = await oauth.processGenericTokenEndpointResponse(server, known, response);
    // Other token types, such as DPoP, require a proof that a bearer request does not contain.
    if (answer.token_type !== 'bearer') throw new Error(`its token is of the type ${answer.token_type}`);
    return tokensOf(answer);
  } catch (error) {
    throw authorizationError(`The token endpoint ${tokenEndpoint} exchanged no token`, error);
  }
}

/** Revokes a token if the authorization server supports it (RFC 7009). Throws AppError 502. */
export async function revoke(
  fetch: OAuthFetch,
  { server, client }: Pick<ConsentRequest, 'server' | 'client'>,
  token: string,
): Promise<void> {
  if (server.revocation_endpoint === undefined) return;
  try {
    const known = { client_id: client.clientId };
    const response = await oauth.revocationRequest(
      server,
      known,
      clientAuthOf(server, client),
      token,
      requestOptions(fetch),
    );
    await oauth.processRevocationResponse(response);
  } catch (error) {
    throw authorizationError(`The authorization server ${server.issuer} revoked nothing`, error);
  }
}

/** A random value for a state or a PKCE verifier. */
export const unguessable = (): string => oauth.generateRandomCodeVerifier();
