import { measures, type MeasureName } from './contract/measures.ts';

/** What a user says of a rule. */
export interface RuleContent {
  readonly name: string;
  readonly measure: MeasureName;
  /** Null: all of the tenant together. */
  readonly subject: string | null;
  readonly windowMinutes: number;
  readonly threshold: number;
  readonly minCount: number;
  readonly enabled: boolean;
}

export interface Rule extends RuleContent {
  readonly ruleId: string;
  readonly tenantId: string;
  readonly mutedUntil: Date | null;
  readonly createdAt: Date;
  /** As evaluated last. */
  readonly value: number | null;
  readonly counted: number;
  readonly evaluatedAt: Date | null;
  /** Null where the subject is, or has not been counted. */
  readonly subjectName: string | null;
  /** How many targets of its own it has. */
  readonly targetCount: number;
}

/** A time that a rule fired, with the rule as it was. */
export interface Incident {
  readonly incidentId: string;
  readonly tenantId: string;
  readonly ruleId: string;
  readonly ruleName: string;
  readonly measure: MeasureName;
  readonly subject: string | null;
  readonly subjectName: string | null;
  readonly windowMinutes: number;
  readonly threshold: number;
  readonly value: number;
  readonly peak: number;
  readonly startedAt: Date;
  readonly resolvedAt: Date | null;
  readonly resolution: Resolution | null;
  readonly toldAt: Date | null;
}

export type Resolution = 'recovered' | 'rule_changed';

/** What was counted in the window of a rule. */
export interface WindowCounts {
  readonly total: number;
  readonly stopped: number;
  readonly failed: number;
}

/** The value of a measure; null for a share of nothing. */
export function valueOf(measure: MeasureName, counts: WindowCounts): number | null {
  const { of, unit } = measures[measure];
  if (unit === 'count') return counts[of];
  return counts.total === 0 ? null : counts[of] / counts.total;
}

/** Whether a rule fires at the value. */
export function fires(
  { measure, threshold, minCount }: Pick<Rule, 'measure' | 'threshold' | 'minCount'>,
  value: number | null,
  total: number,
): value is number {
  if (value === null) return false;
  return value >= threshold && (measures[measure].unit === 'count' || total >= minCount);
}

export const isMuted = ({ mutedUntil }: Pick<Rule, 'mutedUntil'>, now: Date): boolean =>
  mutedUntil !== null && mutedUntil > now;
