/** Sends requests to a server directly, without a gateway: discovery and test calls. */
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { AppError } from '#base/errors.ts';
import type { Caller } from '#identity/caller.ts';
import type { Connection } from '#mcp/connection.ts';
import { isFields, RpcError, type Fields } from '#mcp/json-rpc.ts';
import { mayChange, viewerOf } from '#identity/sharing.ts';
import { tellsWhoCalls } from '../../on-behalf/who.ts';
import { readDescriptions } from './read-descriptions.ts';
import { fetchList } from '../../upstreams/catalog.ts';
import type { Dial } from '../../upstreams/dial.ts';
import { Pool } from '../../upstreams/pool.ts';
import type { Discovery as Found, McpServer } from '../../registry/servers/server.ts';
import { attachedGateways, saveDiscovery } from '../../registry/servers/store.ts';

export interface Discovery {
  /** Asks the server what it offers and stores the response. Throws AppError 502 or 504. */
  discover(caller: Caller, server: McpServer, kind: 'tools' | 'resources' | 'prompts'): Promise<Found>;
  /**
   * Sends one request on a new connection. Throws AppError 502 or 504; the detail contains the server's error, if any.
   */
  ask(caller: Caller, server: McpServer, method: string, params: Fields): Promise<Fields>;
}

export interface DiscoveryDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly dial: Dial;
  readonly timeoutMs: number;
  /** Called when it is known what a server offers now. */
  readonly onFound: (serverId: string) => Promise<void>;
}

/** Errors of the protocol by which a server says that the request is wrong, and not the server. */
const [invalidParams, noSuchResource] = [-32_602, -32_002];

/** Converts an error reported by the server to an AppError. */
function refused(error: unknown): unknown {
  if (!(error instanceof RpcError)) return error;
  const said = `The MCP server answered the error ${error.code}: ${error.message.slice(0, 500)}`;
  const why = { cause: error };
  if (error.code === invalidParams)
    return new AppError(422, 'invalid', `What was named is not accepted. ${said}`, why);
  return error.code === noSuchResource
    ? new AppError(404, 'not_found', `There is no such resource. ${said}`, why)
    : new AppError(502, 'upstream_refused', said, why);
}

/** Has no capabilities for server requests; servers with an identity scheme still learn who calls. */
const askerFor = (caller: Caller) => ({ key: 'direct', capabilities: {}, caller });

export function createDiscovery({ db, clock, dial, timeoutMs, onFound }: DiscoveryDeps): Discovery {
  const nothing = () => undefined;
  const events = { notification: nothing, connected: nothing, failed: nothing, noise: nothing };
  const withPool = async <T>(run: (pool: Pool) => Promise<T>): Promise<T> => {
    await using pool = new Pool({ dial, clock, maxProcesses: 1, events });
    try {
      return await run(pool);
    } catch (error) {
      throw refused(error);
    }
  };
  const nameOf = { tools: 'name', resources: 'uri', prompts: 'name' } as const;
  return {
    async discover(caller, server, kind) {
      const asker = askerFor(caller);
      const listed = await withPool((pool) => fetchList({ pool, timeoutMs }, { server }, kind, asker));
      const sound = (item: Fields) =>
        typeof item[nameOf[kind]] === 'string' && (kind !== 'tools' || isFields(item['inputSchema']));
      const items = listed
        .filter(sound)
        .map((item) => (kind === 'resources' ? { ...item, name: item['name'] ?? item['uri'] } : item));
      const found = { items, at: new Date(clock.now()) };
      // Results for one user are not stored, because other users may see something else.
      if (!tellsWhoCalls(server) || mayChange(viewerOf(caller), server))
        await saveDiscovery(db, server.serverId, kind, found);
      const attached = (await attachedGateways(db, [server.serverId])).get(server.serverId) ?? [];
      for (const { id } of attached) await readDescriptions({ db, clock }, id, server.serverId);
      if (attached.length > 0) await onFound(server.serverId);
      return found;
    },
    ask: (caller, server, method, params) =>
      withPool((pool) =>
        pool.use(server, askerFor(caller), (connection: Connection) =>
          connection.request({ method, params, timeoutMs }),
        ),
      ),
  };
}
