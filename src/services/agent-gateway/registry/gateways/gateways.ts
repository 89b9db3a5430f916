/** Making, changing, starting and stopping gateways on behalf of a caller. */
import type { Clock } from '#base/clock.ts';
import type { Database, Queries } from '#base/db/database.ts';
import { conflict, notFound } from '#base/errors.ts';
import { newId } from '#base/ids.ts';
import { requirePermission } from '#identity/access.ts';
import type { Caller } from '#identity/caller.ts';
import { presetSettings, requireOwner, type Gateway, type GatewaySettings } from './gateway.ts';
import * as store from './store.ts';

/** Where gateways run. */
export interface RunningGateways {
  /** Connects to the servers; resolves when all have answered or failed, or the time is over. */
  start(gatewayId: string): Promise<void>;
  isStarting(gatewayId: string): boolean;
  /** Ends what runs here. */
  stop(gatewayId: string): Promise<void>;
  /** The gateway, or what is attached to it, was written; every process is told. */
  changed(gatewayId: string): Promise<void>;
}

export interface GatewaysDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly live: RunningGateways;
  /** @throws AppError 404 for a policy set that the caller has not. */
  readonly checkPolicySet: (caller: Caller, policySetId: string) => Promise<void>;
}

export type Gateways = ReturnType<typeof createGateways>;
export type GatewayState = 'running' | 'starting' | 'stopped';

/** Every method throws AppError 404 for a gateway that the caller's tenant does not have, 403 where it is not theirs. */
export function createGateways({ db, clock, live, checkPolicySet }: GatewaysDeps) {
  const checkReferences = async (caller: Caller, { actionGuardPolicyId }: Partial<GatewaySettings>) => {
    if (actionGuardPolicyId) await checkPolicySet(caller, actionGuardPolicyId);
  };

  const get = async (caller: Caller, gatewayId: string): Promise<Gateway> => {
    const gateway = await store.findGateway(db, gatewayId);
    if (gateway?.tenantId !== caller.tenantId) throw notFound(`The gateway ${gatewayId}`);
    return gateway;
  };

  const getOwn = async (caller: Caller, gatewayId: string): Promise<Gateway> => {
    const gateway = await get(caller, gatewayId);
    requireOwner(caller, gateway.ownerId, 'gateway');
    return gateway;
  };

  return {
    get,
    getOwn,

    list: (caller: Caller, page: { limit: number; offset: number }) =>
      store.listGateways(db, caller.tenantId, page),

    async create(caller: Caller, sent: Partial<GatewaySettings> & { name: string }): Promise<Gateway> {
      await checkReferences(caller, sent);
      const now = new Date(clock.now());
      const gateway: Gateway = {
        ...presetSettings,
        ...sent,
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
    },

    async update(caller: Caller, gatewayId: string, changes: Partial<GatewaySettings>): Promise<Gateway> {
      await getOwn(caller, gatewayId);
      await checkReferences(caller, changes);
      const after = await db.transaction(async (tx: Queries) => {
        const gateway = await store.lockGateway(tx, gatewayId);
        if (gateway === undefined) throw notFound(`The gateway ${gatewayId}`);
        const changed = { ...gateway, ...changes, updatedAt: new Date(clock.now()) };
        await store.updateGateway(tx, changed);
        return changed;
      });
      await live.changed(gatewayId);
      return after;
    },

    async remove(caller: Caller, gatewayId: string): Promise<Gateway> {
      const gateway = await getOwn(caller, gatewayId);
      await store.deleteGateway(db, gatewayId);
      await live.stop(gatewayId);
      await live.changed(gatewayId);
      return gateway;
    },

    /** @throws AppError 409 where it runs or starts already. */
    async start(caller: Caller, gatewayId: string): Promise<Gateway> {
      requirePermission(caller, 'gateway:start');
      const gateway = await getOwn(caller, gatewayId);
      const startedAt = new Date(clock.now());
      if (!(await store.setRunning(db, gatewayId, startedAt)))
        throw conflict(
          `The gateway ${gateway.name} is ${live.isStarting(gatewayId) ? 'starting' : 'running'} already.`,
        );
      await live.start(gatewayId);
      return { ...gateway, running: true, startedAt };
    },

    /** @throws AppError 409 where it is stopped already. */
    async stop(caller: Caller, gatewayId: string): Promise<Gateway> {
      requirePermission(caller, 'gateway:stop');
      const gateway = await getOwn(caller, gatewayId);
      if (!(await store.setRunning(db, gatewayId, null)))
        throw conflict(`The gateway ${gateway.name} is stopped already.`);
      await live.stop(gatewayId);
      await live.changed(gatewayId);
      return { ...gateway, running: false, startedAt: null };
    },

    stateOf: ({ gatewayId, running }: Gateway): GatewayState =>
      !running ? 'stopped' : live.isStarting(gatewayId) ? 'starting' : 'running',
  };
}
