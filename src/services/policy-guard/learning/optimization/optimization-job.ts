/** A job of the optimisation lab: options and results. Independent of database and wire format. */
import type { Head } from '#engine/text/adapted-head.ts';
import type { Example } from '../../library/heads/example.ts';
import type { Sensitivity } from '../../judging/verdicts/verdict.ts';
import type { Policy } from '../../library/policies/policy-group.ts';
import type { Objective } from './operating-point.ts';
import type { Tier } from './optimise.ts';
import type { Wording } from './wording.ts';

export interface JobOptions {
  readonly tier: Tier;
  readonly objective: Objective['kind'];
  readonly maxFalsePositiveRate: number;
  readonly everyday: boolean;
}

/** A policy with the examples that are meant for it. */
export interface LabelledPolicy {
  readonly policyId: string;
  readonly name: string;
  readonly examples: readonly Example[];
}

/** What a job found for one policy, and what it was measured on. */
export interface PolicyResult {
  /** Policy and sensitivity as measured: the proposal is valid only for these. */
  readonly policy: Policy;
  readonly sensitivity: Sensitivity;
  /** Logits of the examples, at medium strictness. */
  readonly before: readonly number[];
  readonly after: readonly number[] | null;
  /** Area under the ROC curve of `after`; missing in results of earlier versions. */
  readonly afterOrder?: number | null;
  readonly improves: boolean;
  readonly everydayFlagged: { readonly before: number; readonly after: number };
  readonly head: Head;
  readonly scale: number | null;
  readonly shift: number;
  /** Whether the tuning that the policy has is only shifted. */
  readonly shiftsTuning: boolean;
  readonly wording: Wording | null;
  /** What the wording changes, a phrase each. */
  readonly rewords: readonly string[];
  readonly engineVersion: string;
  /** When the exemplars used for the proposal were written. */
  readonly exemplarsAt: string | null;
}

export interface JobSummary {
  readonly jobId: string;
  readonly groupUuid: string;
  readonly groupVersion: number;
  readonly options: JobOptions;
  readonly status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';
  readonly progress: { readonly done: number; readonly total: number | null; readonly step: string | null };
  readonly error: string | null;
  readonly appliedVersion: number | null;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

export interface Job extends JobSummary {
  readonly labelled: readonly LabelledPolicy[];
  readonly results: readonly PolicyResult[] | null;
}

export const objectiveOf = ({ objective, maxFalsePositiveRate }: JobOptions): Objective =>
  objective === 'f1' ? { kind: objective } : { kind: objective, maxFalsePositiveRate };

/** What the proposal changes, a sentence each; none where the policy stays as it is. */
export function changesOf({ shift, scale, shiftsTuning, rewords, before }: PolicyResult): string[] {
  const changes = rewords.map((what) => `It ${what}.`);
  if (scale !== null && !shiftsTuning) changes.push(`It learns from ${before.length} examples.`);
  if (shift !== 0)
    changes.push(
      `Its operating point moves by ${shift > 0 ? '+' : '−'}${Math.abs(shift).toFixed(2)} logits: it flags ${shift > 0 ? 'more' : 'less'}.`,
    );
  return changes;
}

const mostNamed = 5;

/** One sentence for the history. */
export function summaryOf({ jobId, options }: JobSummary, applied: readonly PolicyResult[]): string {
  const each = applied
    .slice(0, mostNamed)
    .map((result) => `"${result.policy.name}": ${changesOf(result).join(' ') || 'It stays as it is.'}`);
  const more = applied.length > mostNamed ? ` And ${applied.length - mostNamed} more policies.` : '';
  return `Optimised (${options.tier}, job ${jobId}). ${each.join(' ')}${more}`;
}

/** Whether the policy and the sensitivity are still what the result was measured on. */
export const isStillAs = (
  result: PolicyResult,
  policy: Policy | undefined,
  sensitivity: Sensitivity,
): boolean =>
  policy !== undefined &&
  JSON.stringify(measuredOf(policy)) === JSON.stringify(measuredOf(result.policy)) &&
  sensitivity.threshold === result.sensitivity.threshold &&
  sensitivity.strictnessLevel === result.sensitivity.strictnessLevel;

const measuredOf = ({ id, name, description, blockActivities, safeActivities, ...rest }: Policy) => [
  id,
  name,
  description,
  blockActivities,
  safeActivities,
  rest.enabled,
  rest.detector ?? null,
  rest.tuningId ?? null,
];
