import type { Best, PolicySet } from '../embedded/judge.ts';
import type { Answer, Backend } from './backend.ts';
import type { FailMode } from '../../guards/engines.ts';
import { atAll, either, shifted, strongerOf } from './probabilities.ts';
import type { Decided } from './finding.ts';
import { likelyAttempt } from './suspicion.ts';

interface Asked {
  readonly backend: Backend | undefined;
  readonly answer: Answer;
}

interface Circumstances {
  readonly failMode: FailMode;
  /** How likely the text talks to its judge, 0..1. */
  readonly attempt: number;
}

const aboutAttempts: readonly (string | undefined)[] = ['prompt-injection', 'jailbreak-attempt'];

/** Decides a policy: by the embedded engine, by another judge, or by the fail mode. */
export function settled(
  { policy, best }: { policy: PolicySet['policies'][number]; best: Best },
  asked: Asked | undefined,
  { failMode, attempt }: Circumstances,
): Decided {
  const embedded = shifted(best.score.probability);
  const base = { policy, best, failure: undefined };
  if (asked === undefined) return { ...base, engine: 'embedded', probabilities: embedded };
  const { answer, backend } = asked;
  if ('failure' in answer || backend === undefined) {
    const failure = 'failure' in answer ? answer.failure : 'not_configured';
    if (failMode === 'degrade') return { ...base, engine: 'embedded', probabilities: embedded, failure };
    return { ...base, engine: 'none', probabilities: atAll(failMode === 'closed' ? 1 : 0), failure };
  }
  let { probabilities } = answer;
  // A judge that did not answer the question may have been manipulated by the text.
  if (answer.isSuspicious) probabilities = either(probabilities, atAll(attempt));
  // The embedded engine cannot be manipulated by instructions in the text.
  const mayBeTalkedTo = attempt >= likelyAttempt || aboutAttempts.includes(policy.source.detector);
  // Nor can it hide there what another judge did not read.
  if (mayBeTalkedTo || !answer.isWhole) probabilities = strongerOf(probabilities, embedded);
  return { ...base, engine: backend.engine, probabilities };
}
