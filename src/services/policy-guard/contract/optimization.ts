import { z } from 'zod';
import { isoTime, queryInteger, storedText, unitInterval } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { RunProgress } from '#base/contract/run-progress.ts';
import { fewestExamples, mostCharactersTogether, mostExamples, mostExamplesTogether } from './adaptations.ts';
import { PolicyGroup } from './groups.ts';
import { groupUuid } from './policies.ts';
import { Strictness } from './strictness.ts';

/** Maximum jobs of a group; older finished ones are deleted. */
export const mostJobs = 50;
/** Jobs of one user that wait or run. */
export const mostJobsUnderWay = 5;
/** A job that takes longer has failed. */
export const longestMinutes = 10;

const tag = 'Optimization lab';
const number = (count: number) => count.toLocaleString('en');

const OptimizationTier = z.enum(['fast', 'high', 'max']).meta({
  id: 'OptimizationTier',
  description:
    '`fast` moves the point from which on a policy flags. `high` also learns a correction of the policy from the ' +
    'examples. `max` also looks for a better wording of own policies: activities left out, joined, or added from what ' +
    'misjudged examples have in common, and whole wordings by the language model where one is configured.',
});

const Objective = z.enum(['f1', 'recall_at_fpr']).meta({
  id: 'OptimizationObjective',
  description: 'What is made as large as can be: F1, or recall within `max_false_positive_rate`.',
});

const Example = z
  .object({
    text: storedText({ min: 1, max: 8_000 }).meta({ description: 'At most 8,000 characters.' }),
    policy: z
      .string()
      .min(1)
      .max(255)
      .meta({ description: 'The name of an enabled policy of the group, built-in or own.' }),
    label: z.boolean().meta({ description: 'Whether the text violates the policy.' }),
  })
  .meta({ id: 'OptimizationExample' });

const Interval = z.object({ low: unitInterval(), high: unitInterval() }).meta({ id: 'OptimizationInterval' });

const Measures = z
  .object({
    f1: unitInterval(),
    precision: unitInterval().nullable().meta({ description: 'Null where nothing is flagged.' }),
    recall: unitInterval(),
    false_positive_rate: unitInterval(),
    auroc: unitInterval().meta({ description: 'The threshold does not matter to it; 0.5 is chance.' }),
    intervals: z
      .object({ recall: Interval, false_positive_rate: Interval, auroc: Interval })
      .meta({ description: 'At 95 %: what the true figures may be, as far as so many examples tell.' }),
  })
  .meta({ id: 'OptimizationMeasures', description: 'At the threshold and the strictness of the group.' });

const CurvePoint = z
  .object({
    threshold: unitInterval(),
    precision: unitInterval().nullable(),
    recall: unitInterval(),
  })
  .meta({ id: 'OptimizationCurvePoint' });

const ChangedExample = z
  .object({
    text: z.string().meta({ description: 'At most its first 500 characters.' }),
    label: z.boolean(),
    before: unitInterval().meta({ description: 'Its probability, at the strictness of the group.' }),
    after: unitInterval(),
  })
  .meta({ id: 'OptimizationChangedExample' });

const Proposal = z
  .object({
    threshold: unitInterval().meta({
      description:
        'At this threshold and strictness a group with this policy alone would flag as the policy will with ' +
        '`logit_shift` at the threshold and strictness that the group has.',
    }),
    strictness_level: Strictness,
    logit_shift: z.number().meta({
      description:
        'Added to the logit of the policy’s probability: the operating point of this policy alone. Threshold and ' +
        'strictness stand on the group, for all its policies, and are not changed.',
    }),
    learns_from_examples: z
      .boolean()
      .meta({ description: 'Whether a correction is learned, besides the shift.' }),
    description: z.string(),
    block_activities: z.array(z.string()),
    safe_activities: z.array(z.string()),
    changes: z
      .array(z.string())
      .meta({ description: 'What changes, a sentence each; empty where the policy stays as it is.' }),
  })
  .meta({ id: 'OptimizationProposal' });

const PolicyResult = z
  .object({
    policy: z.string(),
    policy_id: z.string(),
    examples: z.int(),
    violating: z.int().meta({ description: 'Examples that violate the policy.' }),
    few_examples: z.boolean().meta({
      description:
        'Fewer than 10 of a label: too few to learn from. Then nothing is learned, and the policy is not made to flag ' +
        'more, because false alarms would not show.',
    }),
    before: Measures,
    after: Measures.nullable().meta({
      description:
        'By cross-validation: what an example is measured by was learned from the other folds, and chosen by them. ' +
        'Null where one label has a single example.',
    }),
    improves: z.boolean().meta({
      description:
        'Whether `after` serves the objective better than `before` without raising false alarms (unless ' +
        '`max_false_positive_rate` allows them). Only then is it proposed.',
    }),
    kept_because: z
      .string()
      .nullable()
      .meta({ description: 'Why the policy stays as it is, a sentence; null where something is proposed.' }),
    everyday_flagged: z
      .object({ before: unitInterval(), after: unitInterval() })
      .meta({ description: 'Shares of some 130 ordinary messages to an assistant that are flagged.' }),
    proposal: Proposal,
    curves: z.object({ before: z.array(CurvePoint), after: z.array(CurvePoint).nullable() }).meta({
      description: 'Precision and recall of the examples at 51 thresholds, at the strictness of the group.',
    }),
    changed_examples: z.array(ChangedExample).meta({
      description: 'Examples that are judged differently afterwards, those that go wrong first; at most 50.',
    }),
    changed_total: z.int(),
  })
  .meta({ id: 'OptimizationPolicyResult' });

const job = {
  id: z.string(),
  kind: z.literal('policy_optimization'),
  job_id: z.string().meta({ description: 'The same as `id`.' }),
  group_uuid: z.string(),
  group_name: z.string().nullable().meta({ description: 'The name that the group has now.' }),
  group_version: z.int().meta({ description: 'Of the group when the job was made.' }),
  tier: OptimizationTier,
  objective: Objective,
  max_false_positive_rate: unitInterval(),
  status: z.enum(['queued', 'running', 'completed', 'failed', 'cancelled']),
  progress: RunProgress,
  error: z.string().nullable().meta({ description: 'Why it has failed.' }),
  applied_version: z
    .int()
    .nullable()
    .meta({ description: 'The version of the group that the job was applied as, the last time.' }),
  created_at: isoTime(),
  started_at: isoTime().nullable(),
  finished_at: isoTime().nullable(),
};

const Summary = z.object(job).meta({ id: 'OptimizationJobSummary' });

const Job = z
  .object({
    ...job,
    policies: z
      .array(PolicyResult)
      .nullable()
      .meta({ description: 'In the order of the examples; null until the job is completed.' }),
  })
  .meta({ id: 'OptimizationJob' });

const ofGroup = z.object({ group_uuid: groupUuid() });
const one = z.object({ job_id: z.string().min(1).max(100) });
const whose = 'For the owner of the policy group alone.';

/** Making the policies of a group better by labelled examples. */
export const optimizationOperations = {
  optimizePolicyGroup: defineOperation({
    method: 'POST',
    path: '/api/policy_groups/{group_uuid}/optimize',
    tag,
    summary: 'Optimise policies by labelled examples',
    description:
      'Makes a job that finds out what would judge the examples better, and how much better, by cross-validation. ' +
      `Nothing changes until it is applied. Each policy needs ${fewestExamples}–${mostExamples} different texts (case and white space apart) with ` +
      `at least one of each label; ${number(mostExamplesTogether)} examples and ${number(mostCharactersTogether)} ` +
      `characters together. A user has ${mostJobsUnderWay} jobs under way at most (409); a job ends after ` +
      `${longestMinutes} minutes. ${mostJobs} jobs of a group are kept, with their examples. ${whose} A group that is ` +
      'shared or ships with the product can be copied, and the copy optimised (403).',
    access: 'jwt',
    params: ofGroup,
    body: z
      .object({
        tier: OptimizationTier,
        examples: z.array(Example).min(1).max(mostExamplesTogether),
        objective: Objective.default('f1'),
        max_false_positive_rate: unitInterval()
          .default(0.05)
          .meta({ description: 'Of the examples that do not violate the policy; for `recall_at_fpr`.' }),
        everyday_messages: z
          .boolean()
          .default(true)
          .meta({
            description:
              'Whether ordinary messages to an assistant stand beside the examples, as texts that violate no policy, ' +
              'so that a policy does not come to flag what no example speaks of. False where such messages may well ' +
              'violate the policies.',
          }),
      })
      .meta({ id: 'OptimizationRequest' }),
    status: 202,
    response: z
      .object({ job_id: z.string(), status: z.literal('queued') })
      .meta({ id: 'OptimizationQueued' }),
    errors: [403, 404, 409],
  }),
  listOptimizationJobs: defineOperation({
    method: 'GET',
    path: '/api/policy_groups/{group_uuid}/optimization_jobs',
    tag,
    summary: 'The optimisation jobs of a group, newest first',
    description: whose,
    access: 'jwt',
    params: ofGroup,
    query: z.object({ limit: queryInteger({ min: 1, max: mostJobs, preset: 10 }) }),
    response: z.object({ jobs: z.array(Summary), total: z.int() }).meta({ id: 'OptimizationJobList' }),
    errors: [403, 404],
  }),
  getOptimizationJob: defineOperation({
    method: 'GET',
    path: '/api/optimization_jobs/{job_id}',
    tag,
    summary: 'One job: how far it is, and what it found',
    description: `Figures before and after, the proposal, curves and changed examples of each policy. ${whose}`,
    access: 'jwt',
    params: one,
    response: Job,
    errors: [404],
  }),
  watchOptimizationJob: defineOperation({
    method: 'GET',
    path: '/api/optimization_jobs/{job_id}/events',
    tag,
    summary: 'Progress as server-sent events: `progress` with each change, until the job ends',
    description: `The data is the job without its \`policies\`. ${whose}`,
    access: 'jwt',
    params: one,
    response: z.string(),
    contentType: 'text/event-stream',
    errors: [404],
  }),
  cancelOptimizationJob: defineOperation({
    method: 'POST',
    path: '/api/optimization_jobs/{job_id}/cancel',
    tag,
    summary: 'Cancel a job that waits or runs',
    description: `409 for one that has ended. ${whose}`,
    access: 'jwt',
    params: one,
    response: Summary,
    errors: [404, 409],
  }),
  applyOptimizationJob: defineOperation({
    method: 'POST',
    path: '/api/optimization_jobs/{job_id}/apply',
    tag,
    summary: 'Write what a job proposes as a new version of the group',
    description:
      'Of all policies that improve, or of those that are named; whether they improve does not matter then. 409 where ' +
      'the job is not completed, where nothing improves, and where a policy, or the threshold or strictness of the group, ' +
      'is no longer what the job has measured. What was learned goes with the policy: history shows it, and restoring ' +
      `an earlier version takes it back. ${whose}`,
    access: 'jwt',
    params: one,
    body: z
      .object({
        policies: z
          .array(z.string().max(255))
          .min(1)
          .max(200)
          .optional()
          .meta({ description: 'Names of policies of the job.' }),
      })
      .meta({ id: 'OptimizationApply' }),
    response: PolicyGroup,
    errors: [403, 404, 409],
  }),
};
