/** Creates, changes, starts and stops gateways for a caller. */
import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import { conflict, notFound } from '#base/errors.ts';
import { newId } from '#base/ids.ts';
import { requirePermission } from '#identity/access.ts';
import type { Asking, Audit } from '#identity/audit/audit.ts';
import type { Caller } from '#identity/caller.ts';
import {
  changeableOrRefused,
  mayRead,
  type OwnerFilter,
  readableOr404,
  viewerOf,
} from '#identity/sharing.ts';
import { auditedGateway } from './audited.ts';
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
  readonly audit: Audit;
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

  /** For each of the gateways the ids of others of the same name that the caller may read. */
  async sameNamed(caller: Caller, gateways: readonly Gateway[]): Promise<(gateway: Gateway) => string[]> {
    const names = gateways.map(({ name }) => name);
    const found = await store.listSameNamed(this.#deps.db, viewerOf(caller), names);
    const byName = Map.groupBy(found, ({ name }) => name);
    return ({ gatewayId, name }) =>
      (byName.get(name) ?? []).flatMap(({ id }) => (id === gatewayId ? [] : [id]));
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

  async create(asking: Asking, sent: Partial<GatewaySettings> & { name: string }): Promise<Gateway> {
    const { caller } = asking;
    const { clock, db, audit } = this.#deps;
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
    await db.transaction(async (tx) => {
      await store.insertGateway(tx, gateway);
      await audit(auditedGateway('gateway_created', asking, { after: gateway }), tx);
    });
    return gateway;
  }

  async update(asking: Asking, gatewayId: string, changes: Partial<GatewaySettings>): Promise<Gateway> {
    const { caller } = asking;
    const { db, clock, live, audit } = this.#deps;
    await this.getOwn(caller, gatewayId);
    const settings = await this.#withNames(caller, changes);
    const after = await db.transaction(async (tx) => {
      const gateway = await this.#lock(tx, gatewayId);
      const changed = { ...gateway, ...settings, updatedAt: new Date(clock.now()) };
      await store.updateGateway(tx, changed);
      await audit(auditedGateway('gateway_updated', asking, { before: gateway, after: changed }), tx);
      return changed;
    });
    await live.changed(gatewayId);
    return after;
  }

  async remove(asking: Asking, gatewayId: string): Promise<Gateway> {
    const { db, live, audit } = this.#deps;
    await this.getOwn(asking.caller, gatewayId);
    const gateway = await db.transaction(async (tx) => {
      const before = await this.#lock(tx, gatewayId);
      await store.deleteGateway(tx, gatewayId);
      await audit(auditedGateway('gateway_deleted', asking, { before }), tx);
      return before;
    });
    await live.stop(gatewayId);
    await live.changed(gatewayId);
    return gateway;
  }

  /** @throws AppError 409 if it is already running or starting */
  async start(asking: Asking, gatewayId: string): Promise<Gateway> {
    const { clock, live } = this.#deps;
    requirePermission(asking.caller, 'gateway:start');
    const gateway = await this.#setRunning(asking, gatewayId, new Date(clock.now()));
    await live.start(gatewayId);
    return gateway;
  }

  /** @throws AppError 409 if it is already stopped */
  async stop(asking: Asking, gatewayId: string): Promise<Gateway> {
    const { live } = this.#deps;
    requirePermission(asking.caller, 'gateway:stop');
    const gateway = await this.#setRunning(asking, gatewayId, null);
    await live.stop(gatewayId);
    await live.changed(gatewayId);
    return gateway;
  }

  stateOf({ gatewayId, running }: Gateway): GatewayState {
    return !running ? 'stopped' : this.#deps.live.isStarting(gatewayId) ? 'starting' : 'running';
  }

  /** @param startedAt null to stop it. Throws AppError 409 where it is so already. */
  async #setRunning(asking: Asking, gatewayId: string, startedAt: Date | null): Promise<Gateway> {
    const { db, live, audit } = this.#deps;
    await this.getOwn(asking.caller, gatewayId);
    return db.transaction(async (tx) => {
      const before = await this.#lock(tx, gatewayId);
      const running = startedAt !== null;
      if (!(await store.setRunning(tx, gatewayId, startedAt))) {
        const state = !running ? 'stopped' : live.isStarting(gatewayId) ? 'starting' : 'running';
        throw conflict(`The gateway ${before.name} is ${state} already.`);
      }
      const after = { ...before, running, startedAt };
      const event = running ? 'gateway_started' : 'gateway_stopped';
      await audit(auditedGateway(event, asking, { before, after }), tx);
      return after;
    });
  }

  /** Until the transaction ends. */
  async #lock(tx: Queries, gatewayId: string): Promise<Gateway> {
    const gateway = await store.lockGateway(tx, gatewayId);
    if (gateway === undefined) throw notFound(`The gateway ${gatewayId}`);
    return gateway;
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
