/** Tokens of a server for its callers, each exchanged for our word about who the caller is (RFC 8693). */
import { LRUCache } from 'lru-cache';
import type { Clock } from '#base/clock.ts';
import { AppError } from '#base/errors.ts';
import { exchangeToken, type Tokens } from '#mcp/oauth/client.ts';
import type { OAuthFetch } from '#mcp/oauth/http.ts';
import type { Assertions } from '../assertions/assertions.ts';
import type { McpServer } from '../registry/servers/server.ts';
import type { Person } from './who.ts';

export interface TokenExchangeDeps {
  readonly clock: Clock;
  readonly fetch: OAuthFetch;
  readonly assertions: Pick<Assertions, 'sign'>;
}

export interface TokenExchange {
  /** Kept until shortly before its end; asked for once by all who need it. Throws AppError 502 or 504. */
  tokenFor(server: McpServer, person: Person): Promise<string>;
  /** The server refused it: the next one is asked for anew. */
  refused(server: McpServer, userId: string, token: string): void;
  /** The user is gone, or is another by now. */
  forget(userId: string): void;
}

interface Kept {
  readonly userId: string;
  readonly token: Promise<string>;
  /** For as long as it is under way; then until shortly before its end. */
  untilMs: number;
}

const remembered = 10_000;
/** A token is not used so shortly before its end, that it is good for the call it goes with. */
const marginMs = 30_000;
const leastShare = 0.5;
/** Of a token whose end nobody names. */
const unknownMs = 60_000;
const longestMs = 3_600_000;

function keptFor({ expiresInSeconds }: Tokens): number {
  if (expiresInSeconds === undefined) return unknownMs;
  const lastsMs = Math.min(expiresInSeconds * 1000, longestMs);
  return Math.max(lastsMs - marginMs, lastsMs * leastShare);
}

export function createTokenExchange({ clock, fetch, assertions }: TokenExchangeDeps): TokenExchange {
  const tokens = new LRUCache<string, Kept>({ max: remembered });
  // Another version of a server is another place.
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
