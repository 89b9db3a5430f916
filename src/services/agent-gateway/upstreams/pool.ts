/**
 * The connections of one gateway to its servers. Clients that cannot be asked back share one to each server; a legacy
 * server is told at the beginning what its client can do, so a client that can be asked back gets one of its own: what
 * the server asks can then only come to the one whose call it is. To a server that learns who calls each user has
 * connections of their own.
 */
import type { Clock } from '#base/clock.ts';
import { AppError, unavailable } from '#base/errors.ts';
import type { Connection } from '#mcp/connection.ts';
import { SessionLost } from '#mcp/http-transport.ts';
import type { Fields, RpcNotification } from '#mcp/json-rpc.ts';
import type { Era } from '#mcp/protocol.ts';
import { needsConsentCode } from '../grants/credentials.ts';
import { whoFor, type Asking, type Who } from '../on-behalf/who.ts';
import type { McpServer } from '../registry/servers/server.ts';
import type { Dial } from './dial.ts';

/** Who asks, as far as connections go. */
export interface Asker extends Asking {
  /** Of the session, or of the caller where there are no sessions. */
  readonly key: string;
  readonly capabilities: Fields;
}

export interface Health {
  readonly state: 'unknown' | 'connected' | 'failed';
  readonly version: string | undefined;
  readonly error: string | undefined;
}

export interface PoolEvents {
  /**
   * @param key whose connection it came on; undefined for a shared one.
   * @param userId whose connections share it; undefined where all do.
   */
  notification(
    serverId: string,
    key: string | undefined,
    message: RpcNotification,
    userId: string | undefined,
  ): void;
  /** A server is there again, or for the first time: what was known of it may be old. */
  connected(serverId: string): void;
  failed(serverId: string, error: Error): void;
  noise(serverId: string, line: string): void;
}

export interface PoolSettings {
  readonly dial: Dial;
  readonly clock: Clock;
  readonly events: PoolEvents;
  /** Of stdio servers, for clients that can be asked back. */
  readonly maxProcesses: number;
}

export interface Pool extends AsyncDisposable {
  /** Runs with a connection; once more with a new one where the server has forgotten the session. */
  use<T>(
    server: McpServer,
    asker: Asker | undefined,
    run: (connection: Connection) => Promise<T>,
  ): Promise<T>;
  health(serverId: string): Health;
  processes(serverId: string): number;
  /** Ends the connections of a session. */
  endOf(key: string): Promise<void>;
  /** Ends the connections to a server that was changed or detached; those of one user alone where told. */
  forget(serverId: string, userId?: string): Promise<void>;
}

interface Entry {
  readonly server: McpServer;
  /** Of whoever has it for themselves; undefined for a shared one. */
  readonly key: string | undefined;
  readonly who: Who | undefined;
  readonly connecting: Promise<Connection>;
  connection: Connection | undefined;
  usedAtMs: number;
  users: number;
}

/** A connection that somebody needs. */
type Wanted = Pick<Entry, 'server' | 'who' | 'key'> & { readonly capabilities: Fields };

interface Setback {
  readonly failures: number;
  readonly untilMs: number;
  readonly error: Error;
}

const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** A connection that lived so long was a success: its end begins a new count of failures. */
const successMs = 60_000;
const idleMs = 5 * 60_000;
const maxSetbacks = 10_000;

const canBeAsked = ({ capabilities }: Asker) =>
  ['elicitation', 'sampling', 'roots'].some((each) => capabilities[each] !== undefined);

export function createPool({ dial, clock, events, maxProcesses }: PoolSettings): Pool {
  const entries = new Map<string, Entry>();
  const setbacks = new Map<string, Setback>();
  const eras = new Map<string, Era>();
  const versions = new Map<string, string>();
  const restarts = new Map<string, NodeJS.Timeout>();
  let isOver = false;

  const placeOf = (serverId: string, who: Who | undefined) =>
    who === undefined ? serverId : `${serverId}\n${who.key}`;
  const nameOf = (place: string, key: string | undefined) => `${place}\n\n${key ?? ''}`;

  const setBack = (serverId: string, who: Who | undefined, error: Error) => {
    const place = placeOf(serverId, who);
    const failures = (setbacks.get(place)?.failures ?? 0) + 1;
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1));
    // A user who has yet to consent is no fault of the server's, and is served as soon as they have.
    if (who !== undefined && error instanceof AppError && error.code === needsConsentCode) return pauseMs;
    if (setbacks.size > maxSetbacks) setbacks.clear();
    setbacks.set(place, { failures, untilMs: clock.now() + pauseMs, error });
    events.failed(serverId, error);
    return pauseMs;
  };

  /** A process that ended by itself is started again, later each time. */
  const restartLater = (server: McpServer, pauseMs: number) => {
    if (isOver || server.transport !== 'stdio' || restarts.has(server.serverId)) return;
    const timer = setTimeout(() => {
      restarts.delete(server.serverId);
      // Its failure is counted where it is made.
      entryFor({ server, who: undefined, key: undefined, capabilities: {} }).connecting.catch(
        () => undefined,
      );
    }, pauseMs);
    restarts.set(server.serverId, timer.unref());
  };

  const drop = (name: string, entry: Entry) => {
    if (entries.get(name) === entry) entries.delete(name);
  };

  const open = ({ server, who, key, capabilities }: Wanted): Entry => {
    const { serverId } = server;
    const name = nameOf(placeOf(serverId, who), key);
    const beganMs = clock.now();
    let lives = false;
    const ended = (reason: Error) => {
      drop(name, entry);
      if (isOver || !lives || key !== undefined || reason instanceof SessionLost) return;
      if (reason instanceof AppError && reason.code === 'closed') return;
      if (clock.now() - beganMs > successMs) setbacks.delete(placeOf(serverId, who));
      restartLater(server, setBack(serverId, who, reason));
    };
    const connecting = dial(server, {
      capabilities,
      era: eras.get(serverId),
      handlers: {
        onNotification: (message) => events.notification(serverId, key, message, who?.caller.userId),
        onClosed: ended,
      },
      who,
      onNoise: (line) => events.noise(serverId, line),
    });
    const entry: Entry = { server, key, who, connecting, connection: undefined, usedAtMs: beganMs, users: 0 };
    entries.set(name, entry);
    connecting.then(
      (connection) => {
        lives = true;
        entry.connection = connection;
        eras.set(serverId, connection.era);
        versions.set(serverId, connection.version);
        if (isOver || entries.get(name) !== entry) void connection[Symbol.asyncDispose]();
        else if (key === undefined && who === undefined) events.connected(serverId);
      },
      (error: Error) => {
        drop(name, entry);
        // What was known of the server may be why.
        eras.delete(serverId);
        if (!isOver) restartLater(server, setBack(serverId, who, error));
      },
    );
    return entry;
  };

  function entryFor(wanted: Wanted): Entry {
    const { server, who, key } = wanted;
    if (isOver) throw unavailable('The gateway was stopped.');
    const place = placeOf(server.serverId, who);
    const known = entries.get(nameOf(place, key));
    if (known !== undefined) return known;
    const setback = setbacks.get(place);
    const waitMs = (setback?.untilMs ?? 0) - clock.now();
    if (setback !== undefined && waitMs > 0)
      throw new AppError(
        502,
        'upstream_failed',
        `The MCP server ${server.name} is not available: ${setback.error.message} It is tried again in ${Math.ceil(waitMs / 1000)} s.`,
        { cause: setback.error },
      );
    if (key !== undefined && server.transport === 'stdio') makeRoom();
    return open(wanted);
  }

  const own = () =>
    [...entries.entries()].filter(([, { key, who }]) => key !== undefined || who !== undefined);

  function makeRoom() {
    const processes = own().filter(([, { server }]) => server.transport === 'stdio');
    if (processes.length < maxProcesses) return;
    const idle = processes
      .filter(([, { users }]) => users === 0)
      .toSorted(([, a], [, b]) => a.usedAtMs - b.usedAtMs)[0];
    if (idle === undefined)
      throw unavailable(
        'The gateway runs as many processes of stdio servers as it may. Try again in a moment.',
      );
    void close(...idle);
  }

  async function close(name: string, entry: Entry): Promise<void> {
    drop(name, entry);
    const connection = await entry.connecting.catch(() => undefined);
    await connection?.[Symbol.asyncDispose]();
  }

  const closeAll = async (which: (entry: Entry) => boolean) => {
    await Promise.all(
      [...entries].filter(([, entry]) => which(entry)).map(([name, entry]) => close(name, entry)),
    );
  };

  const sweep = setInterval(() => {
    const oldest = clock.now() - idleMs;
    for (const [name, entry] of own())
      if (entry.users === 0 && entry.usedAtMs < oldest) void close(name, entry);
  }, 30_000).unref();

  /** The shared one, unless the server is of the old era and its client can be asked back. */
  const choose = async (server: McpServer, asker: Asker | undefined): Promise<Entry> => {
    const shared = { server, who: whoFor(server, asker), key: undefined, capabilities: {} };
    if (asker === undefined || !canBeAsked(asker)) return entryFor(shared);
    if (!eras.has(server.serverId)) await entryFor(shared).connecting;
    return eras.get(server.serverId) === 'modern'
      ? entryFor(shared)
      : entryFor({ ...shared, key: asker.key, capabilities: asker.capabilities });
  };

  const runOnce = async <T>(
    server: McpServer,
    asker: Asker | undefined,
    run: (connection: Connection) => Promise<T>,
  ): Promise<T> => {
    const entry = await choose(server, asker);
    entry.users += 1;
    try {
      return await run(entry.connection ?? (await entry.connecting));
    } finally {
      entry.users -= 1;
      entry.usedAtMs = clock.now();
    }
  };

  const isPlaceOf = (place: string, serverId: string, userId?: string) => {
    const [server, key] = place.split('\n');
    // The key of a user begins with their id; a token may follow.
    return server === serverId && (userId === undefined || key?.split(' ')[0] === userId);
  };

  /** Any that is shared: by all, or by the connections of one user. */
  const sharedOf = (serverId: string): Connection | undefined =>
    entries.get(nameOf(serverId, undefined))?.connection ??
    [...entries.values()].find(
      ({ server, who, connection }) =>
        who !== undefined && server.serverId === serverId && connection !== undefined,
    )?.connection;

  const setbackOf = (serverId: string): Setback | undefined =>
    setbacks.get(serverId) ?? [...setbacks].find(([place]) => isPlaceOf(place, serverId))?.[1];

  return {
    async use(server, asker, run) {
      try {
        return await runOnce(server, asker, run);
      } catch (error) {
        if (!(error instanceof SessionLost)) throw error;
        return runOnce(server, asker, run);
      }
    },
    health(serverId) {
      const shared = sharedOf(serverId);
      const setback = setbackOf(serverId);
      const state = shared === undefined ? (setback === undefined ? 'unknown' : 'failed') : 'connected';
      return {
        state,
        version: versions.get(serverId),
        error: state === 'failed' ? setback?.error.message : undefined,
      };
    },
    processes: (serverId) =>
      [...entries.values()].filter(
        ({ server, connection }) =>
          server.serverId === serverId && server.transport === 'stdio' && connection !== undefined,
      ).length,
    endOf: (key) => closeAll((entry) => entry.key === key),
    async forget(serverId, userId) {
      const isMeant = ({ server, who }: Entry) =>
        server.serverId === serverId && (userId === undefined || who?.caller.userId === userId);
      for (const place of setbacks.keys()) if (isPlaceOf(place, serverId, userId)) setbacks.delete(place);
      if (userId !== undefined) {
        await closeAll(isMeant);
        return;
      }
      clearTimeout(restarts.get(serverId));
      restarts.delete(serverId);
      eras.delete(serverId);
      versions.delete(serverId);
      await closeAll(isMeant);
    },
    async [Symbol.asyncDispose]() {
      isOver = true;
      clearInterval(sweep);
      for (const timer of restarts.values()) clearTimeout(timer);
      await closeAll(() => true);
    },
  };
}
