import type { ActionVerdict, RuleFinding, TraceStep } from '#engine/actions/types.ts';
import type { LiveSet } from '../sets/live-sets.ts';

/** What a second judge, a language model, is asked once the engine has judged. */
export interface JudgeQuestion {
  readonly steps: readonly TraceStep[];
  readonly liveSet: LiveSet;
  /** What the engine found: the judge may add to it and raise it, and never takes anything away. */
  readonly verdict: ActionVerdict;
  readonly fastMode: boolean;
}

export interface JudgedFindings {
  readonly findings: readonly RuleFinding[];
  readonly status: 'ok' | 'degraded';
}

/** Where a language model takes part. It must answer in time by itself, and never throws for what a model said. */
export interface Judge {
  /** `degraded` where the model did not answer, or not in a form that could be read. */
  judge(question: JudgeQuestion): Promise<JudgedFindings>;
}
