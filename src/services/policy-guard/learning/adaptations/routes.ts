import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { adaptationOperations } from '../../contract/adaptations.ts';
import type { Adaptations } from './adaptations.ts';
import { adaptationToWire, detailToWire, newAdaptationFromWire } from './view.ts';

export const adaptationHandlers = (
  adaptations: Adaptations,
): Handlers<typeof adaptationOperations, Caller> => ({
  createAdaptation: async ({ caller, params, body }) =>
    adaptationToWire(await adaptations.create(caller, params.guard_uuid, newAdaptationFromWire(body))),
  listAdaptations: async ({ caller, params }) => {
    const found = await adaptations.list(caller, params.guard_uuid);
    return { adaptations: found.map(adaptationToWire), total: found.length };
  },
  getAdaptation: async ({ caller, params }) => {
    const { adaptation, labelled } = await adaptations.withExamples(
      caller,
      params.guard_uuid,
      params.adaptation_id,
    );
    return detailToWire(adaptation, labelled);
  },
  activateAdaptation: async ({ caller, params }) =>
    adaptationToWire(await adaptations.activate(caller, params.guard_uuid, params.adaptation_id)),
  deactivateAdaptation: async ({ caller, params }) => {
    await adaptations.deactivate(caller, params.guard_uuid);
    return { message: 'The guard judges without adaptation.' };
  },
  deleteAdaptation: async ({ caller, params }) => {
    await adaptations.remove(caller, params.guard_uuid, params.adaptation_id);
    return { message: 'The adaptation and its examples were deleted.' };
  },
});
