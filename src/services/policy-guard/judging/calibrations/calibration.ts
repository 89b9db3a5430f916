import type { Calibration } from '#llm/calibration.ts';

/** What a calibration holds for: a policy's text, as one prompt asks one model about it. */
export interface CalibrationSubject {
  readonly model: string;
  readonly promptVersion: number;
  readonly textHash: string;
}

export type CalibrationMethod = 'platt' | 'temperature' | 'contextual';

/** A calibration as it is kept; it never changes, but for being in force. */
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
