import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { calibrationOperations } from '../../contract/calibrations.ts';
import type { Calibrations } from './calibrations.ts';
import { calibrationToWire } from './view.ts';

export const calibrationHandlers = (
  calibrations: Calibrations,
): Handlers<typeof calibrationOperations, Caller> => ({
  createCalibration: async ({ caller, body, request }) =>
    calibrationToWire(
      await calibrations.create(
        { caller, request },
        {
          groupUuid: body.policy_group_uuid,
          policyId: body.policy_id,
          examples: body.examples,
        },
      ),
    ),
  listCalibrations: async ({ caller, query }) => {
    const { calibrations: found, total } = await calibrations.list(caller, query);
    return { calibrations: found.map(calibrationToWire), total };
  },
  activateCalibration: async ({ caller, params, request }) =>
    calibrationToWire(await calibrations.activate({ caller, request }, params.calibration_id)),
  deactivateCalibration: async ({ caller, params, request }) =>
    calibrationToWire(await calibrations.deactivate({ caller, request }, params.calibration_id)),
});
