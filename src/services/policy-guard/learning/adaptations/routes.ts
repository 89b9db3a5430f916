import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { adaptationOperations } from '../../contract/adaptations.ts';
import type { Adaptation } from './adaptation.ts';
import type { Adaptations } from './adaptations.ts';
import { adaptationToWire, detailToWire, newAdaptationFromWire } from './view.ts';

export const adaptationHandlers = (
  adaptations: Adaptations,
  groupNames: (tenantId: string, groupUuids: Iterable<string>) => Promise<ReadonlyMap<string, string>>,
): Handlers<typeof adaptationOperations, Caller> => {
  const namesOf = ({ tenantId }: Caller, many: readonly Adaptation[]) =>
    groupNames(
      tenantId,
      many.flatMap(({ policies }) => policies.map(({ groupUuid }) => groupUuid)),
    );
  const one = async (caller: Caller, adaptation: Adaptation) =>
    adaptationToWire(adaptation, await namesOf(caller, [adaptation]));
  return {
    createAdaptation: async ({ caller, params, body, request }) =>
      one(
        caller,
        await adaptations.create({ caller, request }, params.guard_uuid, newAdaptationFromWire(body)),
      ),
    listAdaptations: async ({ caller, params }) => {
      const found = await adaptations.list(caller, params.guard_uuid);
      const names = await namesOf(caller, found);
      return { adaptations: found.map((each) => adaptationToWire(each, names)), total: found.length };
    },
    getAdaptation: async ({ caller, params }) => {
      const { guard_uuid: guardUuid, adaptation_id: adaptationId } = params;
      const { adaptation, labelled } = await adaptations.withExamples(caller, guardUuid, adaptationId);
      return detailToWire(adaptation, labelled, await namesOf(caller, [adaptation]));
    },
    activateAdaptation: async ({ caller, params, request }) =>
      one(caller, await adaptations.activate({ caller, request }, params.guard_uuid, params.adaptation_id)),
    deactivateAdaptation: async ({ caller, params, request }) => {
      await adaptations.deactivate({ caller, request }, params.guard_uuid);
      return { message: 'The guard judges without adaptation.' };
    },
    deleteAdaptation: async ({ caller, params, request }) => {
      await adaptations.remove({ caller, request }, params.guard_uuid, params.adaptation_id);
      return { message: 'The adaptation and its examples were deleted.' };
    },
  };
};
