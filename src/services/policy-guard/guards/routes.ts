import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { UserNames } from '#identity/users/user-names.ts';
import type { guardOperations } from '../contract/guards.ts';
import type { Guard } from './guard.ts';
import type { Guards } from './guards.ts';
import type { GuardMetrics } from './metrics.ts';
import { changesFromWire, guardToWire } from './view.ts';

export interface GuardRoutesDeps {
  readonly guards: Guards;
  readonly metrics: GuardMetrics;
  readonly userNames: UserNames;
  /** Names of the tenant's groups, readable by the caller or not. */
  readonly groupNames: (
    tenantId: string,
    groupUuids: Iterable<string>,
  ) => Promise<ReadonlyMap<string, string>>;
}

export function guardHandlers({
  guards,
  metrics,
  userNames,
  groupNames,
}: GuardRoutesDeps): Handlers<typeof guardOperations, Caller> {
  /** One query each for totals, groups and users of a whole page. */
  const toWire = async ({ tenantId }: Caller, many: readonly Guard[]) => {
    const [totals, userName, groups] = await Promise.all([
      metrics.totals(many.map(({ guardUuid }) => guardUuid)),
      userNames(many.map(({ ownerId }) => ownerId)),
      groupNames(
        tenantId,
        many.flatMap(({ policyGroupUuids }) => policyGroupUuids),
      ),
    ]);
    return (guard: Guard) => guardToWire(guard, totals.get(guard.guardUuid), { userName, groups });
  };
  const one = async (caller: Caller, guard: Guard) => (await toWire(caller, [guard]))(guard);
  return {
    listGuards: async ({ caller, query }) => {
      const page = await guards.list(caller, query.owner, query);
      return { guards: page.guards.map(await toWire(caller, page.guards)), total: page.total };
    },
    getGuard: async ({ caller, params }) => one(caller, await guards.get(caller, params.guard_uuid)),
    createGuard: async ({ caller, body, request }) =>
      one(caller, await guards.create({ caller, request }, changesFromWire(body))),
    updateGuard: async ({ caller, params, body, request }) =>
      one(caller, await guards.update({ caller, request }, params.guard_uuid, changesFromWire(body))),
    deleteGuard: async ({ caller, params, request }) => {
      await guards.remove({ caller, request }, params.guard_uuid);
      return { message: 'The guard was deleted.' };
    },
  };
}
