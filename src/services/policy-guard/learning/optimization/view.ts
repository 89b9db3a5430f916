import { threeDecimals } from '#base/three-decimals.ts';
import { toIsoTime } from '#base/clock.ts';
import type { Answer, Checked } from '#base/contract/operation.ts';
import { atCut } from '#engine/evaluation/confusion.ts';
import { type Interval, rocInterval, wilsonInterval } from '#engine/evaluation/intervals.ts';
import { areaUnderRoc } from '#engine/evaluation/ranking.ts';
import type { Example } from '../../library/heads/example.ts';
import type { SentExample } from '../adaptations/examples.ts';
import type { optimizationOperations } from '../../contract/optimization.ts';
import { atStrictness } from '../../judging/embedded/judge.ts';
import { sameAsShift, sigmoid } from './operating-point.ts';
import { whyKept } from './is-proposed.ts';
import {
  changesOf,
  type Job,
  type JobSummary,
  type JobOptions,
  objectiveOf,
  type PolicyResult,
} from './optimization-job.ts';
import { isFew } from './tune.ts';

type Operations = typeof optimizationOperations;
type WireJob = Answer<Operations['getOptimizationJob']>;
type WireResult = NonNullable<WireJob['policies']>[number];

export const newJobFromWire = (
  wire: Checked<Operations['optimizePolicyGroup']>['body'],
): JobOptions & { examples: readonly SentExample[] } => ({
  tier: wire.tier,
  objective: wire.objective,
  maxFalsePositiveRate: wire.max_false_positive_rate,
  everyday: wire.everyday_messages,
  examples: wire.examples.map(({ text, policy, label }) => ({
    text,
    policy,
    groupUuid: undefined,
    violates: label,
  })),
});

/** @param groupName of the policy group that the job is about */
export const summaryToWire = (
  job: JobSummary,
  groupName: string | null,
): Answer<Operations['cancelOptimizationJob']> => ({
  id: job.jobId,
  kind: 'policy_optimization' as const,
  job_id: job.jobId,
  group_uuid: job.groupUuid,
  group_name: groupName,
  group_version: job.groupVersion,
  tier: job.options.tier,
  objective: job.options.objective,
  max_false_positive_rate: job.options.maxFalsePositiveRate,
  status: job.status,
  progress: job.progress,
  error: job.error,
  applied_version: job.appliedVersion,
  created_at: toIsoTime(job.createdAt),
  started_at: job.startedAt && toIsoTime(job.startedAt),
  finished_at: job.finishedAt && toIsoTime(job.finishedAt),
});

export const jobToWire = (job: Job, groupName: string | null): WireJob => ({
  ...summaryToWire(job, groupName),
  policies:
    job.results?.map((result) => {
      const examples = job.labelled.find(({ policyId }) => policyId === result.policy.id)?.examples ?? [];
      return resultToWire(result, examples, job.options);
    }) ?? null,
});

const precisionToWire = (precision: number) => (Number.isNaN(precision) ? null : threeDecimals(precision));

function resultToWire(result: PolicyResult, examples: readonly Example[], options: JobOptions): WireResult {
  const { policy, sensitivity, improves, everydayFlagged, wording, shift } = result;
  const labels = examples.map(({ violates }) => (violates ? 1 : 0));
  const probabilities = (logits: readonly number[]) =>
    logits.map((logit) => atStrictness(sigmoid(logit), sensitivity));
  const before = probabilities(result.before);
  const after = result.after && probabilities(result.after);
  const { threshold, strictnessLevel } = sameAsShift(sensitivity, shift);
  const changed = after === null ? [] : changedOf(examples, before, after, sensitivity.threshold);
  return {
    policy: policy.name,
    policy_id: policy.id,
    examples: examples.length,
    violating: labels.filter((label) => label === 1).length,
    few_examples: isFew(labels),
    before: measuresToWire(before, labels, sensitivity.threshold),
    after: after && measuresToWire(after, labels, sensitivity.threshold, result.afterOrder ?? undefined),
    improves,
    kept_because: improves
      ? null
      : whyKept({ ...result, ordinary: everydayFlagged }, examples, sensitivity, objectiveOf(options)),
    everyday_flagged: {
      before: threeDecimals(everydayFlagged.before),
      after: threeDecimals(everydayFlagged.after),
    },
    proposal: {
      threshold: Math.round(threshold * 1e4) / 1e4,
      strictness_level: strictnessLevel,
      logit_shift: shift,
      learns_from_examples: result.scale !== null && !result.shiftsTuning,
      description: wording?.description ?? policy.description,
      block_activities: [...(wording ?? policy).blockActivities],
      safe_activities: [...(wording ?? policy).safeActivities],
      changes: changesOf(result),
    },
    curves: { before: curve(before, labels), after: after && curve(after, labels) },
    changed_examples: changed.slice(0, mostShown),
    changed_total: changed.length,
  };
}

/** @param order area under the ROC curve where judgements of different folds are not to be compared */
function measuresToWire(
  probabilities: readonly number[],
  labels: readonly number[],
  threshold: number,
  order = areaUnderRoc(probabilities, labels),
) {
  const { f1, precision, recall, falsePositiveRate } = atCut(probabilities, labels, threshold);
  const positives = labels.filter((label) => label === 1).length;
  const negatives = labels.length - positives;
  return {
    f1: threeDecimals(f1),
    precision: precisionToWire(precision),
    recall: threeDecimals(recall),
    false_positive_rate: threeDecimals(falsePositiveRate),
    auroc: threeDecimals(order),
    intervals: {
      recall: intervalToWire(wilsonInterval(recall * positives, positives)),
      false_positive_rate: intervalToWire(wilsonInterval(falsePositiveRate * negatives, negatives)),
      auroc: intervalToWire(rocInterval(order, positives, negatives)),
    },
  };
}

const intervalToWire = ({ low, high }: Interval) => ({ low: threeDecimals(low), high: threeDecimals(high) });

const curvePoints = 50;

const curve = (probabilities: readonly number[], labels: readonly number[]) =>
  Array.from({ length: curvePoints + 1 }, (_, i) => {
    const threshold = i / curvePoints;
    const { precision, recall } = atCut(probabilities, labels, threshold);
    return { threshold, precision: precisionToWire(precision), recall: threeDecimals(recall) };
  });

const mostShown = 50;
const mostCharacters = 500;

/** Examples that change sides, those that go wrong first. */
function changedOf(
  examples: readonly Example[],
  before: readonly number[],
  after: readonly number[],
  threshold: number,
) {
  return examples
    .map(({ text, violates }, i) => ({
      text: text.slice(0, mostCharacters).toWellFormed(),
      label: violates,
      before: before[i] ?? 0,
      after: after[i] ?? 0,
    }))
    .filter((each) => each.before >= threshold !== each.after >= threshold)
    .sort((a, b) => Number(a.after >= threshold === a.label) - Number(b.after >= threshold === b.label));
}
