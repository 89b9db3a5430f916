/** What an MCP server is. No database, no wire. */
import type { Fields } from '#mcp/json-rpc.ts';

export type ServerTransport = 'http' | 'sse' | 'stdio';
export type IdentityScheme = 'none' | 'headers';

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
  readonly name: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

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
