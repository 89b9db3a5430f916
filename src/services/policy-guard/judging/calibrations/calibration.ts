import type { Calibration } from '#llm/calibration.ts';

/** What a calibration applies to: the text of a policy, judged by one model with one prompt version. */
export interface CalibrationSubject {
  readonly model: string;
  readonly promptVersion: number;
  readonly textHash: string;
}

export type CalibrationMethod = 'platt' | 'temperature' | 'contextual';

/** A stored calibration; immutable except for whether it is active. */
export interface StoredCalibration extends CalibrationSubject {
  readonly calibrationId: string;
  readonly tenantId: string;
  /** Counts up for each subject, from 1. */
  readonly version: number;
  readonly inForce: boolean;
  readonly policyName: string;
  readonly method: CalibrationMethod;
  readonly calibration: Calibration;
  readonly examples: number;
  /** Expected calibration error on the examples; null where there are none. */
  readonly errorBefore: number | null;
  readonly errorAfter: number | null;
  readonly createdBy: string;
  readonly createdAt: Date;
}
