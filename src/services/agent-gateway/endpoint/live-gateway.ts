/** A running gateway: its servers, what they offer, and the state of its clients. */
import type { Count } from '#alerts/counts.ts';
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { unavailable } from '#base/errors.ts';
import { yieldToEventLoop } from '#base/yield-to-event-loop.ts';
import type { RateLimits } from '#base/limits/rate-limits.ts';
import type { Tracing } from '#base/tracing/tracing.ts';
import { RpcError, rpcCodes, type RpcNotification } from '#mcp/json-rpc.ts';
import type { Approvals } from '../guarding/approvals/approvals.ts';
import type { CallLog } from '../audit/call-log.ts';
import type { AgentGatewayEvents } from '../events.ts';
import type { Gateway } from '../registry/gateways/gateway.ts';
import type { AskActionGuard } from '../guarding/action-guard.ts';
import type { GuardDeps } from '../guarding/guard-call.ts';
import type { OutputCheck } from '../guarding/output-check.ts';
import { createTraces } from '../guarding/trace.ts';
import { Descriptions } from '../guarding/descriptions/descriptions.ts';
import { Pins } from '../guarding/pins/pins.ts';
import type { Attachment } from '../registry/servers/server.ts';
import { findDiscovery } from '../registry/servers/store.ts';
import type { Dial } from '../upstreams/dial.ts';
import { Pool } from '../upstreams/pool.ts';
import { Catalog, type Kind } from '../upstreams/catalog.ts';
import type { SignInDeps } from './sign-in-first.ts';

export interface LiveDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly dial: Dial;
  readonly events: AgentGatewayEvents;
  readonly approvals: Approvals;
  readonly callLog: CallLog;
  /** For rules of alerts. */
  readonly count: Count | undefined;
  readonly askActionGuard: AskActionGuard;
  readonly checkOutput: OutputCheck;
  readonly tracing: Tracing | undefined;
  readonly rateLimits: RateLimits;
  readonly signIn: SignInDeps;
  /** Tells other processes that a server changed what it offers. */
  readonly announce: (serverId: string) => void;
  readonly limits: {
    readonly callTimeoutMs: number;
    readonly connectTimeoutMs: number;
    readonly stdioProcesses: number;
  };
}

/** Receives notifications of servers: for all clients, for the sessions of one user, or for one client. */
export type Hear = (
  serverId: string,
  key: string | undefined,
  message: RpcNotification,
  userId?: string,
) => void;

/** For calls of a gateway that somebody stops; calls of a process that stops have as long as its settings say. */
const stopGraceMs = 2000;
/** A server that changes its lists again and again is read once in this time. */
const lookAfterMs = 100;
const unsubscribed = new RpcError(rpcCodes.internalError, 'The subscription has ended.');

/** The list that a notification reports as changed. */
const changedKinds: ReadonlyMap<string, readonly Kind[]> = new Map([
  ['notifications/tools/list_changed', ['tools']],
  ['notifications/prompts/list_changed', ['prompts']],
  ['notifications/resources/list_changed', ['resources', 'templates']],
]);

const sameServer = (a: Attachment, b: Attachment) =>
  a.server.serverId === b.server.serverId && a.server.updatedAt.getTime() === b.server.updatedAt.getTime();

export class LiveGateway implements AsyncDisposable {
  readonly deps: LiveDeps;
  readonly pool: Pool;
  readonly guards: GuardDeps;
  readonly #pins: Pins;
  readonly #descriptions: Descriptions;
  readonly #listeners = new Set<Hear>();
  readonly #stop = new AbortController();
  readonly #stoppable = new Set<AbortController>();
  readonly #watches = new Map<string, Map<string, AbortController>>();
  #gateway: Gateway;
  #attachments: readonly Attachment[];
  #catalog: Catalog;
  readonly #looks = new Map<string, NodeJS.Timeout>();
  #inFlight = 0;
  #idle: (() => void) | undefined;

  constructor(deps: LiveDeps, first: { gateway: Gateway; attachments: readonly Attachment[] }) {
    const { db, clock, events, limits } = deps;
    const { gatewayId } = first.gateway;
    this.deps = deps;
    this.#gateway = first.gateway;
    this.#attachments = first.attachments;
    this.pool = new Pool({
      dial: deps.dial,
      clock,
      maxProcesses: limits.stdioProcesses,
      events: {
        notification: (...said) => this.#hearServer(...said),
        connected: (serverId) => this.#tellAll(serverId),
        failed: (serverId, error) => events.serverFailed(gatewayId, serverId, error),
        noise: (serverId, line) => events.serverNoise(gatewayId, serverId, line),
      },
    });
    this.#catalog = this.#makeCatalog();
    this.#pins = new Pins({ db, clock, events, gatewayId });
    this.#descriptions = new Descriptions({ db, clock, events, gatewayId });
    this.guards = {
      clock,
      descriptions: this.#descriptions,
      traces: createTraces(clock),
      pins: this.#pins,
      approvals: deps.approvals,
      askActionGuard: deps.askActionGuard,
      checkOutput: deps.checkOutput,
      events,
      countCall: deps.rateLimits.limit(`agent_gateway/${gatewayId}`, {
        perMinute: () => this.#gateway.callsPerMinute,
        words: 'calls a minute at this gateway',
      }),
    };
  }

  /** The current definition of the gateway. */
  get gateway(): Gateway {
    return this.#gateway;
  }

  get attachments(): readonly Attachment[] {
    return this.#attachments;
  }

  get catalog(): Catalog {
    return this.#catalog;
  }

  /** Aborted when the gateway stops, after a short grace period for running calls. */
  get stopping(): AbortSignal {
    return this.#stop.signal;
  }

  /**
   * Aborts the work when the gateway stops, unless the returned value is disposed before. `AbortSignal.any` does the same
   * at ten times the cost.
   */
  untilStopped(work: AbortController): Disposable {
    if (this.stopping.aborted) work.abort(this.stopping.reason);
    this.#stoppable.add(work);
    return { [Symbol.dispose]: () => void this.#stoppable.delete(work) };
  }

  /** Subscribes until the returned value is disposed. */
  hear(listener: Hear): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  /** Keeps a resource subscription open at a modern server until it is dropped. */
  watch(key: string, uri: string, open: (signal: AbortSignal) => void): void {
    const uris = this.#watches.get(key) ?? new Map<string, AbortController>();
    this.#watches.set(key, uris);
    if (uris.has(uri)) return;
    const end = new AbortController();
    uris.set(uri, end);
    open(AbortSignal.any([end.signal, this.stopping]));
  }

  /** Drops one subscription, or all of a session. */
  unwatch(key: string, uri?: string): void {
    const uris = this.#watches.get(key);
    for (const [each, end] of uris ?? [])
      if (uri === undefined || each === uri) {
        uris?.delete(each);
        end.abort(unsubscribed);
      }
    if (uris?.size === 0) this.#watches.delete(key);
  }

  /** Applies a new definition of the gateway. */
  async update(gateway: Gateway, attachments: readonly Attachment[]): Promise<void> {
    const before = this.#attachments;
    this.#gateway = gateway;
    this.#attachments = attachments;
    this.#pins.reload();
    this.#descriptions.reload();
    const gone = before.filter((old) => !attachments.some((each) => sameServer(each, old)));
    const added = attachments.filter((each) => !before.some((old) => sameServer(each, old)));
    const renamed = attachments.some((each) =>
      before.some((old) => sameServer(each, old) && each.toolPrefix !== old.toolPrefix),
    );
    if (gone.length + added.length === 0 && !renamed) return;
    this.#catalog = this.#makeCatalog();
    for (const { server } of [...gone, ...added]) this.#tellAll(server.serverId);
    for (const { server } of added) this.#lookSoon(server.serverId);
    await Promise.all(gone.map(({ server }) => this.pool.forget(server.serverId)));
  }

  /** The server changed what it offers, as another process or a discovery has seen. */
  listsChanged(serverId: string): void {
    if (!this.#attachments.some(({ server }) => server.serverId === serverId)) return;
    this.#pins.reload();
    this.#descriptions.reload();
    this.#tellAll(serverId);
    this.#lookSoon(serverId);
  }

  /** The user's authorization at the server changed or was deleted. */
  async userGrantChanged(serverId: string, userId: string): Promise<void> {
    if (!this.#attachments.some(({ server }) => server.serverId === serverId)) return;
    await this.pool.forget(serverId, userId);
    this.#tellAll(serverId, userId);
  }

  /** Counts a running call; dispose the result when the call has ended. */
  begin(): Disposable {
    if (this.stopping.aborted) throw unavailable('The gateway was stopped.');
    this.#inFlight += 1;
    return {
      [Symbol.dispose]: () => {
        this.#inFlight -= 1;
        if (this.#inFlight === 0) this.#idle?.();
      },
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end(stopGraceMs);
  }

  /** Waits so long for running calls, then ends them. */
  async end(graceMs: number): Promise<void> {
    if (this.#inFlight > 0) {
      const ended = new Promise<void>((resolve) => (this.#idle = resolve));
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, graceMs)));
      await Promise.race([ended, late]);
      clearTimeout(timer);
    }
    this.#stop.abort(unavailable('The gateway was stopped.'));
    for (const each of this.#stoppable) each.abort(this.stopping.reason);
    for (const timer of this.#looks.values()) clearTimeout(timer);
    await this.pool[Symbol.asyncDispose]();
  }

  #makeCatalog(): Catalog {
    const { db, clock, limits } = this.deps;
    return new Catalog({
      attachments: this.#attachments,
      pool: this.pool,
      clock,
      timeoutMs: limits.connectTimeoutMs,
      lastFound: async (serverId, kind) =>
        kind === 'templates' ? [] : (await findDiscovery(db, serverId, kind)).items,
      holders: async () =>
        this.#gateway.pinTools === 'off' ? new Map() : this.#pins.holders(this.#attachments),
    });
  }

  #hearServer(...said: Parameters<Hear>): void {
    this.#tell(...said);
    const [serverId, , { method }] = said;
    if (!changedKinds.has(method)) return;
    this.#lookSoon(serverId);
    this.deps.announce(serverId);
  }

  /** Reads a changed server before any client asks, so that its changes are noted at once; many changes are read once. */
  #lookSoon(serverId: string): void {
    if (this.#looks.has(serverId) || this.stopping.aborted) return;
    const timer = setTimeout(() => {
      this.#looks.delete(serverId);
      this.#look(serverId).catch((error: unknown) =>
        this.deps.events.failedCall(this.#gateway.gatewayId, 'tools/list', error),
      );
    }, lookAfterMs).unref();
    this.#looks.set(serverId, timer);
  }

  async #look(serverId: string): Promise<void> {
    const { pinTools, descriptionGuard } = this.#gateway;
    if (pinTools === 'off' && descriptionGuard === 'off') return;
    const listed = await this.#catalog.list('tools');
    const offers = listed.filter(({ attachment }) => attachment.server.serverId === serverId);
    if (pinTools !== 'off') await this.#pins.pinNew(offers);
    for (const offer of offers) {
      if (this.stopping.aborted) return;
      await yieldToEventLoop();
      if (pinTools !== 'off') await this.#pins.asPinned(offer);
      if (descriptionGuard !== 'off') await this.#descriptions.read('tools', offer);
    }
  }

  #tell(...said: Parameters<Hear>): void {
    const [serverId, key, message] = said;
    for (const kind of changedKinds.get(message.method) ?? []) this.#catalog.changed(serverId, kind, key);
    for (const listener of this.#listeners) listener(...said);
  }

  #tellAll(serverId: string, userId?: string): void {
    for (const method of changedKinds.keys())
      this.#tell(serverId, undefined, { jsonrpc: '2.0', method }, userId);
  }
}
