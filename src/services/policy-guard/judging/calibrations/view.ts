import { toIsoTime } from '#base/clock.ts';
import type { Answer } from '#base/contract/operation.ts';
import type { calibrationOperations } from '../../contract/calibrations.ts';
import type { StoredCalibration } from './calibration.ts';

export const calibrationToWire = (
  stored: StoredCalibration,
): Answer<(typeof calibrationOperations)['createCalibration']> => ({
  calibration_id: stored.calibrationId,
  policy: stored.policyName,
  model: stored.model,
  prompt_version: stored.promptVersion,
  version: stored.version,
  in_force: stored.inForce,
  method: stored.method,
  temperature: stored.calibration.temperature,
  bias: stored.calibration.bias,
  examples: stored.examples,
  error_before: stored.errorBefore,
  error_after: stored.errorAfter,
  created_at: toIsoTime(stored.createdAt),
});
