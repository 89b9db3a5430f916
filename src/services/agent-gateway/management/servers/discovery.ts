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
   * Sends one request on a new connection.
   * @throws AppError 502 or 504; 404 for what the server does not have, 422 for arguments that it refuses. The detail
   *   contains the server's error, if any.
   */
  ask(caller: Caller, server: McpServer, asked: Asked): Promise<Fields>;
}

/** A request for what a server offers. */
export interface Asked {
  readonly method: 'tools/call' | 'resources/read';
  readonly params: Fields;
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

const said = ({ code, message }: RpcError) =>
  `The MCP server answered the error ${code}: ${message.slice(0, 500)}`;

/** Converts an error reported by the server to an AppError. */
const refused = (error: unknown): unknown =>
  error instanceof RpcError ? new AppError(502, 'upstream_refused', said(error), { cause: error }) : error;

/**
 * What a server means that refuses the parameters of a call: 404 for a tool or resource that it does not have, 422 for
 * arguments that it does not take. Only the latter is told apart by looking: the protocol has one code for both.
 * @param isOffered whether the server lists the tool
 */
async function refusedParams(
  error: unknown,
  { method, params }: Asked,
  isOffered: () => Promise<boolean>,
): Promise<unknown> {
  if (!(error instanceof RpcError)) return error;
  const why = { cause: error };
  const isOfParams = error.code === invalidParams;
  if (method === 'resources/read')
    return isOfParams || error.code === noSuchResource
      ? new AppError(404, 'not_found', `'uri': the server has no such resource. ${said(error)}`, why)
      : error;
  if (!isOfParams) return error;
  const name = String(params['name']).slice(0, 200);
  return (await isOffered())
    ? new AppError(422, 'invalid', `'arguments': the tool ${name} does not take them. ${said(error)}`, why)
    : new AppError(404, 'not_found', `'name': the server has no tool ${name}. ${said(error)}`, why);
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
    ask: (caller, server, asked) =>
      withPool(async (pool) => {
        const asker = askerFor(caller);
        const isOffered = async () =>
          (await fetchList({ pool, timeoutMs }, { server }, 'tools', asker)).some(
            ({ name }) => name === asked.params['name'],
          );
        try {
          return await pool.use(server, asker, (connection: Connection) =>
            connection.request({ ...asked, timeoutMs }),
          );
        } catch (error) {
          throw await refusedParams(error, asked, isOffered);
        }
      }),
  };
}
