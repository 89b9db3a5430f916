/** A person's consent to the gateway's using a server: begun here, given at the authorization server, finished here. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { AppError, conflict, invalid, notFound } from '#base/errors.ts';
import type { Outbound } from '#base/net/outbound.ts';
import type { Vault } from '#base/secrets/vault.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import { readChallenge, unionOfScopes, type Challenge } from '#mcp/oauth/challenge.ts';
import {
  consentUrl,
  redeem,
  registerClient,
  revoke,
  unguessable,
  type AuthorizationServer,
  type OAuthClient,
} from '#mcp/oauth/client.ts';
import { discoverProtection, type Protection } from '#mcp/oauth/discover.ts';
import { oauthErrorOf } from '#mcp/oauth/errors.ts';
import type { OAuthFetch } from '#mcp/oauth/http.ts';
import { legacyVersion } from '#mcp/protocol.ts';
import { mayChange, viewerOf } from '#identity/sharing.ts';
import type { McpServer } from '../registry/servers/server.ts';
import type { Servers } from '../registry/servers/servers.ts';
import { findServer } from '../registry/servers/store.ts';
import { blankGrant, renewed, serversOwn, statusOf, type Grant, type Holder } from './grant.ts';
import * as clients from './client-store.ts';
import * as consents from './consent-store.ts';
import type { Consent, ConsentSecrets } from './consent-store.ts';
import * as store from './store.ts';

export interface SignInDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly vault: Vault;
  readonly servers: Servers;
  readonly identity: Pick<Identity, 'person'>;
  readonly outbound: Outbound;
  readonly fetch: OAuthFetch;
  /** Connections of the user to the server are made anew, in every process. */
  readonly userGrantChanged: (serverId: string, userId: string) => Promise<void>;
  /** Where people come back to. */
  readonly redirectUri: () => string;
  /** The address of our client metadata document, where authorization servers can fetch it. */
  readonly metadataUrl: () => string | undefined;
}

export type SignIn = ReturnType<typeof createSignIn>;

const patienceMs = 10 * 60_000;
/** One that ends soon is no use to somebody who has yet to open it. */
const leastLeftMs = 2 * 60_000;
const probeTimeoutMs = 10_000;
/** What failed is not tried again at each look at the server. */
const failureMs = 30_000;
const maxBeginning = 1000;
const lookAgainMs = 250;

export function createSignIn(deps: SignInDeps) {
  const { db, clock, vault, servers, outbound, fetch } = deps;
  const now = () => new Date(clock.now());

  /** Asks without a token, for what the refusal says. A server that refuses nothing at first is looked up all the same. */
  const probe = async (server: McpServer): Promise<Challenge | undefined> => {
    const params = {
      protocolVersion: legacyVersion,
      capabilities: {},
      clientInfo: { name: 'bulwark', version: '1' },
    };
    const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params };
    const isSse = server.transport === 'sse';
    const { status, headers, body } = await outbound.request(server.connectionUrl ?? '', {
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
  };

  const challengeOf = (server: McpServer, grant: Grant | undefined): Promise<Challenge | undefined> => {
    const scope = grant?.wantedScope ?? undefined;
    const resourceMetadata = grant?.resourceMetadata ?? undefined;
    return scope === undefined && resourceMetadata === undefined
      ? probe(server)
      : Promise.resolve({ status: 401, error: undefined, scope, resourceMetadata });
  };

  /** As whom we come: registered by a person, by a document that they fetch, or by ourselves; never as at another issuer. */
  const clientFor = async (server: McpServer, at: AuthorizationServer): Promise<OAuthClient> => {
    const { oauthClient: own, tenantId } = server;
    if (own !== null)
      return { clientId: own.clientId, ...(own.clientSecret !== null && { clientSecret: own.clientSecret }) };
    const metadataUrl = deps.metadataUrl();
    if (at['client_id_metadata_document_supported'] === true && metadataUrl !== undefined)
      return { clientId: metadataUrl, authMethod: 'none' };
    const redirectUri = deps.redirectUri();
    const known = await clients.findClient(db, vault, tenantId, at.issuer, redirectUri);
    if (known !== undefined && (known.secretExpiresAt ?? Infinity) * 1000 > clock.now()) return known;
    if (at.registration_endpoint === undefined)
      throw new AppError(
        502,
        'authorization_failed',
        `The authorization server ${at.issuer} registers no clients by itself: register the gateway there with the redirect URI ${redirectUri}, and set 'oauth_client' of the server.`,
      );
    const made = await registerClient(fetch, at, redirectUri);
    await clients.saveClient(db, vault, { tenantId, issuer: at.issuer, redirectUri }, made, now());
    return made;
  };

  /** What to ask for: what the server wants, else all that it names, besides what was granted before. */
  const scopeFor = (grant: Grant | undefined, wanted: string | undefined, found: Protection): string => {
    const named = wanted ?? found.scopesSupported?.join(' ');
    const offered = found.authorizationServer.scopes_supported ?? [];
    const before = grant?.secrets ? grant.scope : undefined;
    const lasting = offered.includes('offline_access') ? 'offline_access' : undefined;
    const asked = unionOfScopes(before, named);
    return asked === '' && lasting !== undefined ? '' : unionOfScopes(asked, lasting);
  };

  /** Whose grant a consent of the user would be. */
  const isForAll = ({ identityScheme }: McpServer) => identityScheme !== 'user_oauth';
  const holderFor = (server: McpServer, userId: string): Holder => (isForAll(server) ? serversOwn : userId);

  /** The server, for those who may consent to its use: for themselves, or for all. */
  const getFor = async (caller: Caller, serverId: string): Promise<McpServer> => {
    const server = await servers.getUsable(caller, serverId);
    return isForAll(server) ? servers.getOwn(caller, serverId) : server;
  };

  const changed = ({ serverId, holder }: store.GrantKey): Promise<void> =>
    holder === serversOwn ? servers.reconnect(serverId) : deps.userGrantChanged(serverId, holder);

  const giveBack = async ({ secrets }: Grant): Promise<void> => {
    // That it is gone here is what counts; a server that is away must not keep it alive.
    if (secrets !== null)
      await revoke(fetch, secrets, secrets.refreshToken ?? secrets.accessToken).catch(() => undefined);
  };

  const requireOAuth = (server: McpServer) => {
    if (server.authType !== 'oauth')
      throw conflict(`The server ${server.name} wants no sign-in: its 'auth_type' is none.`);
  };

  const begin = async (caller: Caller, server: McpServer): Promise<Consent> => {
    requireOAuth(server);
    const holder = holderFor(server, caller.userId);
    const grant = await store.findGrant(db, vault, { serverId: server.serverId, holder });
    const challenge = await challengeOf(server, grant);
    const connectionUrl = server.connectionUrl ?? '';
    const preferred = server.oauthClient?.issuer ?? undefined;
    const found = await discoverProtection(fetch, connectionUrl, challenge, preferred);
    const request = {
      server: found.authorizationServer,
      client: await clientFor(server, found.authorizationServer),
      redirectUri: deps.redirectUri(),
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
    await consents.insertConsent(db, vault, consent, now());
    return consent;
  };

  const end = async (key: store.GrantKey): Promise<void> => {
    const grant = await store.findGrant(db, vault, key);
    await store.deleteGrant(db, key);
    await consents.deleteConsents(db, key.serverId, key.holder === serversOwn ? undefined : key.holder);
    await changed(key);
    if (grant !== undefined) await giveBack(grant);
  };

  const beginning = new Map<string, { consent: Promise<Consent>; untilMs: number }>();

  const beginUnlessBegun = async (caller: Caller, server: McpServer): Promise<Consent> => {
    const usable = new Date(clock.now() + leastLeftMs);
    const begun = await consents.findBegunConsent(db, vault, server.serverId, caller.userId, usable);
    const isSame =
      begun?.secrets.connectionUrl === server.connectionUrl &&
      begun.secrets.holder === holderFor(server, caller.userId);
    return isSame ? begun : begin(caller, server);
  };

  /** The server that the consent is about, should it still be the same. */
  const serverOf = async ({ tenantId, serverId, userId, secrets }: Consent): Promise<McpServer> => {
    if ((await deps.identity.person(userId))?.tenantId !== tenantId)
      throw conflict('The user who began this was deleted or disabled.');
    const server = await findServer(db, vault, tenantId, serverId);
    if (
      server?.authType !== 'oauth' ||
      server.connectionUrl !== secrets.connectionUrl ||
      holderFor(server, userId) !== secrets.holder
    )
      throw conflict('The MCP server was changed or deleted in the meantime. Begin again.');
    return server;
  };

  const lost = () =>
    invalid('This sign-in is unknown, was finished already, or took too long. Begin again at the gateway.');

  const save = async (
    server: McpServer,
    { userId, secrets }: Consent,
    answer: URLSearchParams,
  ): Promise<Grant> => {
    const tokens = await redeem(fetch, secrets, answer).catch(async (error: unknown) => {
      // They do not know us any more: the next attempt registers anew.
      if (oauthErrorOf(error) === 'invalid_client')
        await clients.deleteClient(db, server.tenantId, secrets.server.issuer);
      throw error;
    });
    const blank: Grant = {
      ...blankGrant(server.serverId, secrets.holder, secrets.connectionUrl),
      issuer: secrets.server.issuer,
      scope: secrets.scope,
      grantedBy: userId,
      grantedAt: now(),
    };
    const { server: at, client, resource } = secrets;
    const first = { accessToken: tokens.accessToken, refreshToken: undefined, server: at, client, resource };
    const grant = renewed(blank, first, tokens, clock.now());
    await store.saveGrant(db, vault, grant);
    return grant;
  };

  return {
    /** Begins anew. Throws AppError 404 and 403 as those of servers do, 409, 422, 502, 504. */
    begin: async (caller: Caller, serverId: string): Promise<Consent> =>
      begin(caller, await getFor(caller, serverId)),

    /** What the caller has begun, while it is good for some minutes; else begun now, once for all who look at it. */
    beginOrTakeUp(caller: Caller, server: McpServer): Promise<Consent> {
      const name = `${server.serverId}\n${server.updatedAt.getTime()}\n${caller.userId}`;
      const known = beginning.get(name);
      if (known !== undefined && clock.now() < known.untilMs) return known.consent;
      if (beginning.size > maxBeginning) beginning.clear();
      const consent = beginUnlessBegun(caller, server);
      beginning.set(name, { consent, untilMs: clock.now() + failureMs });
      consent.then(
        () => beginning.delete(name),
        () => undefined,
      );
      return consent;
    },

    /** What the person is about to agree to. Throws AppError 422 or 409. */
    async preview(state: string): Promise<{ consent: Consent; server: McpServer }> {
      const consent = await consents.findConsent(db, vault, state, now());
      if (consent === undefined) throw lost();
      return { consent, server: await serverOf(consent) };
    },

    /** @param answer what the authorization server sent along. Throws AppError 422, 409, 502, 504. */
    async finish(answer: URLSearchParams): Promise<{ server: McpServer; consent: Consent }> {
      const consent = await consents.takeConsent(db, vault, answer.get('state') ?? '', now());
      if (consent === undefined) throw lost();
      const server = await serverOf(consent);
      await changed(await save(server, consent, answer));
      return { server, consent };
    },

    /** The person, or the authorization server, said no. */
    async abandon(state: string): Promise<void> {
      await consents.takeConsent(db, vault, state, now());
    },

    /** Ends what the caller granted for themselves, or what was granted for all. */
    async disconnect(caller: Caller, serverId: string): Promise<McpServer> {
      const server = await getFor(caller, serverId);
      await end({ serverId, holder: holderFor(server, caller.userId) });
      return server;
    },

    /** Ends what one user granted: that user may, and who looks after the server. Throws AppError 404 and 403. */
    async disconnectUser(caller: Caller, serverId: string, userId: string): Promise<McpServer> {
      const server = await (caller.userId === userId ? servers.getUsable : servers.getOwn)(caller, serverId);
      if (
        userId === serversOwn ||
        (await store.findGrant(db, vault, { serverId, holder: userId })) === undefined
      )
        throw notFound('The authorization');
      await end({ serverId, holder: userId });
      return server;
    },

    /** Users who have granted something. */
    holders: (): Promise<string[]> => store.listHolders(db),

    /** A user who is gone leaves no grant behind. */
    async forgetUser(userId: string): Promise<void> {
      const grants = await store.takeUserGrants(db, vault, userId);
      for (const { serverId } of grants) await deps.userGrantChanged(serverId, userId);
      await Promise.all(grants.map(giveBack));
    },

    mayConsent: (caller: Caller, server: McpServer): boolean =>
      !isForAll(server) || mayChange(viewerOf(caller), server),

    /** That of the caller's calls. */
    grantFor: (caller: Caller, server: McpServer): Promise<Grant | undefined> =>
      store.findGrant(db, vault, { serverId: server.serverId, holder: holderFor(server, caller.userId) }),

    /** Whether the caller has consented, as soon as that is so, else when the time is over. */
    async waitFor(caller: Caller, server: McpServer, until: AbortSignal): Promise<boolean> {
      const key = { serverId: server.serverId, holder: holderFor(server, caller.userId) };
      while (!until.aborted) {
        if (statusOf(await store.findGrant(db, vault, key)) === 'authorized') return true;
        await sleep(lookAgainMs, undefined, { signal: until }).catch(() => undefined);
      }
      return false;
    },

    /** Users' own grants: all of them for who looks after the server, else the caller's. */
    async listOfUsers(caller: Caller, serverId: string, page: { limit: number; offset: number }) {
      const server = await servers.getUsable(caller, serverId);
      const userId = mayChange(viewerOf(caller), server) ? undefined : caller.userId;
      return store.listUserGrants(db, vault, serverId, { ...page, userId });
    },
  };
}
