/** Starts consent at authorization servers: which scopes to request, and with which client registration. */
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { AppError, conflict } from '#base/errors.ts';
import type { Outbound } from '#base/net/outbound.ts';
import type { Vault } from '#base/secrets/vault.ts';
import type { Caller } from '#identity/caller.ts';
import { readChallenge, unionOfScopes, type Challenge } from '#mcp/oauth/challenge.ts';
import {
  consentUrl,
  registerClient,
  unguessable,
  type AuthorizationServer,
  type OAuthClient,
} from '#mcp/oauth/client.ts';
import { discoverProtection, type Protection } from '#mcp/oauth/discover.ts';
import type { OAuthFetch } from '#mcp/oauth/http.ts';
import { legacyVersion } from '#mcp/protocol.ts';
import { signsInItself, type McpServer } from '../registry/servers/server.ts';
import { holderFor, type Grant } from './grant.ts';
import { findClient, saveClient } from './client-store.ts';
import { findBegunConsent, insertConsent, type Consent, type ConsentSecrets } from './consent-store.ts';
import { findGrant } from './store.ts';

export interface ConsentRequestsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly outbound: Outbound;
  readonly fetch: OAuthFetch;
  /** Redirect URI for all consents. */
  readonly redirectUri: () => string;
  /** URL of our client metadata document, if authorization servers can fetch it. */
  readonly metadataUrl: () => string | undefined;
}

const patienceMs = 10 * 60_000;
/** Remaining lifetime below which a started consent is not offered again. */
const leastLeftMs = 2 * 60_000;
const probeTimeoutMs = 10_000;
/** Delay before a failed attempt is repeated when the server is viewed again. */
const failureMs = 30_000;
const maxBeginning = 1000;

export class ConsentRequests {
  readonly #deps: ConsentRequestsDeps;
  readonly #beginning = new Map<string, { consent: Promise<Consent>; untilMs: number }>();

  constructor(deps: ConsentRequestsDeps) {
    this.#deps = deps;
  }

  /** The consent that the caller has started, while it is valid; else starts one, once for concurrent requests. */
  beginOrTakeUp(caller: Caller, server: McpServer): Promise<Consent> {
    const { clock } = this.#deps;
    const name = `${server.serverId}\n${server.updatedAt.getTime()}\n${caller.userId}`;
    const known = this.#beginning.get(name);
    if (known !== undefined && clock.now() < known.untilMs) return known.consent;
    if (this.#beginning.size > maxBeginning) this.#beginning.clear();
    const consent = this.#beginUnlessBegun(caller, server);
    this.#beginning.set(name, { consent, untilMs: clock.now() + failureMs });
    consent.then(
      () => this.#beginning.delete(name),
      () => undefined,
    );
    return consent;
  }

  /** Starts a new consent. Throws AppError 409, 422, 502, 504. */
  async begin(caller: Caller, server: McpServer): Promise<Consent> {
    const { db, vault, fetch, clock } = this.#deps;
    requireOAuth(server);
    const holder = holderFor(server, caller.userId);
    const grant = await findGrant(db, vault, { serverId: server.serverId, holder });
    const challenge = await this.#challengeOf(server, grant);
    const connectionUrl = server.connectionUrl ?? '';
    const preferred = server.oauthClient?.issuer ?? undefined;
    const found = await discoverProtection(fetch, connectionUrl, challenge, {
      preferredIssuer: preferred,
      usesConsent: true,
    });
    const request = {
      server: found.authorizationServer,
      client: await this.#clientFor(server, found.authorizationServer),
      redirectUri: this.#deps.redirectUri(),
      resource: found.resource,
      scope: scopeFor(grant, challenge?.scope, found),
      holder,
      state: unguessable(),
      verifier: unguessable(),
    };
    const secrets: ConsentSecrets = { ...request, url: await consentUrl(request), connectionUrl };
    const consent: Consent = {
      tenantId: server.tenantId,
      tenantName: caller.tenantName,
      serverId: server.serverId,
      userId: caller.userId,
      username: caller.username,
      expiresAt: new Date(clock.now() + patienceMs),
      secrets,
    };
    await insertConsent(db, vault, consent, this.#now());
    return consent;
  }

  async #beginUnlessBegun(caller: Caller, server: McpServer): Promise<Consent> {
    const { clock, db, vault } = this.#deps;
    const usable = new Date(clock.now() + leastLeftMs);
    const begun = await findBegunConsent(db, vault, server.serverId, caller.userId, usable);
    const isSame =
      begun?.secrets.connectionUrl === server.connectionUrl &&
      begun.secrets.holder === holderFor(server, caller.userId);
    return isSame ? begun : this.begin(caller, server);
  }

  /**
   * Sends a request without a token to get the server's challenge. Discovery continues if the server does not refuse
   * it.
   */
  async #probe(server: McpServer): Promise<Challenge | undefined> {
    const params = {
      protocolVersion: legacyVersion,
      capabilities: {},
      clientInfo: { name: 'bulwark', version: '1' },
    };
    const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
    const isSse = server.transport === 'sse';
    const { status, headers, body } = await this.#deps.outbound.request(server.connectionUrl ?? '', {
      method: isSse ? 'GET' : 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        ...(!isSse && { 'content-type': 'application/json' }),
      },
      ...(!isSse && { body: JSON.stringify(message) }),
      headTimeoutMs: probeTimeoutMs,
    });
    body.destroy();
    return status === 401 ? readChallenge(status, headers['www-authenticate']) : undefined;
  }

  #challengeOf(server: McpServer, grant: Grant | undefined): Promise<Challenge | undefined> {
    const scope = grant?.wantedScope ?? undefined;
    const resourceMetadata = grant?.resourceMetadata ?? undefined;
    return scope === undefined && resourceMetadata === undefined
      ? this.#probe(server)
      : Promise.resolve({ status: 401, isBearer: true, error: undefined, scope, resourceMetadata });
  }

  /** Chooses the client registration: manual, metadata document, or dynamic; never one made for another issuer. */
  async #clientFor(server: McpServer, at: AuthorizationServer): Promise<OAuthClient> {
    const { db, vault, clock, fetch } = this.#deps;
    const { oauthClient: own, tenantId } = server;
    if (own !== null)
      return { clientId: own.clientId, ...(own.clientSecret !== null && { clientSecret: own.clientSecret }) };
    const metadataUrl = this.#deps.metadataUrl();
    if (at['client_id_metadata_document_supported'] === true && metadataUrl !== undefined)
      return { clientId: metadataUrl, authMethod: 'none' };
    const redirectUri = this.#deps.redirectUri();
    const known = await findClient(db, vault, tenantId, at.issuer, redirectUri);
    if (known !== undefined && (known.secretExpiresAt ?? Infinity) * 1000 > clock.now()) return known;
    if (at.registration_endpoint === undefined)
      throw new AppError(
        502,
        'authorization_failed',
        `The authorization server ${at.issuer} registers no clients by itself: register the gateway there with the redirect URI ${redirectUri}, and set 'oauth_client' of the server.`,
      );
    const made = await registerClient(fetch, at, redirectUri);
    await saveClient(db, vault, { tenantId, issuer: at.issuer, redirectUri }, made, this.#now());
    return made;
  }

  #now() {
    return new Date(this.#deps.clock.now());
  }
}

/** Scopes to request: those in the challenge, else all that the server names, plus those granted before. */
const scopeFor = (grant: Grant | undefined, wanted: string | undefined, found: Protection): string => {
  const named = wanted ?? found.scopesSupported?.join(' ');
  const offered = found.authorizationServer.scopes_supported ?? [];
  const before = grant?.secrets ? grant.scope : undefined;
  const lasting = offered.includes('offline_access') ? 'offline_access' : undefined;
  const asked = unionOfScopes(before, named);
  return asked === '' && lasting !== undefined ? '' : unionOfScopes(asked, lasting);
};

const requireOAuth = (server: McpServer) => {
  if (server.authType !== 'oauth')
    throw conflict(`The server ${server.name} requires no sign-in: its 'auth_type' is none.`);
  if (signsInItself(server))
    throw conflict(
      `Nobody signs in at the server ${server.name}: the gateway does so itself, by 'oauth_client.grant'.`,
    );
};
