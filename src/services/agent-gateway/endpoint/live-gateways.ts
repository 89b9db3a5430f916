/** The gateways that run in this process. Each is created when it is started, or on its first call after a restart. */
import { randomUUID } from 'node:crypto';
import type { Database } from '#base/db/database.ts';
import { unavailable } from '#base/errors.ts';
import type { Vault } from '#base/secrets/vault.ts';
import type { RunningGateways } from '../registry/gateways/gateways.ts';
import { changedChannel, findGateway } from '../registry/gateways/store.ts';
import { listAttachments } from '../registry/servers/store.ts';
import { LiveGateway, type LiveDeps } from './live-gateway.ts';

/** Called with a process's id and a server's id. */
const listsChannel = 'agent_gateway_lists';
/** A server that announces changes again and again is told of once in this time. */
const announceAfterMs = 100;

/** Called with a server's id and a user's id. */
const grantsChannel = 'agent_gateway_user_grants';

interface Deps {
  readonly db: Database;
  readonly vault: Vault;
  readonly liveDeps: Omit<LiveDeps, 'announce'>;
  /** Called before a gateway's connections close. */
  readonly onStop: (live: LiveGateway) => void;
}

/** Running gateways that were created, and listen for changes made by other processes. */
export async function openLiveGateways(deps: Deps): Promise<LiveGateways> {
  const gateways = new LiveGateways(deps);
  await gateways.listen();
  return gateways;
}

export class LiveGateways implements RunningGateways, AsyncDisposable {
  readonly #deps: Deps;
  readonly #liveDeps: LiveDeps;
  readonly #id = randomUUID();
  readonly #announced = new Map<string, NodeJS.Timeout>();
  // Cache of gateways that do not run here, since each call of their endpoint looks them up.
  readonly #running = new Map<string, Promise<LiveGateway | undefined>>();
  readonly #built = new Map<string, LiveGateway>();
  readonly #starting = new Set<string>();
  readonly #listening: AsyncDisposable[] = [];
  #isOver = false;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#liveDeps = { ...deps.liveDeps, announce: (serverId) => this.#announceSoon(serverId) };
  }

  /** Listens for changes by other processes until it is disposed. */
  async listen(): Promise<void> {
    const { db } = this.#deps;
    const onChanged = (gatewayId: string) => this.#onChanged(gatewayId);
    this.#listening.push(await db.listen(changedChannel, onChanged, () => this.#reloadAll()));
    this.#listening.push(await db.listen(listsChannel, (payload) => this.#onListsChanged(payload)));
    this.#listening.push(await db.listen(grantsChannel, (payload) => this.#onGrantChanged(payload)));
  }

  /** The running gateway; undefined if it does not exist or is stopped. Synchronous if it was created already. */
  find(gatewayId: string): LiveGateway | Promise<LiveGateway | undefined> {
    return this.#built.get(gatewayId) ?? this.#running.get(gatewayId) ?? this.#create(gatewayId);
  }

  async #create(gatewayId: string): Promise<LiveGateway | undefined> {
    const building = this.#build(gatewayId);
    this.#running.set(gatewayId, building);
    const live = await building.catch((error: unknown) => {
      this.#running.delete(gatewayId);
      throw error;
    });
    if (live === undefined && this.#running.get(gatewayId) === building) this.#running.delete(gatewayId);
    return live;
  }

  /** The same, but only if it was created already. */
  peek(gatewayId: string): LiveGateway | undefined {
    return this.#built.get(gatewayId);
  }

  isStarting(gatewayId: string): boolean {
    return this.#starting.has(gatewayId);
  }

  async start(gatewayId: string): Promise<void> {
    this.#starting.add(gatewayId);
    try {
      const live = await this.find(gatewayId);
      if (live === undefined) return;
      // Servers that are unreachable do not delay the start; the gateway's status reports them.
      const ready = Promise.all([live.catalog.list('tools'), live.catalog.list('prompts')]);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise(
        (resolve) => (timer = setTimeout(resolve, this.#deps.liveDeps.limits.connectTimeoutMs)),
      );
      await Promise.race([ready, late]).finally(() => clearTimeout(timer));
    } finally {
      this.#starting.delete(gatewayId);
    }
  }

  /** @param graceMs for running calls; without it, as long as those of a gateway have that somebody stops */
  async stop(gatewayId: string, graceMs?: number): Promise<void> {
    const known = this.#running.get(gatewayId);
    this.#running.delete(gatewayId);
    const live = await known?.catch(() => undefined);
    if (live === undefined) return;
    this.#built.delete(gatewayId);
    await (graceMs === undefined ? live[Symbol.asyncDispose]() : live.end(graceMs));
    this.#deps.onStop(live);
  }

  async changed(gatewayId: string): Promise<void> {
    await this.#reload(gatewayId);
    await this.#deps.db.notify(changedChannel, gatewayId);
  }

  /** A discovery has asked the server what it offers; notifies all processes. */
  async listsChanged(serverId: string): Promise<void> {
    for (const live of this.#built.values()) live.listsChanged(serverId);
    await this.#deps.db.notify(listsChannel, `${this.#id} ${serverId}`);
  }

  /** A user's authorization at a server was saved; notifies all processes. */
  async userGrantChanged(serverId: string, userId: string): Promise<void> {
    await this.#renew(serverId, userId);
    await this.#deps.db.notify(grantsChannel, `${serverId} ${userId}`);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stopAll();
  }

  /** Stops all gateways of a process that ends. @param timeoutMs after which connections are cut off */
  async stopAll(timeoutMs?: number): Promise<void> {
    this.#isOver = true;
    this.#liveDeps.approvals.stop();
    // Calls that must be ended are ended a little before that, so that each is answered.
    const graceMs = timeoutMs && Math.max(timeoutMs - 1500, timeoutMs * 0.8);
    for (const timer of this.#announced.values()) clearTimeout(timer);
    for (const each of this.#listening) await each[Symbol.asyncDispose]();
    await Promise.all([...this.#running.keys()].map((gatewayId) => this.stop(gatewayId, graceMs)));
  }

  async #read(gatewayId: string) {
    const { db, vault } = this.#deps;
    const gateway = await findGateway(db, gatewayId);
    if (gateway === undefined) return undefined;
    const attached = await listAttachments(db, vault, gatewayId);
    return { gateway, attachments: attached.filter(({ usable }) => usable) };
  }

  async #build(gatewayId: string): Promise<LiveGateway | undefined> {
    const found = await this.#read(gatewayId);
    if (this.#isOver) throw unavailable('The service is shutting down.');
    if (found?.gateway.running !== true) return undefined;
    const live = new LiveGateway(this.#liveDeps, found);
    this.#built.set(gatewayId, live);
    return live;
  }

  async #reload(gatewayId: string): Promise<void> {
    const live = await this.#running.get(gatewayId)?.catch(() => undefined);
    if (live === undefined) return;
    const found = await this.#read(gatewayId);
    if (found?.gateway.running !== true) await this.stop(gatewayId);
    else await live.update(found.gateway, found.attachments);
  }

  #reloadAll() {
    for (const gatewayId of this.#running.keys()) this.#onChanged(gatewayId);
  }

  #announceSoon(serverId: string): void {
    if (this.#announced.has(serverId) || this.#isOver) return;
    const timer = setTimeout(() => {
      this.#announced.delete(serverId);
      // A process that misses it lists the server again within a minute.
      this.#deps.db.notify(listsChannel, `${this.#id} ${serverId}`).catch(() => undefined);
    }, announceAfterMs).unref();
    this.#announced.set(serverId, timer);
  }

  #onListsChanged(payload: string): void {
    const [from, serverId = ''] = payload.split(' ');
    if (from === this.#id) return;
    for (const live of this.#built.values()) live.listsChanged(serverId);
  }

  #onChanged(gatewayId: string) {
    this.#reload(gatewayId).catch((error: unknown) => {
      this.#deps.liveDeps.events.failedCall(gatewayId, 'reload', error);
    });
  }

  async #renew(serverId: string, userId: string) {
    await Promise.all([...this.#built.values()].map((live) => live.userGrantChanged(serverId, userId)));
  }

  #onGrantChanged(payload: string) {
    const [serverId = '', userId = ''] = payload.split(' ');
    this.#renew(serverId, userId).catch((error: unknown) =>
      this.#deps.liveDeps.events.failedCall('', 'user_grant', error),
    );
  }
}
