/** Tokens of servers that nobody consents to in a browser: asked for once, held by this process, renewed before they end. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '#base/clock.ts';
import { AppError } from '#base/errors.ts';
import { unionOfScopes, wantsMoreScope, type Challenge } from '#mcp/oauth/challenge.ts';
import { discoverProtection, type Protection } from '#mcp/oauth/discover.ts';
import type { OAuthFetch } from '#mcp/oauth/http.ts';
import { machineToken } from '#mcp/oauth/machine-token.ts';
import type { Credentials } from '#mcp/transport.ts';
import type { McpServer, RegisteredClient } from '../registry/servers/server.ts';
import { keptFor } from './token-life.ts';

export interface AskedTokensDeps {
  readonly clock: Clock;
  readonly fetch: OAuthFetch;
}

/** What a token is asked for, and with what. */
export interface TokenAsk {
  readonly server: McpServer;
  readonly client: RegisteredClient;
  /** Whom the token is for, if not for all callers of the server. */
  readonly holder?: string;
  /** The assertion that is shown for the token (RFC 7523); if omitted, the client's credentials are (RFC 6749). */
  readonly assertionFor?: (wanted: WantedToken) => Promise<string>;
}

export interface WantedToken {
  readonly issuer: string;
  readonly resource: string;
  /** Empty: the authorization server chooses. */
  readonly scope: string;
}

interface Held {
  readonly token: Promise<string>;
  readonly protection: Promise<Protection>;
  readonly scope: string;
  /** Until when the token is used, or its refusal told. */
  untilMs: number;
  isRefused: boolean;
}

const maxTokens = 10_000;
/** Who was refused is not asked again with each call. */
const refusedMs = 10_000;

const bearer = (token: string) => `Bearer ${token}`;

/** Another version of the server may have another address or client. */
const nameOf = ({ server, holder = '' }: TokenAsk) =>
  `${server.serverId}\n${server.updatedAt.getTime()}\n${holder}`;

/** Each process asks for tokens of its own. */
export class AskedTokens {
  readonly #deps: AskedTokensDeps;
  readonly #held = new LRUCache<string, Held>({ max: maxTokens });

  constructor(deps: AskedTokensDeps) {
    this.#deps = deps;
  }

  credentials(ask: TokenAsk): Credentials {
    const name = nameOf(ask);
    return {
      headers: async (): Promise<Readonly<Record<string, string>>> => {
        const held = this.#find(name);
        // The first request is sent without a token: the challenge says where one is to be had.
        if (held === undefined) return {};
        if (this.#deps.clock.now() < held.untilMs) return { authorization: bearer(await held.token) };
        const next = this.#ask(ask, held.protection, held.scope);
        return { authorization: bearer(await next.token) };
      },
      refused: async (challenge, sent, isLast) => {
        const wantsMore = wantsMoreScope(challenge);
        if ((challenge.status !== 401 && !wantsMore) || isLast) return false;
        const held = this.#find(name);
        const isFresh =
          held !== undefined && !wantsMore && (await isOther(held.token, sent['authorization']));
        if (!isFresh) await this.#askAfter(challenge, ask, held).token;
        return true;
      },
    };
  }

  /** What is known, but for a refusal of some time ago: the authorization server may have changed its mind, or its place. */
  #find(name: string): Held | undefined {
    const held = this.#held.get(name);
    return held?.isRefused === true && this.#deps.clock.now() >= held.untilMs ? undefined : held;
  }

  #askAfter(challenge: Challenge, ask: TokenAsk, held: Held | undefined): Held {
    const protection = discoverProtection(this.#deps.fetch, ask.server.connectionUrl ?? '', challenge, {
      preferredIssuer: ask.client.issuer ?? undefined,
      usesConsent: false,
    });
    return this.#ask(ask, protection, unionOfScopes(held?.scope, challenge.scope));
  }

  #ask(ask: TokenAsk, protection: Promise<Protection>, scope: string): Held {
    const { clock } = this.#deps;
    const asked = protection.then((found) => this.#request(ask, found, scope));
    const made: Held = {
      token: asked.then(({ accessToken }) => accessToken),
      protection,
      scope,
      untilMs: Infinity,
      isRefused: false,
    };
    this.#held.set(nameOf(ask), made);
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

  async #request(
    { client, assertionFor }: TokenAsk,
    { authorizationServer, resource, scopesSupported }: Protection,
    known: string,
  ) {
    const scope = known === '' ? (scopesSupported?.join(' ') ?? '') : known;
    const { issuer } = authorizationServer;
    return machineToken(this.#deps.fetch, {
      server: authorizationServer,
      client: {
        clientId: client.clientId,
        clientSecret: client.clientSecret ?? undefined,
        privateKey: client.privateKey ?? undefined,
      },
      assertion: await assertionFor?.({ issuer, resource, scope }),
      resource,
      scope,
    });
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
