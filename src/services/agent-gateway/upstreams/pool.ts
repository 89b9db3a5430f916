/**
 * Connections of a gateway to its servers. Clients without capabilities for server requests share one connection per
 * server. A legacy server receives the client's capabilities once, so each client with capabilities gets its own
 * connection; requests of the server then reach the right client. Servers that learn who calls have separate
 * connections for each user.
 */
import { AppError, unavailable } from '#base/errors.ts';
import type { Connection } from '#mcp/connection.ts';
import { SessionLost } from '#mcp/http-transport.ts';
import type { Era } from '#mcp/protocol.ts';
import { needsConsentCode } from '../grants/credentials.ts';
import { whoFor, type Who } from '../on-behalf/who.ts';
import type { McpServer } from '../registry/servers/server.ts';
import { isPlaceOf, mannerOf, nameOf, placeOf, type Asker, type Health, type PoolSettings } from './asker.ts';
import { isOutage, outageError } from './outage.ts';
import type { Entry, Setback, Wanted } from './pool-entry.ts';

const firstPauseMs = 500;
const longestPauseMs = 30_000;
/** A connection that lasted this long counts as a success and resets the failure count. */
const successMs = 60_000;
const idleMs = 5 * 60_000;
const sweepMs = 30_000;
const maxSetbacks = 10_000;

/** More would be a client that changes its capabilities with every request. */
const maxManners = 4;

export class Pool implements AsyncDisposable {
  readonly #settings: PoolSettings;
  readonly #entries = new Map<string, Entry>();
  readonly #setbacks = new Map<string, Setback>();
  readonly #eras = new Map<string, Era>();
  /** Servers that refused the older era. */
  readonly #modernOnly = new Set<string>();
  readonly #versions = new Map<string, string>();
  /** When servers answered last. */
  readonly #heard = new Map<string, number>();
  readonly #restarts = new Map<string, NodeJS.Timeout>();
  readonly #sweep: NodeJS.Timeout;
  #isOver = false;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
    this.#sweep = setInterval(() => this.#closeIdle(), sweepMs).unref();
  }

  /** Runs with a connection, and once more with a new one if the server has lost the session. */
  async use<T>(
    server: McpServer,
    asker: Asker | undefined,
    run: (connection: Connection) => Promise<T>,
  ): Promise<T> {
    for (let isSecond = false; ; isSecond = true) {
      let entry: Entry | undefined;
      try {
        const chosen = this.#choose(server, asker);
        entry = chosen instanceof Promise ? await chosen : chosen;
        entry.users += 1;
        const result = await run(entry.connection ?? (await entry.connecting));
        this.#heard.set(server.serverId, this.#settings.clock.now());
        return result;
      } catch (error) {
        if (isOutage(error)) throw this.#outage(server, asker, entry, error);
        if (isSecond || !(error instanceof SessionLost)) throw error;
      } finally {
        if (entry !== undefined) {
          entry.users -= 1;
          entry.usedAtMs = this.#settings.clock.now();
        }
      }
    }
  }

  health(serverId: string): Health {
    const shared = this.#sharedOf(serverId);
    const setback = this.#setbackOf(serverId);
    const state = shared === undefined ? (setback === undefined ? 'unknown' : 'failed') : 'connected';
    return {
      state,
      version: this.#versions.get(serverId),
      error: state === 'failed' ? setback?.error.message : undefined,
      heardMs: this.#heard.get(serverId),
      failedSinceMs: state === 'failed' ? setback?.sinceMs : undefined,
    };
  }

  processes(serverId: string): number {
    return [...this.#entries.values()].filter(
      ({ server, connection }) =>
        server.serverId === serverId && server.transport === 'stdio' && connection !== undefined,
    ).length;
  }

  /** Closes the connections of a session. */
  endOf(key: string): Promise<void> {
    return this.#closeAll((entry) => entry.key === key);
  }

  /** Closes the connections to a changed or detached server; only those of one user if given. */
  async forget(serverId: string, userId?: string): Promise<void> {
    const isMeant = ({ server, who }: Entry) =>
      server.serverId === serverId && (userId === undefined || who?.caller.userId === userId);
    for (const place of this.#setbacks.keys())
      if (isPlaceOf(place, serverId, userId)) this.#setbacks.delete(place);
    if (userId === undefined) {
      clearTimeout(this.#restarts.get(serverId));
      this.#restarts.delete(serverId);
      this.#eras.delete(serverId);
      this.#modernOnly.delete(serverId);
      this.#versions.delete(serverId);
      this.#heard.delete(serverId);
    }
    await this.#closeAll(isMeant);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    clearInterval(this.#sweep);
    for (const timer of this.#restarts.values()) clearTimeout(timer);
    await this.#closeAll(() => true);
  }

  /**
   * The shared connection, unless the client declares capabilities and the server learns them at the start. A session
   * client gets a session at the server too, if the server has sessions: only there it can be asked.
   */
  #choose(server: McpServer, asker: Asker | undefined): Entry | Promise<Entry> {
    const who = whoFor(server, asker);
    const era = this.#eras.get(server.serverId);
    const shared = { server, who, key: undefined, manner: '', capabilities: {}, era };
    const manner = mannerOf(asker);
    return asker === undefined || manner === ''
      ? this.#entryFor(shared)
      : this.#chooseFor(asker, manner, shared);
  }

  async #chooseFor(asker: Asker, manner: string, shared: Wanted): Promise<Entry> {
    const { server, who } = shared;
    const { serverId } = server;
    if (!this.#eras.has(serverId)) await this.#entryFor(shared).connecting;
    const era = this.#eras.get(serverId);
    const own = { server, who, key: asker.key, manner, capabilities: asker.capabilities };
    if (era !== 'modern') return this.#entryFor({ ...own, era });
    if (asker.era !== 'legacy' || this.#modernOnly.has(serverId)) return this.#entryFor({ ...shared, era });
    const session = this.#entryFor({ ...own, era: undefined, prefer: 'legacy' });
    if ((await session.connecting).era === 'legacy') return session;
    this.#modernOnly.add(serverId);
    void this.#close(nameOf(placeOf(serverId, who), session), session);
    return this.#entryFor({ ...shared, era });
  }

  #entryFor(wanted: Wanted): Entry {
    const { server, who, key } = wanted;
    if (this.#isOver) throw unavailable('The gateway was stopped.');
    const place = placeOf(server.serverId, who);
    const known = this.#entries.get(nameOf(place, wanted));
    if (known !== undefined) return known;
    const setback = this.#setbacks.get(place);
    const nowMs = this.#settings.clock.now();
    if (setback !== undefined && setback.untilMs > nowMs) throw outageError(server, setback, nowMs);
    if (key !== undefined) this.#keepFew(server.serverId, key);
    if (key !== undefined && server.transport === 'stdio') this.#makeRoom();
    return this.#open(wanted);
  }

  #open({ server, who, key, manner, capabilities, era, prefer }: Wanted): Entry {
    const { dial, clock, events } = this.#settings;
    const { serverId } = server;
    const name = nameOf(placeOf(serverId, who), { key, manner });
    const beganMs = clock.now();
    const connecting = dial(server, {
      capabilities,
      era,
      prefer,
      handlers: {
        onNotification: (message) => events.notification(serverId, key, message, who?.caller.userId),
        onClosed: (reason) => this.#ended(name, entry, { reason, beganMs }),
      },
      who,
      onNoise: (line) => events.noise(serverId, line),
    });
    const entry: Entry = {
      server,
      key,
      who,
      manner,
      connecting,
      connection: undefined,
      usedAtMs: beganMs,
      users: 0,
    };
    this.#entries.set(name, entry);
    connecting.then(
      (connection) => this.#connected(name, entry, connection),
      (error: Error) => {
        this.#drop(name, entry);
        // Cached data about the server may be the cause.
        this.#eras.delete(serverId);
        this.#modernOnly.delete(serverId);
        if (!this.#isOver) this.#restartLater(server, who, this.#setBack(serverId, who, error));
      },
    );
    return entry;
  }

  #connected(name: string, entry: Entry, connection: Connection): void {
    const { server, key, who } = entry;
    entry.connection = connection;
    this.#heard.set(server.serverId, this.#settings.clock.now());
    // A session's own connection may have been opened in the older of two eras.
    if (key === undefined) {
      this.#eras.set(server.serverId, connection.era);
      this.#versions.set(server.serverId, connection.version);
    }
    if (this.#isOver || this.#entries.get(name) !== entry) void connection[Symbol.asyncDispose]();
    else if (key === undefined && who === undefined) this.#settings.events.connected(server.serverId);
  }

  /** A connection was closed, by either side. */
  #ended(name: string, entry: Entry, { reason, beganMs }: { reason: Error; beganMs: number }): void {
    const { server, key, who, connection } = entry;
    this.#drop(name, entry);
    if (this.#isOver || connection === undefined || key !== undefined) return;
    if (reason instanceof SessionLost) return;
    if (reason instanceof AppError && reason.code === 'closed') return;
    if (this.#settings.clock.now() - beganMs > successMs)
      this.#setbacks.delete(placeOf(server.serverId, who));
    this.#restartLater(server, who, this.#setBack(server.serverId, who, reason));
  }

  /** A server over HTTP is only seen to be down by a request that fails: its connection ends with it. */
  #outage(server: McpServer, asker: Asker | undefined, entry: Entry | undefined, error: AppError): AppError {
    const who = whoFor(server, asker);
    const place = placeOf(server.serverId, who);
    const name = entry && nameOf(place, entry);
    // Of requests that failed together, one is counted.
    if (entry?.connection !== undefined && name !== undefined && this.#entries.get(name) === entry) {
      void this.#close(name, entry);
      if (!this.#isOver) this.#restartLater(server, who, this.#setBack(server.serverId, who, error));
    }
    const setback = this.#setbacks.get(place);
    return setback === undefined ? error : outageError(server, setback, this.#settings.clock.now());
  }

  /** Counts a failure, and returns the delay before the next attempt. */
  #setBack(serverId: string, who: Who | undefined, error: Error): number {
    const place = placeOf(serverId, who);
    const known = this.#setbacks.get(place);
    const failures = (known?.failures ?? 0) + 1;
    const nowMs = this.#settings.clock.now();
    const goesOn = known !== undefined && (this.#heard.get(serverId) ?? 0) < known.sinceMs;
    const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1));
    // A missing consent is not a failure of the server, and the user can call as soon as they have consented.
    if (who !== undefined && error instanceof AppError && error.code === needsConsentCode) return pauseMs;
    if (this.#setbacks.size > maxSetbacks) this.#setbacks.clear();
    const sinceMs = goesOn ? known.sinceMs : nowMs;
    this.#setbacks.set(place, { failures, untilMs: nowMs + pauseMs, sinceMs, error });
    this.#settings.events.failed(serverId, error);
    return pauseMs;
  }

  /**
   * Restarts a process that ended, and tries a server that all callers share again, with increasing delays. Connections of
   * one user are opened again by their calls.
   */
  #restartLater(server: McpServer, who: Who | undefined, pauseMs: number): void {
    if (this.#isOver || who !== undefined || this.#restarts.has(server.serverId)) return;
    const timer = setTimeout(() => {
      this.#restarts.delete(server.serverId);
      if (this.#isOver) return;
      // A call that failed meanwhile has postponed the next attempt.
      const waitMs = (this.#setbacks.get(server.serverId)?.untilMs ?? 0) - this.#settings.clock.now();
      if (waitMs > 0) {
        this.#restartLater(server, who, waitMs);
        return;
      }
      // The failure is counted where it occurs.
      const era = this.#eras.get(server.serverId);
      const shared = { server, who: undefined, key: undefined, manner: '', capabilities: {}, era };
      this.#entryFor(shared).connecting.catch(() => undefined);
    }, pauseMs);
    this.#restarts.set(server.serverId, timer.unref());
  }

  /** Connections that are not shared. */
  #own(): [name: string, entry: Entry][] {
    return [...this.#entries.entries()].filter(([, { key, who }]) => key !== undefined || who !== undefined);
  }

  /** A modern client may declare other capabilities with each request: the oldest connection of it makes room. */
  #keepFew(serverId: string, key: string): void {
    const same = this.#own().filter(([, entry]) => entry.key === key && entry.server.serverId === serverId);
    if (same.length < maxManners) return;
    const idle = same
      .filter(([, { users }]) => users === 0)
      .toSorted(([, a], [, b]) => a.usedAtMs - b.usedAtMs)[0];
    if (idle === undefined)
      throw unavailable(
        'The client has calls under way with too many different capabilities. Try again in a moment.',
      );
    void this.#close(...idle);
  }

  #makeRoom(): void {
    const processes = this.#own().filter(([, { server }]) => server.transport === 'stdio');
    if (processes.length < this.#settings.maxProcesses) return;
    const idle = processes
      .filter(([, { users }]) => users === 0)
      .toSorted(([, a], [, b]) => a.usedAtMs - b.usedAtMs)[0];
    if (idle === undefined)
      throw unavailable(
        'The gateway runs as many processes of stdio servers as it may. Try again in a moment.',
      );
    void this.#close(...idle);
  }

  #closeIdle(): void {
    const oldest = this.#settings.clock.now() - idleMs;
    for (const [name, entry] of this.#own())
      if (entry.users === 0 && entry.usedAtMs < oldest) void this.#close(name, entry);
  }

  #drop(name: string, entry: Entry): void {
    if (this.#entries.get(name) === entry) this.#entries.delete(name);
  }

  async #close(name: string, entry: Entry): Promise<void> {
    this.#drop(name, entry);
    const connection = await entry.connecting.catch(() => undefined);
    await connection?.[Symbol.asyncDispose]();
  }

  async #closeAll(which: (entry: Entry) => boolean): Promise<void> {
    await Promise.all(
      [...this.#entries].filter(([, entry]) => which(entry)).map(([name, entry]) => this.#close(name, entry)),
    );
  }

  /** Any shared connection: of all callers, or of one user's sessions. */
  #sharedOf(serverId: string): Connection | undefined {
    return (
      this.#entries.get(nameOf(serverId, { key: undefined, manner: '' }))?.connection ??
      [...this.#entries.values()].find(
        ({ server, who, connection }) =>
          who !== undefined && server.serverId === serverId && connection !== undefined,
      )?.connection
    );
  }

  #setbackOf(serverId: string): Setback | undefined {
    return (
      this.#setbacks.get(serverId) ?? [...this.#setbacks].find(([place]) => isPlaceOf(place, serverId))?.[1]
    );
  }
}
