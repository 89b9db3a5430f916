import type { TestCase } from '../../library/test-cases/test-case.ts';

/** Closer than this to the threshold is near. */
const nearBy = 0.1;

export interface CaseResult {
  readonly probability: number;
  readonly flagged: boolean;
  readonly outcome: 'found' | 'missed' | 'false_alarm' | 'passed';
  /** Right, and hardly so. */
  readonly near: boolean;
}

export function resultOf({ violates }: TestCase, probability: number, threshold: number): CaseResult {
  const flagged = probability >= threshold;
  const right = violates ? ('found' as const) : ('passed' as const);
  const wrong = violates ? ('missed' as const) : ('false_alarm' as const);
  return {
    probability,
    flagged,
    outcome: flagged === violates ? right : wrong,
    near: flagged === violates && Math.abs(probability - threshold) < nearBy,
  };
}

export const isRight = ({ outcome }: CaseResult): boolean => outcome === 'found' || outcome === 'passed';

/** Right, and not only just. */
export const isSettled = (result: CaseResult): boolean => isRight(result) && !result.near;
