/** Tokens for requests to servers, refreshed when necessary. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { AppError } from '#base/errors.ts';
import type { Vault } from '#base/secrets/vault.ts';
import { wantsMoreScope, type Challenge } from '#mcp/oauth/challenge.ts';
import { refresh } from '#mcp/oauth/client.ts';
import { oauthErrorOf } from '#mcp/oauth/errors.ts';
import type { OAuthFetch } from '#mcp/oauth/http.ts';
import type { Credentials } from '#mcp/transport.ts';
import type { AgentGatewayEvents } from '../events.ts';
import type { McpServer } from '../registry/servers/server.ts';
import {
  blankGrant,
  isStale,
  refusedGrant,
  renewed,
  serversOwn,
  statusOf,
  type Grant,
  type Holder,
} from './grant.ts';
import * as store from './store.ts';

/** The owner and server of a grant. */
interface Target {
  readonly server: McpServer;
  readonly holder: Holder;
}

export interface CredentialsDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly fetch: OAuthFetch;
  readonly events: Pick<AgentGatewayEvents, 'grantLost'>;
}

/** Longer than a token endpoint may take. */
const turnMs = 25_000;
const lookAgainMs = 100;
/** OAuth errors that mean that a refresh token is permanently invalid. */
const lostFor = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client']);

const bearer = (token: string) => `Bearer ${token}`;

/** The error of a call that needs consent first, by its caller or by whoever manages the server. */
export const needsConsentCode = 'needs_authorization';

function needsConsent({ server, holder }: Target, grant: Grant | undefined): AppError {
  if (statusOf(grant) === 'failed')
    return new AppError(
      502,
      'authorization_refused',
      `The MCP server ${server.name} cannot be signed in at. ${grant?.problem ?? ''}`,
    );
  const whom = holder === serversOwn ? 'somebody' : 'you';
  return new AppError(
    502,
    needsConsentCode,
    `The MCP server ${server.name} wants ${whom} to sign in at it: open the authorization_url of GET /api/mcp-servers/${server.serverId} in a browser.`,
  );
}

/** Credentials of one connection. */
export class GrantCredentials {
  readonly #deps: CredentialsDeps;
  readonly #renewing = new Map<string, Promise<Grant | undefined>>();

  constructor(deps: CredentialsDeps) {
    this.#deps = deps;
  }

  /** The grant shared by all callers; undefined for servers without OAuth. */
  ofServer(server: McpServer): Credentials | undefined {
    return server.authType === 'oauth' && server.identityScheme !== 'user_oauth'
      ? this.#credentialsOf({ server, holder: serversOwn })
      : undefined;
  }

  /** The grant of this user. */
  ofUser(server: McpServer, holder: string): Credentials {
    return this.#credentialsOf({ server, holder });
  }

  /** The grant, if it was made for the server's current version. */
  async #find(target: Target): Promise<Grant | undefined> {
    const { db, vault } = this.#deps;
    const grant = await store.findGrant(db, vault, keyOf(target));
    return grant?.connectionUrl === target.server.connectionUrl ? grant : undefined;
  }

  /** The grant with new tokens, or without tokens if the authorization server refuses to refresh them. */
  async #renew(grant: Grant): Promise<Grant> {
    const { fetch, clock, events } = this.#deps;
    const { secrets } = grant;
    if (secrets?.refreshToken === undefined) return { ...grant, needsConsent: true };
    try {
      return renewed(grant, secrets, await refresh(fetch, secrets, secrets.refreshToken), clock.now());
    } catch (error) {
      if (!lostFor.has(oauthErrorOf(error) ?? '')) throw error;
      events.grantLost(grant.serverId, error as Error);
      return { ...grant, secrets: null, needsConsent: true };
    }
  }

  /** Waits for a grant whose token differs from `old`, refreshed by us or by another process. */
  async #renewInTurn(target: Target, old: string): Promise<Grant | undefined> {
    const { clock, db, vault } = this.#deps;
    for (const until = clock.now() + turnMs; ; await sleep(lookAgainMs)) {
      const turn = { now: new Date(clock.now()), until: new Date(clock.now() + turnMs) };
      const ours = await store.takeTurn(db, keyOf(target), turn);
      try {
        // Read again after acquiring the lease: another process may have refreshed the token a moment before.
        const grant = await this.#find(target);
        if (!grant?.secrets || grant.secrets.accessToken !== old) return grant;
        if (ours) {
          const next = await this.#renew(grant);
          // A new consent in the meantime takes precedence.
          return (await store.saveInTurn(db, vault, next, turn.until)) ? next : await this.#find(target);
        }
      } finally {
        if (ours) await store.endTurn(db, keyOf(target), turn.until);
      }
      if (clock.now() > until)
        throw new AppError(504, 'timed_out', `The token for ${target.server.name} was not renewed in time.`);
    }
  }

  /** Concurrent calls with the same expired token share one refresh. */
  #renewOnce(target: Target, old: string): Promise<Grant | undefined> {
    const name = `${target.server.serverId}\n${target.holder}`;
    const known = this.#renewing.get(name);
    if (known !== undefined) return known;
    const started = this.#renewInTurn(target, old).finally(() => this.#renewing.delete(name));
    this.#renewing.set(name, started);
    return started;
  }

  /** A grant with another token than the refused one, if there is one or a refresh returns one. */
  async #otherThan(target: Target, tried: string | undefined): Promise<Grant | undefined> {
    const grant = await this.#find(target);
    const { secrets } = grant ?? {};
    // Another call refreshed the token or the user consented meanwhile; without a token nothing can be refreshed.
    if (!secrets || bearer(secrets.accessToken) !== tried) return grant;
    return secrets.refreshToken === undefined ? grant : this.#renewOnce(target, secrets.accessToken);
  }

  #credentialsOf(target: Target): Credentials {
    const { db, clock } = this.#deps;
    const { server, holder } = target;
    let held: Grant | undefined;

    const noteRefusal = async (challenge: Challenge): Promise<never> => {
      const known =
        (await this.#find(target)) ?? blankGrant(server.serverId, holder, server.connectionUrl ?? '');
      const grant = refusedGrant(known, challenge);
      await store.saveRefusal(db, grant);
      held = undefined;
      throw needsConsent(target, grant);
    };

    return {
      headers: async () => {
        held ??= await this.#find(target);
        if (held?.secrets && isStale(held, clock.now()))
          held = await this.#renewOnce(target, held.secrets.accessToken);
        const secrets = held?.secrets;
        if (secrets) return { authorization: bearer(secrets.accessToken) };
        // The first request without a token gets the server's challenge; afterwards the user is known to lack a grant.
        if (held !== undefined && holder !== serversOwn) {
          const grant = held;
          held = undefined;
          throw needsConsent(target, grant);
        }
        return {};
      },
      refused: async (challenge, sent, isLast) => {
        if (challenge.status === 403) return wantsMoreScope(challenge) ? noteRefusal(challenge) : false;
        if (isLast) return noteRefusal(challenge);
        const tried = sent['authorization'];
        held = await this.#otherThan(target, tried);
        return held?.secrets && bearer(held.secrets.accessToken) !== tried ? true : noteRefusal(challenge);
      },
    };
  }
}

const keyOf = ({ server, holder }: Target) => ({ serverId: server.serverId, holder });
