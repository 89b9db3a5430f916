/** What an MCP server is. No database, no wire. */
import type { Visibility } from '#identity/sharing.ts';
import type { Fields } from '#mcp/json-rpc.ts';

export type ServerTransport = 'http' | 'sse' | 'stdio';
/** How a server is told who calls. */
export type IdentityScheme = 'none' | 'headers' | 'signed_jwt' | 'bearer' | 'token_exchange' | 'user_oauth';

export type AuthType = 'none' | 'oauth';

/** The client that somebody registered for us, where the gateway does not register itself. */
export interface RegisteredClient {
  readonly clientId: string;
  readonly clientSecret: string | null;
  /** The authorization server that knows it; null: whichever the server names first. */
  readonly issuer: string | null;
}

/** Where our word about a caller is exchanged for a token of the server. */
export interface TokenExchangeSettings {
  readonly tokenEndpoint: string;
  readonly audience: string | null;
  readonly scope: string | null;
}

/** How a server is reached. */
export interface ServerAddress {
  readonly transport: ServerTransport;
  /** Set for http and sse. */
  readonly connectionUrl: string | null;
  /** Set for stdio. */
  readonly command: string | null;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly identityScheme: IdentityScheme;
}

export interface McpServer extends ServerAddress {
  readonly serverId: string;
  readonly tenantId: string;
  readonly ownerId: string;
  readonly visibility: Visibility;
  readonly name: string;
  readonly authType: AuthType;
  readonly oauthClient: RegisteredClient | null;
  /** Set for the scheme `token_exchange`. */
  readonly tokenExchange: TokenExchangeSettings | null;
  /** Secrets that lie in the database and cannot be opened, since the key is lost that sealed them. */
  readonly lostSecrets: readonly LostSecret[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export type LostSecret = 'env' | 'oauth_client';

/** A list that was asked of the server, as it answered. */
export interface Discovery {
  readonly items: readonly Fields[];
  /** Null before the first. */
  readonly at: Date | null;
}

export interface ManualResource {
  readonly name: string;
  readonly description: string;
  readonly mimeType: string | null;
}

/** A server at a gateway. */
export interface Attachment {
  readonly server: McpServer;
  readonly toolPrefix: string;
}

/** The name in letters, digits, `_` and `-`, for the beginning of tool names. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 30)
    .toLowerCase() || 'server';
