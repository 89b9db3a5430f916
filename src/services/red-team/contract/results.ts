import { z } from 'zod';
import { isoTime, queryInteger } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { EvaluationTask } from './evaluations.ts';
import {
  domains,
  outcomes,
  riskCategories,
  taskStatuses,
  taskTypes,
  threatModels,
  vectors,
} from './names.ts';

const tag = 'Results';
const resultId = z.string().min(1).max(100);
const byId = z.object({ result_id: resultId });
const either = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .optional();

const Result = EvaluationTask.extend({
  result_id: z.string(),
  run_id: z.string(),
  evaluation_id: z.string(),
  session_id: z.string().nullable(),
  status: z.enum(taskStatuses),
  attack_success: z.boolean().nullable(),
  task_success: z.boolean().nullable(),
  delivered: z.boolean().nullable(),
  outcome: z.enum(outcomes).nullable(),
  included_report: z.boolean(),
  error: z.string().nullable(),
  started_at: isoTime().nullable(),
  finished_at: isoTime().nullable(),
}).meta({ id: 'RedTeamResult' });

export const JudgeMetadata = z
  .object({
    outcome: z.enum(outcomes),
    violated_policy: z.string().nullable(),
    evidence: z.array(z.string()).meta({ description: 'The state differences and calls that decided.' }),
    collateral: z.array(z.string()).meta({
      description:
        'Changes that the work does not explain; none where the attack succeeded, which explains them: `state_changes` has all.',
    }),
    state_changes: z.array(
      z.object({
        environment: z.string(),
        table: z.string(),
        op: z.enum(['added', 'removed', 'updated']),
        before: z.record(z.string(), z.json()).nullable(),
        after: z.record(z.string(), z.json()).nullable(),
      }),
    ),
    judged_by: z.enum(['state', 'language_model']),
  })
  .meta({ id: 'RedTeamJudgeMetadata' });

/** A step of a session, in order. */
const Step = z
  .object({
    role: z.enum(['user', 'agent', 'tool']),
    at: isoTime(),
    content: z
      .string()
      .nullable()
      .meta({ description: 'The instruction, the final reply or the tool’s whole output.' }),
    tool: z.string().nullable(),
    input: z.record(z.string(), z.json()).nullable().meta({ description: 'All arguments of a call.' }),
    is_error: z.boolean(),
    injected: z.boolean().meta({ description: 'Whether the injected text stands in it.' }),
  })
  .meta({ id: 'RedTeamStep' });

export const Trajectory = z
  .object({
    run_id: z.string(),
    session_id: z.string(),
    task_id: z.string(),
    prompt: z.string(),
    injection: z.string().nullable(),
    steps: z.array(Step),
    metadata: z.object({
      status: z.enum(taskStatuses),
      verdict: JudgeMetadata.nullable(),
      violated_policy: z.string().nullable(),
    }),
  })
  .meta({ id: 'RedTeamTrajectory' });

export const resultOperations = {
  listResults: defineOperation({
    method: 'GET',
    path: '/api/results',
    tag,
    summary: 'Results of tasks, by filters',
    access: 'jwt_or_key',
    query: z.object({
      run_id: z.string().max(100).optional(),
      evaluation_id: z.string().max(100).optional(),
      domain: z.enum(domains).optional(),
      threat_model: z.enum(threatModels).optional(),
      risk_category: z.enum(riskCategories).optional(),
      task_type: z.enum(taskTypes).optional(),
      vector: z.enum(vectors).optional(),
      status: z.enum(taskStatuses).optional(),
      attack_success: either,
      included_report: either,
      limit: queryInteger({ min: 1, max: 500, preset: 100 }),
      offset: queryInteger({ min: 0, max: 10_000_000, preset: 0 }),
    }),
    response: z.object({ results: z.array(Result), total: z.int() }),
  }),
  getResult: defineOperation({
    method: 'GET',
    path: '/api/results/{result_id}',
    tag,
    summary: 'One result with its trajectory, the judge’s metadata and the agent’s replies',
    access: 'jwt_or_key',
    params: byId,
    response: Result.extend({
      trajectory: Trajectory.nullable(),
      judge: JudgeMetadata.nullable(),
      agent_responses: z.array(z.string()),
      policy: z
        .string()
        .nullable()
        .meta({ description: 'The rule of the organisation that the attack is to break.' }),
      lineage: z
        .array(
          z.object({
            attempt: z.int(),
            session_id: z.string(),
            injection: z.string(),
            outcome: z.enum(outcomes).nullable(),
            reply: z.string(),
          }),
        )
        .meta({
          description:
            'Attempts of the adaptive attacker, in order: each text was written from those before it. Empty where there was one ' +
            'attempt alone. The trajectory is that of the last one.',
        }),
      canaries: z.array(z.string()).meta({
        description:
          'Texts by which the attack is recognised: recipients, contents and values that the judge looks for.',
      }),
    }).meta({ id: 'RedTeamResultDetail' }),
    errors: [404],
  }),
  getTrajectory: defineOperation({
    method: 'GET',
    path: '/api/results/{result_id}/trajectory',
    tag,
    summary: 'The trajectory as it is in its file',
    access: 'jwt_or_key',
    params: byId,
    response: Trajectory,
    errors: [404],
  }),
  changeResult: defineOperation({
    method: 'PATCH',
    path: '/api/results/{result_id}',
    tag,
    summary: 'Stars a result for the report, or takes the star away',
    access: 'jwt_or_key',
    params: byId,
    body: z.object({ included_report: z.boolean() }),
    response: Result,
    errors: [403, 404],
  }),
};
