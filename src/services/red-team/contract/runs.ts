import { z } from 'zod';
import { isoTime, page } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { Comparison } from './comparison.ts';
import { evaluationId } from './evaluations.ts';
import { runStatuses } from './names.ts';
import { Rates } from './rates.ts';
import { RunRecord, TaskCounts } from './run-record.ts';

const tag = 'Runs';
export const runId = z.string().min(1).max(100);
const byId = z.object({ run_id: runId });

export const runOperations = {
  createRun: defineOperation({
    method: 'POST',
    path: '/api/runs',
    tag,
    summary: 'Creates a run of an evaluation; it is started by its own operation',
    access: 'jwt_or_key',
    body: z.object({
      evaluation_id: evaluationId,
      concurrency: z.int().min(1).max(256).optional().meta({
        description:
          'Tasks at a time; default: the setting. An agent with one fixed MCP address works on one task at a time.',
      }),
      adaptive_budget: z
        .int()
        .min(0)
        .max(1000)
        .default(0)
        .meta({
          description:
            'How many injections that were delivered and resisted a language model may rewrite in this run, at most three a task; ' +
            'each is another session with the agent. 0: none. Without a configured language model: 409.',
        }),
      gateway_id: z
        .string()
        .min(1)
        .max(100)
        .optional()
        .meta({
          description:
            'A gateway of the agent gateway: each task’s calls go through a gateway of their own with its settings (action guard, ' +
            'output guard, pins, access rules), so that the agent can be compared with and without it.',
        }),
    }),
    response: RunRecord,
    errors: [404, 409, 502, 503],
  }),
  startRun: defineOperation({
    method: 'POST',
    path: '/api/runs/{run_id}/start',
    tag,
    summary: 'Starts a created run',
    access: 'jwt_or_key',
    params: byId,
    response: RunRecord,
    errors: [403, 404, 409],
  }),
  cancelRun: defineOperation({
    method: 'POST',
    path: '/api/runs/{run_id}/cancel',
    tag,
    summary: 'Cancels a run: no task begins any more, running ones are ended',
    access: 'jwt_or_key',
    params: byId,
    response: RunRecord,
    errors: [403, 404, 409],
  }),
  listRuns: defineOperation({
    method: 'GET',
    path: '/api/runs',
    tag,
    summary: 'Runs of all evaluations that the caller may read, the newest first',
    access: 'jwt_or_key',
    query: z.object({
      status: z.enum(runStatuses).optional(),
      since: isoTime().optional().meta({ description: 'Runs created then or later.' }),
      ...page,
    }),
    response: z.object({ runs: z.array(RunRecord), total: z.int() }),
  }),
  compareRuns: defineOperation({
    method: 'GET',
    path: '/api/runs/{run_id}/compare/{other_run_id}',
    tag,
    summary: 'Compares two runs: figures of both, and the tasks that ended differently',
    description:
      'Tasks are told to be the same by `task_id`. Paired figures count only the tasks that both runs have assessed.',
    access: 'jwt_or_key',
    params: byId.extend({ other_run_id: runId }),
    response: Comparison,
    errors: [404],
  }),
  getRun: defineOperation({
    method: 'GET',
    path: '/api/runs/{run_id}',
    tag,
    summary: 'A run: configuration, times, error',
    access: 'jwt_or_key',
    params: byId,
    response: RunRecord,
    errors: [404],
  }),
  getRunStatus: defineOperation({
    method: 'GET',
    path: '/api/runs/{run_id}/status',
    tag,
    summary: 'Status and counts alone, for polling',
    access: 'jwt_or_key',
    params: byId,
    response: TaskCounts.extend({ run_id: z.string(), status: z.enum(runStatuses) }).meta({
      id: 'RedTeamRunStatus',
    }),
    errors: [404],
  }),
  watchRun: defineOperation({
    method: 'GET',
    path: '/api/runs/{run_id}/events',
    tag,
    summary: 'Progress as server-sent events, until the run ends',
    access: 'jwt_or_key',
    params: byId,
    response: z.string(),
    contentType: 'text/event-stream',
    errors: [404],
  }),
  getRunStats: defineOperation({
    method: 'GET',
    path: '/api/sessions/{run_id}/stats',
    tag,
    summary: 'Rates of a run: in all, and by category, domain, threat model and vector',
    access: 'jwt_or_key',
    params: byId,
    response: z
      .object({
        run_id: z.string(),
        total: Rates,
        by_risk_category: z.record(z.string(), Rates),
        by_domain: z.record(z.string(), Rates),
        by_threat_model: z.record(z.string(), Rates),
        by_vector: z.record(z.string(), Rates),
        outcomes: z.record(z.string(), z.int()),
        /** Category → domain → attack success. */
        heat_map: z.record(z.string(), z.record(z.string(), Rates.shape.asr)),
      })
      .meta({ id: 'RedTeamRunStats' }),
    errors: [404],
  }),
  deleteRuns: defineOperation({
    method: 'POST',
    path: '/api/runs/bulk-delete',
    tag,
    summary: 'Deletes several runs; running ones are cancelled',
    access: 'jwt_or_key',
    body: z.object({ run_ids: z.array(runId).min(1).max(500) }),
    response: z.object({ deleted: z.array(z.string()), not_found: z.array(z.string()) }),
    errors: [403],
  }),
};
