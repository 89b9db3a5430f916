import type { TextEngine } from '#engine/text/engine.ts';
import type { Best, PolicySet } from '../embedded/judge.ts';

const detectors = ['prompt-injection', 'jailbreak-attempt'] as const;

/** From this probability on the text counts as an attempt to manipulate its judge. */
export const likelyAttempt = 0.5;

/** How likely a text talks to its judge: the embedded detectors of injections and jailbreaks, beside every question. */
export function createSuspicion(engine: TextEngine): {
  readonly set: PolicySet;
  of(best: readonly Best[]): number;
} {
  const policies = detectors.map((detector) => {
    const source = { name: detector, description: '', blockActivities: [], safeActivities: [], detector };
    return { name: detector, source, compiled: engine.compile(source) };
  });
  return {
    set: { policies, sensitivity: { threshold: 1, strictnessLevel: 'medium' } },
    of: (best) => Math.max(0, ...best.map(({ score }) => score.probability)),
  };
}
