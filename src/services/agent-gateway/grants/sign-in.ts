/**
 * Consent of users to the gateway's access to a server: started here, given at the authorization server, completed
 * here.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { conflict, invalid, notFound } from '#base/errors.ts';
import type { Asking } from '#identity/audit/audit.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import { mayChange, viewerOf } from '#identity/sharing.ts';
import { redeem, revoke } from '#mcp/oauth/client.ts';
import { oauthErrorOf } from '#mcp/oauth/errors.ts';
import { auditedAtServer } from '../registry/servers/audited.ts';
import type { McpServer } from '../registry/servers/server.ts';
import type { Servers } from '../registry/servers/servers.ts';
import { findServer } from '../registry/servers/store.ts';
import { ConsentRequests, type ConsentRequestsDeps } from './consent-requests.ts';
import { blankGrant, holderFor, isForAll, renewed, serversOwn, statusOf, type Grant } from './grant.ts';
import { deleteClient } from './client-store.ts';
import * as consents from './consent-store.ts';
import * as store from './store.ts';

export interface SignInDeps extends ConsentRequestsDeps {
  readonly servers: Servers;
  readonly identity: Pick<Identity, 'person' | 'audit'>;
  /** Reconnects the user's connections to the server, in every process. */
  readonly userGrantChanged: (serverId: string, userId: string) => Promise<void>;
}

const lookAgainMs = 250;

export class SignIn {
  readonly #deps: SignInDeps;
  readonly #requests: ConsentRequests;

  constructor(deps: SignInDeps) {
    this.#deps = deps;
    this.#requests = new ConsentRequests(deps);
  }

  /** Starts a new consent. Throws AppError 404 and 403 like the server operations, 409, 422, 502, 504. */
  async begin(caller: Caller, serverId: string): Promise<consents.Consent> {
    return this.#requests.begin(caller, await this.#getFor(caller, serverId));
  }

  /** The caller's consent in progress, while it is valid; else starts one, once for concurrent requests. */
  beginOrTakeUp(caller: Caller, server: McpServer): Promise<consents.Consent> {
    return this.#requests.beginOrTakeUp(caller, server);
  }

  /** What the user is about to confirm. Throws AppError 422 or 409. */
  async preview(state: string): Promise<{ consent: consents.Consent; server: McpServer }> {
    const { db, vault } = this.#deps;
    const consent = await consents.findConsent(db, vault, state, this.#now());
    if (consent === undefined) throw lost();
    return { consent, server: await this.#serverOf(consent) };
  }

  /** @param answer the authorization response. Throws AppError 422, 409, 502, 504. */
  async finish(
    answer: URLSearchParams,
    request: Asking['request'],
  ): Promise<{ server: McpServer; consent: consents.Consent }> {
    const { db, vault } = this.#deps;
    const consent = await consents.takeConsent(db, vault, answer.get('state') ?? '', this.#now());
    if (consent === undefined) throw lost();
    const server = await this.#serverOf(consent);
    await this.#changed(await this.#save(server, consent, { answer, request }));
    return { server, consent };
  }

  /** The user or the authorization server refused. */
  async abandon(state: string): Promise<void> {
    const { db, vault } = this.#deps;
    await consents.takeConsent(db, vault, state, this.#now());
  }

  /** Revokes the caller's own grant, or the grant shared by all callers. */
  async disconnect(asking: Asking, serverId: string): Promise<McpServer> {
    const { caller } = asking;
    const server = await this.#getFor(caller, serverId);
    await this.#end(asking, server, holderFor(server, caller.userId));
    return server;
  }

  /** Revokes one user's grant; allowed for that user and for managers of the server. Throws AppError 404 and 403. */
  async disconnectUser(asking: Asking, serverId: string, userId: string): Promise<McpServer> {
    const { caller } = asking;
    const { servers, db, vault } = this.#deps;
    const server = await (caller.userId === userId
      ? servers.getUsable(caller, serverId)
      : servers.getOwn(caller, serverId));
    if (
      userId === serversOwn ||
      (await store.findGrant(db, vault, { serverId, holder: userId })) === undefined
    )
      throw notFound('The authorization');
    await this.#end(asking, server, userId);
    return server;
  }

  /** Users who have grants. */
  holders(): Promise<string[]> {
    return store.listHolders(this.#deps.db);
  }

  /** Deletes all grants of a deleted user. */
  async forgetUser(userId: string): Promise<void> {
    const { db, vault } = this.#deps;
    const grants = await store.takeUserGrants(db, vault, userId);
    for (const { serverId } of grants) await this.#deps.userGrantChanged(serverId, userId);
    await Promise.all(grants.map((grant) => this.#giveBack(grant)));
  }

  mayConsent(caller: Caller, server: McpServer): boolean {
    return !isForAll(server) || mayChange(viewerOf(caller), server);
  }

  /** The grant used for the caller's calls. */
  grantFor(caller: Caller, server: McpServer): Promise<Grant | undefined> {
    const { db, vault } = this.#deps;
    return store.findGrant(db, vault, {
      serverId: server.serverId,
      holder: holderFor(server, caller.userId),
    });
  }

  /** Resolves to true as soon as the caller has consented, to false after the timeout. */
  async waitFor(caller: Caller, server: McpServer, until: AbortSignal): Promise<boolean> {
    const { db, vault } = this.#deps;
    const key = { serverId: server.serverId, holder: holderFor(server, caller.userId) };
    while (!until.aborted) {
      if (statusOf(await store.findGrant(db, vault, key)) === 'authorized') return true;
      await sleep(lookAgainMs, undefined, { signal: until }).catch(() => undefined);
    }
    return false;
  }

  /** Grants of users: all of them for managers of the server, else only the caller's. */
  async listOfUsers(caller: Caller, serverId: string, page: { limit: number; offset: number }) {
    const { servers, db, vault } = this.#deps;
    const server = await servers.getUsable(caller, serverId);
    const userId = mayChange(viewerOf(caller), server) ? undefined : caller.userId;
    return store.listUserGrants(db, vault, serverId, { ...page, userId });
  }

  #now() {
    return new Date(this.#deps.clock.now());
  }

  /** The server, if the caller may consent to its use: for themselves, or for all callers. */
  async #getFor(caller: Caller, serverId: string): Promise<McpServer> {
    const { servers } = this.#deps;
    const server = await servers.getUsable(caller, serverId);
    return isForAll(server) ? servers.getOwn(caller, serverId) : server;
  }

  #changed({ serverId, holder }: store.GrantKey): Promise<void> {
    return holder === serversOwn
      ? this.#deps.servers.reconnect(serverId)
      : this.#deps.userGrantChanged(serverId, holder);
  }

  async #giveBack({ secrets }: Grant): Promise<void> {
    // Revocation at the authorization server is best effort: an unreachable server must not keep the grant alive here.
    if (secrets !== null)
      await revoke(this.#deps.fetch, secrets, secrets.refreshToken ?? secrets.accessToken).catch(
        () => undefined,
      );
  }

  async #end(asking: Asking, server: McpServer, holder: string): Promise<void> {
    const { db, vault, identity } = this.#deps;
    const { serverId } = server;
    const key = { serverId, holder };
    const grant = await db.transaction(async (tx) => {
      const found = await store.findGrant(tx, vault, key);
      await store.deleteGrant(tx, key);
      await consents.deleteConsents(tx, serverId, holder === serversOwn ? undefined : holder);
      const ended = { before: found && auditedFields(found), more: ofUser(holder) };
      await identity.audit(auditedAtServer('mcp_server_disconnected', asking, server, ended), tx);
      return found;
    });
    await this.#changed(key);
    if (grant !== undefined) await this.#giveBack(grant);
  }

  /** The server of the consent, if it has not changed since. */
  async #serverOf({ tenantId, serverId, userId, secrets }: consents.Consent): Promise<McpServer> {
    const { db, vault } = this.#deps;
    if ((await this.#deps.identity.person(userId))?.tenantId !== tenantId) throw ended();
    const server = await findServer(db, vault, tenantId, serverId);
    if (
      server?.authType !== 'oauth' ||
      server.connectionUrl !== secrets.connectionUrl ||
      holderFor(server, userId) !== secrets.holder
    )
      throw conflict('The MCP server was changed or deleted in the meantime. Begin again.');
    return server;
  }

  async #save(
    server: McpServer,
    { userId, tenantId, secrets }: consents.Consent,
    { answer, request }: { readonly answer: URLSearchParams; readonly request: Asking['request'] },
  ): Promise<Grant> {
    const { fetch, db, clock, vault, identity } = this.#deps;
    const tokens = await redeem(fetch, secrets, answer).catch(async (error: unknown) => {
      // The authorization server does not know our registration any more: the next attempt registers again.
      if (oauthErrorOf(error) === 'invalid_client')
        await deleteClient(db, server.tenantId, secrets.server.issuer);
      throw error;
    });
    const blank: Grant = {
      ...blankGrant(server.serverId, secrets.holder, secrets.connectionUrl),
      issuer: secrets.server.issuer,
      scope: secrets.scope,
      grantedBy: userId,
      grantedAt: this.#now(),
    };
    const { server: at, client, resource } = secrets;
    const first = { accessToken: tokens.accessToken, refreshToken: undefined, server: at, client, resource };
    const grant = renewed(blank, first, tokens, clock.now());
    const person = await identity.person(userId);
    if (person?.tenantId !== tenantId) throw ended();
    const asking = { caller: { ...person, via: 'jwt' as const }, request };
    await db.transaction(async (tx) => {
      const before = await store.findGrant(tx, vault, grant);
      await store.saveGrant(tx, vault, grant);
      const made = {
        before: before && auditedFields(before),
        after: auditedFields(grant),
        more: ofUser(grant.holder),
      };
      await identity.audit(auditedAtServer('mcp_server_connected', asking, server, made), tx);
    });
    return grant;
  }
}

const ended = () => conflict('The user who began this was deleted or disabled.');

/** Never its tokens. */
const auditedFields = ({ issuer, scope, grantedBy, needsConsent }: Grant) => ({
  authorization: needsConsent ? 'needs consent' : 'authorized',
  issuer,
  scope,
  grantedBy,
});

/** Whose it is; that of the server itself is everybody's. */
const ofUser = (holder: string) => (holder === serversOwn ? {} : { of_user: holder });

const lost = () =>
  invalid('This sign-in is unknown, was finished already, or took too long. Begin again at the gateway.');
