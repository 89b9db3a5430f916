/** A gateway that runs: its servers, what they offer, and what its clients have been doing. */
import type { Clock } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { unavailable } from '#base/errors.ts';
import type { Tracing } from '#base/tracing/tracing.ts';
import { RpcError, rpcCodes, type RpcNotification } from '#mcp/json-rpc.ts';
import type { Approvals } from '../guarding/approvals/approvals.ts';
import type { CallLog } from '../audit/call-log.ts';
import type { AgentGatewayEvents } from '../events.ts';
import type { Gateway } from '../registry/gateways/gateway.ts';
import type { AskActionGuard } from '../guarding/action-guard.ts';
import { createCallCounter, type GuardDeps } from '../guarding/guard-call.ts';
import type { OutputCheck } from '../guarding/output-check.ts';
import { createTraces } from '../guarding/trace.ts';
import { createPins } from '../guarding/pins/pins.ts';
import type { Attachment } from '../registry/servers/server.ts';
import { findDiscovery } from '../registry/servers/store.ts';
import type { Dial } from '../upstreams/dial.ts';
import { createPool, type Pool } from '../upstreams/pool.ts';
import { createCatalog, type Catalog, type Kind } from '../upstreams/catalog.ts';
import type { SignInDeps } from './sign-in-first.ts';

export interface LiveDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly dial: Dial;
  readonly events: AgentGatewayEvents;
  readonly approvals: Approvals;
  readonly callLog: CallLog;
  readonly askActionGuard: AskActionGuard;
  readonly checkOutput: OutputCheck;
  readonly tracing: Tracing | undefined;
  readonly signIn: SignInDeps;
  readonly limits: {
    readonly callTimeoutMs: number;
    readonly connectTimeoutMs: number;
    readonly stdioProcesses: number;
  };
}

/** Told about what the servers say by themselves: to all, to the sessions of one user, or to one client. */
export type Hear = (
  serverId: string,
  key: string | undefined,
  message: RpcNotification,
  userId?: string,
) => void;

export interface LiveGateway extends AsyncDisposable {
  /** As it is now. */
  readonly gateway: Gateway;
  readonly attachments: readonly Attachment[];
  readonly pool: Pool;
  readonly catalog: Catalog;
  readonly guards: GuardDeps;
  readonly deps: LiveDeps;
  /** Aborted when the gateway stops and calls have had their moment. */
  readonly stopping: AbortSignal;
  /** A signal that is aborted with the given one and with `stopping`; dispose it when nobody listens any more. */
  until(signal: AbortSignal): Disposable & { readonly signal: AbortSignal };
  /** Until the answer is disposed. */
  hear(listener: Hear): Disposable;
  /** Keeps a subscription to a resource open at a modern server, until it is dropped. */
  watch(key: string, uri: string, open: (signal: AbortSignal) => void): void;
  /** Drops the subscription, or all of a session. */
  unwatch(key: string, uri?: string): void;
  /** Takes over what was written. */
  update(gateway: Gateway, attachments: readonly Attachment[]): Promise<void>;
  /** What the user granted at the server is another by now, or gone. */
  userGrantChanged(serverId: string, userId: string): Promise<void>;
  /** Counts a call in flight; disposed when it has ended. */
  begin(): Disposable;
}

const stopGraceMs = 2000;
const unsubscribed = new RpcError(rpcCodes.internalError, 'The subscription has ended.');

/** Which list a notification says has changed. */
const changedKinds: ReadonlyMap<string, readonly Kind[]> = new Map([
  ['notifications/tools/list_changed', ['tools']],
  ['notifications/prompts/list_changed', ['prompts']],
  ['notifications/resources/list_changed', ['resources', 'templates']],
]);

const sameServer = (a: Attachment, b: Attachment) =>
  a.server.serverId === b.server.serverId && a.server.updatedAt.getTime() === b.server.updatedAt.getTime();

export function openLiveGateway(
  deps: LiveDeps,
  first: { gateway: Gateway; attachments: readonly Attachment[] },
): LiveGateway {
  const { db, clock, events, limits } = deps;
  const { gatewayId } = first.gateway;
  let { gateway, attachments } = first;
  const listeners = new Set<Hear>();
  const stop = new AbortController();
  const stoppable = new Set<AbortController>();
  const watches = new Map<string, Map<string, AbortController>>();
  let inFlight = 0;
  let idle: (() => void) | undefined;

  const tell: Hear = (serverId, key, message, userId) => {
    for (const kind of changedKinds.get(message.method) ?? []) catalog.changed(serverId, kind);
    for (const listener of listeners) listener(serverId, key, message, userId);
  };
  const tellAll = (serverId: string, userId?: string) => {
    for (const method of changedKinds.keys()) tell(serverId, undefined, { jsonrpc: '2.0', method }, userId);
  };

  const pool = createPool({
    dial: deps.dial,
    clock,
    maxProcesses: limits.stdioProcesses,
    events: {
      notification: tell,
      connected: (serverId) => tellAll(serverId),
      failed: (serverId, error) => events.serverFailed(gatewayId, serverId, error),
      noise: (serverId, line) => events.serverNoise(gatewayId, serverId, line),
    },
  });
  const lastFound = async (serverId: string, kind: Kind) =>
    kind === 'templates' ? [] : (await findDiscovery(db, serverId, kind)).items;
  const makeCatalog = () =>
    createCatalog({ attachments, pool, clock, timeoutMs: limits.connectTimeoutMs, lastFound });
  let catalog = makeCatalog();
  const pins = createPins({ db, clock, events, gatewayId });
  const guards: GuardDeps = {
    clock,
    traces: createTraces(clock),
    pins,
    approvals: deps.approvals,
    askActionGuard: deps.askActionGuard,
    checkOutput: deps.checkOutput,
    events,
    countCall: createCallCounter(clock, () => gateway.callsPerMinute),
  };

  return {
    get gateway() {
      return gateway;
    },
    get attachments() {
      return attachments;
    },
    get catalog() {
      return catalog;
    },
    pool,
    guards,
    deps,
    stopping: stop.signal,
    // `AbortSignal.any` does the same, at ten times the cost.
    until(signal) {
      const own = new AbortController();
      const abort = () => own.abort(signal.reason);
      if (stop.signal.aborted) own.abort(stop.signal.reason);
      else if (signal.aborted) abort();
      else {
        signal.addEventListener('abort', abort, { once: true });
        stoppable.add(own);
      }
      return {
        signal: own.signal,
        [Symbol.dispose]() {
          stoppable.delete(own);
          signal.removeEventListener('abort', abort);
        },
      };
    },
    hear(listener) {
      listeners.add(listener);
      return { [Symbol.dispose]: () => void listeners.delete(listener) };
    },
    watch(key, uri, open) {
      const uris = watches.get(key) ?? new Map<string, AbortController>();
      watches.set(key, uris);
      if (uris.has(uri)) return;
      const end = new AbortController();
      uris.set(uri, end);
      open(AbortSignal.any([end.signal, stop.signal]));
    },
    unwatch(key, uri) {
      const uris = watches.get(key);
      for (const [each, end] of uris ?? [])
        if (uri === undefined || each === uri) {
          uris?.delete(each);
          end.abort(unsubscribed);
        }
      if (uris?.size === 0) watches.delete(key);
    },
    async update(nextGateway, nextAttachments) {
      const before = attachments;
      gateway = nextGateway;
      attachments = nextAttachments;
      pins.reload();
      const gone = before.filter((old) => !attachments.some((each) => sameServer(each, old)));
      const added = attachments.filter((each) => !before.some((old) => sameServer(each, old)));
      const renamed = attachments.some((each) =>
        before.some((old) => sameServer(each, old) && each.toolPrefix !== old.toolPrefix),
      );
      if (gone.length + added.length === 0 && !renamed) return;
      catalog = makeCatalog();
      for (const { server } of [...gone, ...added]) tellAll(server.serverId);
      await Promise.all(gone.map(({ server }) => pool.forget(server.serverId)));
    },
    async userGrantChanged(serverId, userId) {
      if (!attachments.some(({ server }) => server.serverId === serverId)) return;
      await pool.forget(serverId, userId);
      tellAll(serverId, userId);
    },
    begin() {
      if (stop.signal.aborted) throw unavailable('The gateway was stopped.');
      inFlight += 1;
      return {
        [Symbol.dispose]() {
          inFlight -= 1;
          if (inFlight === 0) idle?.();
        },
      };
    },
    async [Symbol.asyncDispose]() {
      if (inFlight > 0) {
        const ended = new Promise<void>((resolve) => (idle = resolve));
        await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, stopGraceMs).unref())]);
      }
      stop.abort(unavailable('The gateway was stopped.'));
      for (const each of stoppable) each.abort(stop.signal.reason);
      await pool[Symbol.asyncDispose]();
    },
  };
}
