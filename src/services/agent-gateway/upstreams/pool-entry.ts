/** What the pool keeps of a connection. */
import type { Connection } from '#mcp/connection.ts';
import type { Who } from '../on-behalf/who.ts';
import type { McpServer } from '../registry/servers/server.ts';
import type { Fields } from '#mcp/json-rpc.ts';
import type { Era } from '#mcp/protocol.ts';

export interface Entry {
  readonly server: McpServer;
  /** The owner of the connection; undefined if it is shared. */
  readonly key: string | undefined;
  readonly who: Who | undefined;
  /** Distinguishes connections of one owner that were opened with different capabilities or in another era. */
  readonly manner: string;
  readonly connecting: Promise<Connection>;
  connection: Connection | undefined;
  usedAtMs: number;
  users: number;
}

/** A connection in use. */
export type Wanted = Pick<Entry, 'server' | 'who' | 'key' | 'manner'> & {
  readonly capabilities: Fields;
  readonly era: Era | undefined;
  readonly prefer?: Era | undefined;
};

export interface Setback {
  readonly failures: number;
  readonly untilMs: number;
  /** Of the first failure since the server was heard last. */
  readonly sinceMs: number;
  readonly error: Error;
}
