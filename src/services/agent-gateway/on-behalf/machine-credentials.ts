/** Credentials of servers at which the gateway signs in as itself, without a person. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '#base/clock.ts';
import { AppError } from '#base/errors.ts';
import { unionOfScopes, wantsMoreScope, type Challenge } from '#mcp/oauth/challenge.ts';
import { discoverProtection, type Protection } from '#mcp/oauth/discover.ts';
import type { OAuthFetch } from '#mcp/oauth/http.ts';
import { machineToken } from '#mcp/oauth/machine-token.ts';
import type { Credentials } from '#mcp/transport.ts';
import type { Assertions } from '../assertions/assertions.ts';
import { signsInItself, type McpServer, type RegisteredClient } from '../registry/servers/server.ts';
import { keptFor } from './token-life.ts';

export interface MachineCredentialsDeps {
  readonly clock: Clock;
  readonly fetch: OAuthFetch;
  readonly assertions: Pick<Assertions, 'sign'>;
}

interface Held {
  readonly token: Promise<string>;
  readonly protection: Promise<Protection>;
  readonly scope: string;
  /** Until when the token is used, or its refusal told. */
  untilMs: number;
  isRefused: boolean;
}

const maxServers = 10_000;
/** Who was refused is not asked again with each call. */
const refusedMs = 10_000;

const bearer = (token: string) => `Bearer ${token}`;

/** Tokens are held by this process alone: each process signs in itself. */
export class MachineCredentials {
  readonly #deps: MachineCredentialsDeps;
  readonly #held = new LRUCache<string, Held>({ max: maxServers });

  constructor(deps: MachineCredentialsDeps) {
    this.#deps = deps;
  }

  /** Undefined for servers at which a person signs in, or nobody. */
  of(server: McpServer): Credentials | undefined {
    const { oauthClient } = server;
    if (!signsInItself(server) || oauthClient === null) return undefined;
    // Another version of the server may have another address or client.
    const name = `${server.serverId}\n${server.updatedAt.getTime()}`;
    return {
      headers: async (): Promise<Readonly<Record<string, string>>> => {
        const held = this.#find(name);
        // The first request is sent without a token: the challenge says where one is to be had.
        if (held === undefined) return {};
        if (this.#deps.clock.now() < held.untilMs) return { authorization: bearer(await held.token) };
        const next = this.#ask(name, server, oauthClient, held.protection, held.scope);
        return { authorization: bearer(await next.token) };
      },
      refused: async (challenge, sent, isLast) => {
        const wantsMore = wantsMoreScope(challenge);
        if ((challenge.status !== 401 && !wantsMore) || isLast) return false;
        const held = this.#find(name);
        const isFresh =
          held !== undefined && !wantsMore && (await isOther(held.token, sent['authorization']));
        if (!isFresh) await this.#askAfter(challenge, name, server, oauthClient, held).token;
        return true;
      },
    };
  }

  /** What is known, but for a refusal of some time ago: the authorization server may have changed its mind, or its place. */
  #find(name: string): Held | undefined {
    const held = this.#held.get(name);
    return held?.isRefused === true && this.#deps.clock.now() >= held.untilMs ? undefined : held;
  }

  #askAfter(
    challenge: Challenge,
    name: string,
    server: McpServer,
    client: RegisteredClient,
    held: Held | undefined,
  ): Held {
    const { fetch } = this.#deps;
    const protection = discoverProtection(fetch, server.connectionUrl ?? '', challenge, {
      preferredIssuer: client.issuer ?? undefined,
      usesConsent: false,
    });
    return this.#ask(name, server, client, protection, unionOfScopes(held?.scope, challenge.scope));
  }

  #ask(
    name: string,
    server: McpServer,
    client: RegisteredClient,
    protection: Promise<Protection>,
    scope: string,
  ): Held {
    const { clock, fetch } = this.#deps;
    const asked = protection.then(async ({ authorizationServer, resource, scopesSupported }) =>
      machineToken(fetch, {
        server: authorizationServer,
        client: {
          clientId: client.clientId,
          clientSecret: client.clientSecret ?? undefined,
          privateKey: client.privateKey ?? undefined,
        },
        assertion:
          client.grant === 'jwt_bearer'
            ? (client.assertion ?? (await this.#assertionFor(server, authorizationServer.issuer)))
            : undefined,
        resource,
        scope: scope === '' ? (scopesSupported?.join(' ') ?? '') : scope,
      }),
    );
    const made: Held = {
      token: asked.then(({ accessToken }) => accessToken),
      protection,
      scope,
      untilMs: Infinity,
      isRefused: false,
    };
    this.#held.set(name, made);
    // Who waits for the token hears of its refusal.
    made.token.catch(() => undefined);
    asked.then(
      (tokens) => {
        made.untilMs = clock.now() + keptFor(tokens);
      },
      () => {
        made.untilMs = clock.now() + refusedMs;
        made.isRefused = true;
      },
    );
    return made;
  }

  /** The gateway as a workload: the subject is the server's id, so that each can be given rights of its own. */
  #assertionFor({ serverId, tenantId }: McpServer, issuer: string): Promise<string> {
    return this.#deps.assertions.sign({ userId: serverId, username: serverId, tenantId }, issuer);
  }
}

/** Whether a token other than the refused one was got meanwhile. A refusal to give one is thrown on. */
async function isOther(token: Promise<string>, sent: string | undefined): Promise<boolean> {
  try {
    return bearer(await token) !== sent;
  } catch (error) {
    if (error instanceof AppError) throw error;
    return false;
  }
}
