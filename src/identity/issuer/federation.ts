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

/** Undefined if no issuer, or no client id of ours at it, is configured. */
export function createFederation({ clock, config, users }: FederationParts): Federation | undefined {
  const { issuer, clientId } = config;
  return issuer === undefined || clientId === undefined
    ? undefined
    : new IssuerFederation({ clock, config, users }, new URL(issuer), clientId);
}

class IssuerFederation implements Federation {
  readonly #clock: Clock;
  readonly #config: PlatformConfig['oidc'];
  readonly #users: IssuerUsers;
  readonly #issuer: URL;
  readonly #clientId: string;
  readonly #authenticate: oauth.ClientAuth;
  #discovered: { server: oauth.AuthorizationServer; atMs: number } | undefined;

  constructor({ clock, config, users }: FederationParts, issuer: URL, clientId: string) {
    this.#clock = clock;
    this.#config = config;
    this.#users = users;
    this.#issuer = issuer;
    this.#clientId = clientId;
    this.#authenticate =
      config.clientSecret === undefined
        ? oauth.None()
        : oauth.ClientSecretBasic(config.clientSecret.reveal());
  }

  get host(): string {
    return this.#issuer.host;
  }

  async begin(redirectUri: string): Promise<{ url: string; ticket: FederationTicket }> {
    const server = await this.#discover().catch((error: unknown) => {
      throw failed(error);
    });
    if (server.authorization_endpoint === undefined)
      throw failed(new Error(`${this.#issuer.href} names no authorization_endpoint`));
    const ticket: FederationTicket = {
      state: oauth.generateRandomState(),
      nonce: oauth.generateRandomNonce(),
      codeVerifier: oauth.generateRandomCodeVerifier(),
    };
    const url = new URL(server.authorization_endpoint);
    const sent = {
      response_type: 'code',
      client_id: this.#clientId,
      redirect_uri: redirectUri,
      scope: this.#config.scopes,
      state: ticket.state,
      nonce: ticket.nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(ticket.codeVerifier),
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(sent)) url.searchParams.set(name, value);
    return { url: url.href, ticket };
  }

  async finish(
    parameters: URLSearchParams,
    ticket: FederationTicket,
    redirectUri: string,
  ): Promise<{ userId: string; tenantId: string }> {
    const claims = await this.#redeem(parameters, ticket, redirectUri).catch((error: unknown) => {
      throw error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError
        ? unauthorized('invalid_token', 'The OpenID Connect issuer rejected the sign-in. Try again.', error)
        : failed(error);
    });
    return this.#users(readClaims(claims, this.#config));
  }

  #options() {
    return {
      signal: AbortSignal.timeout(timeoutMs),
      // An http: issuer is the operator's choice, for a trusted network; the start logs a warning.
      [oauth.allowInsecureRequests]: this.#issuer.protocol === 'http:',
    };
  }

  async #discover(): Promise<oauth.AuthorizationServer> {
    const found = this.#discovered;
    if (found !== undefined && this.#clock.now() - found.atMs < freshMs) return found.server;
    const response = await oauth.discoveryRequest(this.#issuer, this.#options());
    const server = await oauth.processDiscoveryResponse(this.#issuer, response);
    this.#discovered = { server, atMs: this.#clock.now() };
    return server;
  }

  /** The issuer may sign with any algorithm that is accepted for its bearer tokens. */
  #clientAt(server: oauth.AuthorizationServer): oauth.Client {
    const offered = server.id_token_signing_alg_values_supported ?? ['RS256'];
    const algorithm = issuerAlgorithms.find((each) => offered.includes(each)) ?? 'RS256';
    return {
      client_id: this.#clientId,
      id_token_signed_response_alg: algorithm,
      [oauth.clockTolerance]: 5,
    };
  }

  async #redeem(
    parameters: URLSearchParams,
    { state, nonce, codeVerifier }: FederationTicket,
    redirectUri: string,
  ): Promise<oauth.IDToken> {
    const server = await this.#discover();
    const client = this.#clientAt(server);
    const checked = oauth.validateAuthResponse(server, client, parameters, state);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      this.#authenticate,
      checked,
      redirectUri,
      codeVerifier,
      this.#options(),
    );
    const result = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(server, response, this.#options());
    const claims = oauth.getValidatedIdTokenClaims(result);
    if (claims === undefined) throw new Error('The issuer answered without an ID token.');
    return claims;
  }
}
