/** Signing in at the OpenID Connect issuer with the authorization code flow, for a page of ours. */
import * as oauth from 'oauth4webapi';
import type { Clock } from '#base/clock.ts';
import type { PlatformConfig } from '#base/config/platform.ts';
import { AppError } from '#base/errors.ts';
import { unauthorized } from '../challenges.ts';
import { readClaims } from './claims.ts';
import type { IssuerUsers } from './issuer-users.ts';
import { issuerAlgorithms } from './oidc.ts';

/** State to keep secretly for this browser until the user returns. */
export interface FederationTicket {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

export interface Federation {
  /** The issuer's host, for display. */
  readonly host: string;
  /** Where to redirect the user. Throws AppError 502 if the issuer does not respond correctly. */
  begin(redirectUri: string): Promise<{ url: string; ticket: FederationTicket }>;
  /**
   * Completes the sign-in with the returned parameters.
   * @throws AppError 401 where the issuer refused, 403 for a person who has no place here, 502 as {@link Federation.begin}.
   */
  finish(
    parameters: URLSearchParams,
    ticket: FederationTicket,
    redirectUri: string,
  ): Promise<{ userId: string; tenantId: string }>;
}

export interface FederationParts {
  clock: Clock;
  config: PlatformConfig['oidc'];
  users: IssuerUsers;
}

const timeoutMs = 10_000;
const freshMs = 10 * 60 * 1000;

const failed = (cause: unknown) =>
  new AppError(
    502,
    'issuer_failed',
    'The OpenID Connect issuer did not respond correctly. Details are in the log; try again shortly.',
    { cause },
  );

/** Undefined where no issuer, or no client of ours at it, is configured. */
export function createFederation({ clock, config, users }: FederationParts): Federation | undefined {
  const { issuer, clientId, clientSecret, scopes } = config;
  if (issuer === undefined || clientId === undefined) return undefined;
  const issuerUrl = new URL(issuer);
  // An operator's choice, told of at the start: the issuer stands in a network that is trusted.
  const options = () => ({
    signal: AbortSignal.timeout(timeoutMs),
    [oauth.allowInsecureRequests]: issuerUrl.protocol === 'http:',
  });
  const authenticate =
    clientSecret === undefined ? oauth.None() : oauth.ClientSecretBasic(clientSecret.reveal());
  let known: { server: oauth.AuthorizationServer; atMs: number } | undefined;

  const discover = async (): Promise<oauth.AuthorizationServer> => {
    if (known !== undefined && clock.now() - known.atMs < freshMs) return known.server;
    const response = await oauth.discoveryRequest(issuerUrl, options());
    const server = await oauth.processDiscoveryResponse(issuerUrl, response);
    known = { server, atMs: clock.now() };
    return server;
  };

  /** The issuer may sign with any algorithm that its bearer tokens may have. */
  const clientAt = (server: oauth.AuthorizationServer): oauth.Client => {
    const offered = server.id_token_signing_alg_values_supported ?? ['RS256'];
    const algorithm = issuerAlgorithms.find((each) => offered.includes(each)) ?? 'RS256';
    return { client_id: clientId, id_token_signed_response_alg: algorithm, [oauth.clockTolerance]: 5 };
  };

  return {
    host: issuerUrl.host,
    async begin(redirectUri) {
      const server = await discover().catch((error: unknown) => {
        throw failed(error);
      });
      if (server.authorization_endpoint === undefined)
        throw failed(new Error(`${issuer} names no authorization_endpoint`));
      const ticket: FederationTicket = {
        state: oauth.generateRandomState(),
        nonce: oauth.generateRandomNonce(),
        codeVerifier: oauth.generateRandomCodeVerifier(),
      };
      const url = new URL(server.authorization_endpoint);
      const sent = {
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: scopes,
        state: ticket.state,
        nonce: ticket.nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(ticket.codeVerifier),
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(sent)) url.searchParams.set(name, value);
      return { url: url.href, ticket };
    },
    async finish(parameters, ticket, redirectUri) {
      const claims = await redeem(parameters, ticket, redirectUri).catch((error: unknown) => {
        throw error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError
          ? unauthorized('invalid_token', 'The OpenID Connect issuer rejected the sign-in. Try again.', error)
          : failed(error);
      });
      return users(readClaims(claims, config));
    },
  };

  async function redeem(
    parameters: URLSearchParams,
    { state, nonce, codeVerifier }: FederationTicket,
    redirectUri: string,
  ): Promise<oauth.IDToken> {
    const server = await discover();
    const client = clientAt(server);
    const checked = oauth.validateAuthResponse(server, client, parameters, state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authenticate,
      checked,
      redirectUri,
      codeVerifier,
      options(),
    );
    const result = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(server, response, options());
    const claims = oauth.getValidatedIdTokenClaims(result);
    if (claims === undefined) throw new Error('The issuer answered without an ID token.');
    return claims;
  }
}
