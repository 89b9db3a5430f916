import type { Condition, RuleClause } from '../clauses.ts';

/** A clause without its confidence. */
export interface Situation {
  when: Condition[];
  unless: Condition[][];
  need: Condition[];
  asks: boolean;
}

export const clause = (situation: Situation, confidence: number): RuleClause => ({
  ...situation,
  confidence,
});
export const plain = (when: Condition[]): Situation => ({ when, unless: [], need: [], asks: false });
