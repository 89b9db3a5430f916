import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { guardOperations } from '../contract/guards.ts';
import type { Guard } from './guard.ts';
import type { Guards } from './guards.ts';
import type { GuardMetrics } from './metrics.ts';
import { changesFromWire, guardToWire } from './view.ts';

export function guardHandlers(
  guards: Guards,
  metrics: GuardMetrics,
): Handlers<typeof guardOperations, Caller> {
  const toWire = async (many: readonly Guard[]) => {
    const totals = await metrics.totals(many.map(({ guardUuid }) => guardUuid));
    return many.map((guard) => guardToWire(guard, totals.get(guard.guardUuid)));
  };
  const withTotals = async (guard: Guard) => {
    const totals = await metrics.totals([guard.guardUuid]);
    return guardToWire(guard, totals.get(guard.guardUuid));
  };
  return {
    listGuards: async ({ caller, query }) => {
      const page = await guards.list(caller, query);
      return { guards: await toWire(page.guards), total: page.total };
    },
    getGuard: async ({ caller, params }) => withTotals(await guards.get(caller, params.guard_uuid)),
    createGuard: async ({ caller, body }) =>
      guardToWire(await guards.create(caller, changesFromWire(body)), undefined),
    updateGuard: async ({ caller, params, body }) =>
      withTotals(await guards.update(caller, params.guard_uuid, changesFromWire(body))),
    deleteGuard: async ({ caller, params }) => {
      await guards.remove(caller, params.guard_uuid);
      return { message: 'The guard was deleted.' };
    },
  };
}
