/** Token exchange (RFC 8693): exchanges an assertion about the caller for a token of the server. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '#base/clock.ts';
import { AppError } from '#base/errors.ts';
import { exchangeToken, type Tokens } from '#mcp/oauth/client.ts';
import type { OAuthFetch } from '#mcp/oauth/http.ts';
import type { Assertions } from '../assertions/assertions.ts';
import type { McpServer } from '../registry/servers/server.ts';
import { keptFor } from './token-life.ts';
import type { Person } from './who.ts';

export interface TokenExchangeDeps {
  readonly clock: Clock;
  readonly fetch: OAuthFetch;
  readonly assertions: Pick<Assertions, 'sign'>;
}

export interface TokenExchange {
  /** Cached until shortly before expiry; concurrent calls share one request. Throws AppError 502 or 504. */
  tokenFor(server: McpServer, person: Person): Promise<string>;
  /** Discards a token that the server refused. */
  refused(server: McpServer, userId: string, token: string): void;
  /** Discards tokens of a user who was changed or deleted. */
  forget(userId: string): void;
}

interface Kept {
  readonly userId: string;
  readonly token: Promise<string>;
  /** Pending requests, and tokens until shortly before expiry. */
  untilMs: number;
}

const remembered = 10_000;
export function createTokenExchange({ clock, fetch, assertions }: TokenExchangeDeps): TokenExchange {
  const tokens = new LRUCache<string, Kept>({ max: remembered });
  // The key contains the server's version, since its URL may have changed.
  const nameOf = ({ serverId, updatedAt }: McpServer, userId: string) =>
    `${serverId}\n${updatedAt.getTime()}\n${userId}`;

  const exchange = async (server: McpServer, person: Person): Promise<Tokens> => {
    const { tokenExchange, oauthClient, connectionUrl } = server;
    if (tokenExchange === null || oauthClient === null)
      throw new AppError(
        502,
        'not_configured',
        `The MCP server ${server.name} has no token endpoint any more.`,
      );
    const { clientId, clientSecret } = oauthClient;
    return exchangeToken(fetch, {
      ...tokenExchange,
      client: { clientId, ...(clientSecret !== null && { clientSecret }) },
      subjectToken: await assertions.sign(person, tokenExchange.tokenEndpoint),
      resource: connectionUrl ?? '',
    });
  };

  return {
    tokenFor(server, person) {
      const name = nameOf(server, person.userId);
      const known = tokens.get(name);
      if (known !== undefined && clock.now() < known.untilMs) return known.token;
      const asked = exchange(server, person);
      const kept: Kept = {
        userId: person.userId,
        token: asked.then(({ accessToken }) => accessToken),
        untilMs: Infinity,
      };
      tokens.set(name, kept);
      asked.then(
        (made) => (kept.untilMs = clock.now() + keptFor(made)),
        () => tokens.get(name) === kept && tokens.delete(name),
      );
      return kept.token;
    },
    refused(server, userId, token) {
      const name = nameOf(server, userId);
      const known = tokens.get(name);
      known?.token.then(
        (kept) => kept === token && tokens.get(name) === known && tokens.delete(name),
        () => undefined,
      );
    },
    forget(userId) {
      for (const [name, kept] of tokens.entries()) if (kept.userId === userId) tokens.delete(name);
    },
  };
}
