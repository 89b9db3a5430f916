/** Creates, changes, starts and stops gateways for a caller. */
import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import { conflict, notFound } from '#base/errors.ts';
import { newId } from '#base/ids.ts';
import { requirePermission } from '#identity/access.ts';
import type { Caller } from '#identity/caller.ts';
import {
  changeableOrRefused,
  mayRead,
  type OwnerFilter,
  readableOr404,
  viewerOf,
} from '#identity/sharing.ts';
import { presetSettings, type Gateway, type GatewaySettings } from './gateway.ts';
import * as store from './store.ts';

/** Runs gateways. */
export interface RunningGateways {
  /** Connects to the servers; resolves when all have connected or failed, or after a timeout. */
  start(gatewayId: string): Promise<void>;
  isStarting(gatewayId: string): boolean;
  /** Stops the gateway in this process. */
  stop(gatewayId: string): Promise<void>;
  /** The gateway or its attachments were saved; notifies all processes. */
  changed(gatewayId: string): Promise<void>;
}

export interface GatewaysDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly live: RunningGateways;
  /**
   * The name of a policy set that the caller may use; undefined if the action guard is unreachable.
   * @throws AppError 404 for any other set
   */
  readonly checkPolicySet: (caller: Caller, policySetId: string) => Promise<string | undefined>;
  /** Whether the tenant has the policy set; undefined if the action guard is unreachable. */
  readonly hasPolicySet: (caller: Caller, policySetId: string) => Promise<boolean | undefined>;
}

export type GatewayState = 'running' | 'starting' | 'stopped';

/**
 * All methods throw AppError 404 for gateways that the caller may not read, 403 for changes of gateways that the caller
 * may only read.
 */
export class Gateways {
  readonly #deps: GatewaysDeps;

  constructor(deps: GatewaysDeps) {
    this.#deps = deps;
  }

  async get(caller: Caller, gatewayId: string): Promise<Gateway> {
    return readableOr404(viewerOf(caller), await this.#find(gatewayId), `The gateway ${gatewayId}`);
  }

  async getOwn(caller: Caller, gatewayId: string): Promise<Gateway> {
    return changeableOrRefused(viewerOf(caller), await this.#find(gatewayId), `The gateway ${gatewayId}`);
  }

  /** Any gateway of the caller's tenant, for access to the caller's own consents: all users may call its endpoint. */
  async ofTenant(caller: Caller, gatewayId: string): Promise<Gateway> {
    const gateway = await this.#find(gatewayId);
    if (gateway?.tenantId !== caller.tenantId) throw notFound(`The gateway ${gatewayId}`);
    return gateway;
  }

  list(caller: Caller, owner: OwnerFilter, page: { limit: number; offset: number }) {
    return store.listGateways(this.#deps.db, { viewer: viewerOf(caller), owner }, page);
  }

  /** Gateways whose calls the policy set judges: those that the caller may read, and how many others. */
  async ofPolicySet(caller: Caller, policySetId: string): Promise<{ readable: Gateway[]; others: number }> {
    const found = await store.listGatewaysOfSet(this.#deps.db, caller.tenantId, policySetId);
    const readable = found.filter((gateway) => mayRead(viewerOf(caller), gateway));
    return { readable, others: found.length - readable.length };
  }

  async exists(tenantId: string, gatewayId: string): Promise<boolean> {
    return (await this.#find(gatewayId))?.tenantId === tenantId;
  }

  /** Why every call of the gateway is refused, as far as it can be known. */
  async problemsOf(caller: Caller, gateway: Gateway): Promise<string[]> {
    const { actionGuardPolicyId: setId, actionGuardPolicyName: name, guardFailure } = gateway;
    if (setId === null || (await this.#deps.hasPolicySet(caller, setId)) !== false) return [];
    const then = guardFailure === 'open' ? 'calls pass unjudged' : 'every call is refused';
    return [
      `The policy set ${name === null ? setId : `"${name}"`} of this gateway was deleted, so ${then}. Choose another one ` +
        "in 'action_guard_policy_id', or none.",
    ];
  }

  async create(caller: Caller, sent: Partial<GatewaySettings> & { name: string }): Promise<Gateway> {
    const { clock, db } = this.#deps;
    const settings = await this.#withNames(caller, sent);
    const now = new Date(clock.now());
    const gateway: Gateway = {
      ...presetSettings,
      actionGuardPolicyName: null,
      ...settings,
      gatewayId: newId('gw'),
      tenantId: caller.tenantId,
      ownerId: caller.userId,
      running: false,
      startedAt: null,
      createdAt: now,
      updatedAt: now,
    };
    await store.insertGateway(db, gateway);
    return gateway;
  }

  async update(caller: Caller, gatewayId: string, changes: Partial<GatewaySettings>): Promise<Gateway> {
    const { db, clock, live } = this.#deps;
    await this.getOwn(caller, gatewayId);
    const settings = await this.#withNames(caller, changes);
    const after = await db.transaction(async (tx: Queries) => {
      const gateway = await store.lockGateway(tx, gatewayId);
      if (gateway === undefined) throw notFound(`The gateway ${gatewayId}`);
      const changed = { ...gateway, ...settings, updatedAt: new Date(clock.now()) };
      await store.updateGateway(tx, changed);
      return changed;
    });
    await live.changed(gatewayId);
    return after;
  }

  async remove(caller: Caller, gatewayId: string): Promise<Gateway> {
    const { db, live } = this.#deps;
    const gateway = await this.getOwn(caller, gatewayId);
    await store.deleteGateway(db, gatewayId);
    await live.stop(gatewayId);
    await live.changed(gatewayId);
    return gateway;
  }

  /** @throws AppError 409 if it is already running or starting */
  async start(caller: Caller, gatewayId: string): Promise<Gateway> {
    const { clock, db, live } = this.#deps;
    requirePermission(caller, 'gateway:start');
    const gateway = await this.getOwn(caller, gatewayId);
    const startedAt = new Date(clock.now());
    if (!(await store.setRunning(db, gatewayId, startedAt)))
      throw conflict(
        `The gateway ${gateway.name} is ${live.isStarting(gatewayId) ? 'starting' : 'running'} already.`,
      );
    await live.start(gatewayId);
    return { ...gateway, running: true, startedAt };
  }

  /** @throws AppError 409 if it is already stopped */
  async stop(caller: Caller, gatewayId: string): Promise<Gateway> {
    const { db, live } = this.#deps;
    requirePermission(caller, 'gateway:stop');
    const gateway = await this.getOwn(caller, gatewayId);
    if (!(await store.setRunning(db, gatewayId, null)))
      throw conflict(`The gateway ${gateway.name} is stopped already.`);
    await live.stop(gatewayId);
    await live.changed(gatewayId);
    return { ...gateway, running: false, startedAt: null };
  }

  stateOf({ gatewayId, running }: Gateway): GatewayState {
    return !running ? 'stopped' : this.#deps.live.isStarting(gatewayId) ? 'starting' : 'running';
  }

  #find(gatewayId: string) {
    return store.findGateway(this.#deps.db, gatewayId);
  }

  /** The submitted settings, with the name of the selected policy set. */
  async #withNames<S extends Partial<GatewaySettings>>(caller: Caller, sent: S) {
    const { actionGuardPolicyId: setId } = sent;
    if (setId === undefined) return sent;
    const name = setId === null ? undefined : await this.#deps.checkPolicySet(caller, setId);
    return { ...sent, actionGuardPolicyName: name ?? null };
  }
}
