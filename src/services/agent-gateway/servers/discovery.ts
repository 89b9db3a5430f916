/** Asking a server directly, without a gateway: what it has, and trying it out. */
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { AppError } from '#base/errors.ts';
import type { Connection } from '#mcp/connection.ts';
import { isFields, RpcError, type Fields } from '#mcp/json-rpc.ts';
import { fetchList } from '../endpoint/catalog.ts';
import type { Dial } from '../upstreams/dial.ts';
import { createPool } from '../upstreams/pool.ts';
import type { Discovery as Found, McpServer } from './server.ts';
import { saveDiscovery } from './store.ts';

export interface Discovery {
  /** Asks the server and keeps the answer. Throws AppError 502 or 504. */
  discover(server: McpServer, kind: 'tools' | 'resources' | 'prompts'): Promise<Found>;
  /** One request on a connection of its own. Throws AppError 502 or 504, with the server's error where it answered one. */
  ask(server: McpServer, method: string, params: Fields): Promise<Fields>;
}

export interface DiscoveryDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly dial: Dial;
  readonly timeoutMs: number;
}

/** What the server answered, as an error of ours. */
const refused = (error: unknown): unknown =>
  error instanceof RpcError
    ? new AppError(
        502,
        'upstream_refused',
        `The MCP server answered the error ${error.code}: ${error.message.slice(0, 500)}`,
        {
          cause: error,
        },
      )
    : error;

export function createDiscovery({ db, clock, dial, timeoutMs }: DiscoveryDeps): Discovery {
  const nothing = () => undefined;
  const events = { notification: nothing, connected: nothing, failed: nothing, noise: nothing };
  const withPool = async <T>(run: (pool: ReturnType<typeof createPool>) => Promise<T>): Promise<T> => {
    await using pool = createPool({ dial, clock, maxProcesses: 1, events });
    try {
      return await run(pool);
    } catch (error) {
      throw refused(error);
    }
  };
  const nameOf = { tools: 'name', resources: 'uri', prompts: 'name' } as const;
  return {
    async discover(server, kind) {
      const listed = await withPool((pool) => fetchList(pool, { server }, kind, timeoutMs));
      const sound = (item: Fields) =>
        typeof item[nameOf[kind]] === 'string' && (kind !== 'tools' || isFields(item['inputSchema']));
      const items = listed
        .filter(sound)
        .map((item) => (kind === 'resources' ? { ...item, name: item['name'] ?? item['uri'] } : item));
      const found = { items, at: new Date(clock.now()) };
      await saveDiscovery(db, server.serverId, kind, found);
      return found;
    },
    ask: (server, method, params) =>
      withPool((pool) =>
        pool.use(server, undefined, (connection: Connection) =>
          connection.request({ method, params, timeoutMs }),
        ),
      ),
  };
}
