/** The MCP server type. No database, no wire format. */
import type { Shared, Visibility } from '#identity/sharing.ts';
import type { Fields } from '#mcp/json-rpc.ts';

export type ServerTransport = 'http' | 'sse' | 'stdio';
/** How a server learns who calls. */
export type IdentityScheme =
  | 'none'
  | 'headers'
  | 'signed_jwt'
  | 'bearer'
  | 'token_exchange'
  | 'enterprise_managed'
  | 'user_oauth';

export type AuthType = 'none' | 'oauth';

/** How a client gets its tokens: a person consents, or the gateway signs in as itself. */
export type ClientGrant = 'authorization_code' | 'client_credentials' | 'jwt_bearer';

/** A manually registered OAuth client, used instead of dynamic registration. */
export interface RegisteredClient {
  readonly clientId: string;
  readonly clientSecret: string | null;
  /** Undefined in clients that were stored before there were others: `authorization_code`. */
  readonly grant?: ClientGrant | undefined;
  /** PKCS #8 as PEM; the client authenticates by a signature. */
  readonly privateKey?: string | null | undefined;
  /** A JWT about the workload, for `jwt_bearer`; null: the gateway signs one about itself. */
  readonly assertion?: string | null | undefined;
  /** The authorization server of this client; null: the first one that the server names. */
  readonly issuer: string | null;
}

/** Where assertions about callers are exchanged for tokens of the server. */
export interface TokenExchangeSettings {
  readonly tokenEndpoint: string;
  readonly audience: string | null;
  readonly scope: string | null;
}

/** Who vouches for callers at the server's authorization server, and the gateway's client there. */
export interface IdentityProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | null;
}

/** How the server is reached. */
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
  /** Set for the scheme `enterprise_managed`. */
  readonly identityProvider: IdentityProvider | null;
  /** Stored secrets that cannot be decrypted because their key was lost. */
  readonly lostSecrets: readonly LostSecret[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Whether the gateway signs in at the server as itself, so that no person is asked. */
export const signsInItself = ({
  authType,
  oauthClient,
}: Pick<McpServer, 'authType' | 'oauthClient'>): boolean =>
  authType === 'oauth' && (oauthClient?.grant ?? 'authorization_code') !== 'authorization_code';

export type LostSecret = 'args' | 'env' | 'oauth_client' | 'identity_provider';

/** A list as the server returned it. */
export interface Discovery {
  readonly items: readonly Fields[];
  /** Null before the first discovery. */
  readonly at: Date | null;
}

export interface ManualResource {
  readonly name: string;
  readonly description: string;
  readonly mimeType: string | null;
}

/** A server attached to a gateway. */
export interface Attachment {
  readonly server: McpServer;
  readonly toolPrefix: string;
}

export interface AttachedServer extends Attachment {
  /**
   * Whether the gateway may use it: its owner is the gateway's or shares it, or an administrator attached it. Otherwise
   * what it offers is not listed.
   */
  readonly usable: boolean;
}

/** The name reduced to letters, digits, `_` and `-`, as the prefix of tool names. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 30)
    .toLowerCase() || 'server';

/** A gateway that uses a server. */
export interface UsingGateway extends Shared {
  readonly serverId: string;
  readonly id: string;
  readonly name: string;
  readonly toolPrefix: string;
}
