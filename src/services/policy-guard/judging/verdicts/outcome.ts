/** What a guard discloses of its findings to the caller. */
import type { Guard, Outcome } from '../../guards/guard.ts';
import type { GroupVerdict, Verdict } from './verdict.ts';

/** The result of judging, or that the text was not judged. */
export interface Judged {
  readonly found: readonly GroupVerdict[];
  /** The entry of the allow-list that lets the text pass; it was not judged then. */
  readonly allowedBy: string | null;
}

function outcomeOf({ settings }: Guard, { found, allowedBy }: Judged): Outcome {
  if (allowedBy !== null) return 'allowed';
  if (!found.some(({ flagged }) => flagged)) return 'passed';
  return settings.mode === 'observe' ? 'observed' : 'flagged';
}

/**
 * A group of which nothing is disclosed. Probabilities of zero would be untrue, and true ones would contradict categories that
 * are all false; so no policy is named at all, and `category == (probability >= threshold)` holds for each that is.
 */
const silent = (group: GroupVerdict): GroupVerdict => ({
  ...group,
  flagged: false,
  policies: [],
  reasoning: null,
});

/** The verdict as every API returns it: nothing flagged in observe mode and for allowed texts. */
export function concluded(guard: Guard, judged: Judged): Omit<Verdict, 'latencyMs'> {
  const { found, allowedBy } = judged;
  const outcome = outcomeOf(guard, judged);
  const reportsFindings = allowedBy === null && guard.settings.mode === 'enforce';
  return {
    guard,
    outcome,
    flagged: outcome === 'flagged',
    groups: reportsFindings ? found : found.map(silent),
    found: allowedBy === null ? found : [],
    allowedBy,
  };
}
