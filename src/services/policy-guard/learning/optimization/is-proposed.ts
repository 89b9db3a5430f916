/** Whether an optimisation is worth proposing. */
import type { Example } from '../../library/heads/example.ts';
import type { Sensitivity } from '../../judging/verdicts/verdict.ts';
import { alarmsAt, allowedRise, cutOf, type Objective, objectiveAt } from './operating-point.ts';
import type { Optimised } from './optimise.ts';

type Measured = Pick<Optimised, 'before' | 'after' | 'ordinary'>;

/** Why a policy stays as it is. */
type Obstacle = 'single_example' | 'false_alarms' | 'ordinary_flagged' | 'no_gain';

/**
 * What speaks against proposing it; undefined if it serves the objective better, on examples that had no part in it, and
 * raises no false alarms: neither on the examples, unless the objective says how many there may be, nor on ordinary
 * messages.
 */
function obstacleTo(
  { before, after, ordinary }: Measured,
  examples: readonly Example[],
  sensitivity: Sensitivity,
  objective: Objective,
): Obstacle | undefined {
  if (after === null) return 'single_example';
  const labels = examples.map(({ violates }) => (violates ? 1 : 0));
  const cut = cutOf(sensitivity);
  const valueOf = (logits: readonly number[]) => objectiveAt(logits, labels, cut, objective);
  const rise = alarmsAt(after, labels, cut) - alarmsAt(before, labels, cut);
  if (objective.kind === 'f1' && rise > allowedRise) return 'false_alarms';
  if (ordinary.after - ordinary.before > allowedRise) return 'ordinary_flagged';
  return valueOf(after) > valueOf(before) ? undefined : 'no_gain';
}

export const isProposed = (
  measured: Measured,
  examples: readonly Example[],
  sensitivity: Sensitivity,
  objective: Objective,
): boolean => obstacleTo(measured, examples, sensitivity, objective) === undefined;

const words: Record<Obstacle, string> = {
  single_example:
    'One label has a single example, so that nothing could be measured on texts that were not learned from.',
  false_alarms: 'What judges the violations better flags more of the harmless examples.',
  ordinary_flagged: 'What judges the examples better flags more ordinary messages.',
  no_gain: 'Nothing that was tried judges examples better that it was not made from.',
};

/** The same in a sentence, for its owner. */
export const whyKept = (
  measured: Measured,
  examples: readonly Example[],
  sensitivity: Sensitivity,
  objective: Objective,
): string => words[obstacleTo(measured, examples, sensitivity, objective) ?? 'no_gain'];
