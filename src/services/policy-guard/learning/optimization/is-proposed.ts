/** Whether an optimisation is worth proposing. */
import type { Example } from '../../library/heads/example.ts';
import type { Sensitivity } from '../../judging/verdicts/verdict.ts';
import { alarmsAt, allowedRise, cutOf, type Objective, objectiveAt } from './operating-point.ts';
import type { Optimised } from './optimise.ts';

/**
 * It serves the objective better, on examples that had no part in it, and raises no false alarms: neither on the
 * examples, unless the objective says how many there may be, nor on ordinary messages.
 */
export function isProposed(
  { before, after, ordinary }: Pick<Optimised, 'before' | 'after' | 'ordinary'>,
  examples: readonly Example[],
  sensitivity: Sensitivity,
  objective: Objective,
): boolean {
  if (after === null) return false;
  const labels = examples.map(({ violates }) => (violates ? 1 : 0));
  const cut = cutOf(sensitivity);
  const valueOf = (logits: readonly number[]) => objectiveAt(logits, labels, cut, objective);
  const rise = alarmsAt(after, labels, cut) - alarmsAt(before, labels, cut);
  if (objective.kind === 'f1' && rise > allowedRise) return false;
  if (ordinary.after - ordinary.before > allowedRise) return false;
  return valueOf(after) > valueOf(before);
}
