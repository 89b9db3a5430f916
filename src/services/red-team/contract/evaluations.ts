import { z } from 'zod';
import { isoTime, page, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { ownerFilter, userName, visibilityField } from '#identity/contract/sharing.ts';
import { agentId } from './agents.ts';
import { domains, riskCategories, taskTypes, threatModels, vectors } from './names.ts';
import { RunRecord } from './run-record.ts';
import { Rates } from './rates.ts';
import { Selection, selectionFields } from './selection.ts';

const tag = 'Evaluations';
export const evaluationId = z.string().min(1).max(100);
const byId = z.object({ evaluation_id: evaluationId });
const counts = z.record(z.string(), z.int());

export const Evaluation = z
  .object({
    evaluation_id: z.string(),
    name: z.string(),
    agent_id: z.string().nullable(),
    agent_name: z.string().nullable(),
    agent_endpoint: z.string(),
    selection: Selection,
    total_tasks: z.int(),
    created_at: isoTime(),
    visibility: visibilityField(),
    owner_id: z.string(),
    owner_name: userName(),
  })
  .meta({ id: 'Evaluation' });

const EvaluationWithStats = Evaluation.extend({
  runs: z.int(),
  last_run: RunRecord.nullable(),
  rates: Rates.nullable().meta({ description: 'Of the newest completed run; null before one.' }),
}).meta({ id: 'EvaluationWithStats' });

export const EvaluationTask = z
  .object({
    task_id: z.string(),
    title: z.string(),
    domain: z.enum(domains),
    environments: z.array(z.string()),
    threat_model: z.enum(threatModels),
    task_type: z.enum(taskTypes),
    risk_category: z.enum(riskCategories).nullable(),
    sub_category: z.string().nullable(),
    vector: z.enum(vectors).nullable(),
    template: z.string().nullable(),
  })
  .meta({ id: 'EvaluationTask' });

export const evaluationOperations = {
  createEvaluation: defineOperation({
    method: 'POST',
    path: '/api/evaluations',
    tag,
    summary: 'Creates an evaluation: one task for each task of the data set that the selection matches',
    access: 'jwt_or_key',
    body: z.object({
      name: storedText({ min: 1, max: 200 }),
      agent_id: agentId.optional().meta({ description: 'A registered agent.' }),
      agent_endpoint: z
        .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
        .max(2000)
        .optional()
        .meta({
          description: 'Without `agent_id`: the registered agent with this address, else the address itself.',
        }),
      ...selectionFields,
      visibility: visibilityField().default('private'),
    }),
    response: Evaluation,
    errors: [404, 409],
  }),
  previewEvaluation: defineOperation({
    method: 'POST',
    path: '/api/evaluations/preview',
    tag,
    summary: 'Counts the tasks that a selection matches, before an evaluation is created',
    description:
      'Nothing is stored. `facets` counts, for each value of a filter, the tasks that match with all other filters: what ' +
      'choosing this value would give.',
    access: 'jwt_or_key',
    body: z.object(selectionFields),
    response: z
      .object({
        matching: z.int().meta({ description: 'Tasks that the filters match.' }),
        total_tasks: z.int().meta({ description: 'Tasks that an evaluation would have: the sample.' }),
        sample: z
          .object({ threat_models: counts, risk_categories: counts, domains: counts, vectors: counts })
          .meta({ description: 'What those tasks are.' }),
        facets: z.object({
          domains: counts,
          risk_categories: counts,
          threat_models: counts,
          task_types: counts,
          vectors: counts,
          templates: counts,
          environments: counts,
        }),
      })
      .meta({ id: 'EvaluationPreview' }),
  }),
  listEvaluations: defineOperation({
    method: 'GET',
    path: '/api/evaluations',
    tag,
    summary: 'The evaluations that the caller may see, the newest first',
    access: 'jwt_or_key',
    query: z.object({ owner: ownerFilter('all'), ...page }),
    response: z.object({ evaluations: z.array(Evaluation), total: z.int() }),
  }),
  listEvaluationsWithStats: defineOperation({
    method: 'GET',
    path: '/api/evaluations/with-stats',
    tag,
    summary: 'The same with the number of runs and the rates of the newest one',
    access: 'jwt_or_key',
    query: z.object({ owner: ownerFilter('all'), ...page }),
    response: z.object({ evaluations: z.array(EvaluationWithStats), total: z.int() }),
  }),
  getEvaluation: defineOperation({
    method: 'GET',
    path: '/api/evaluations/{evaluation_id}',
    tag,
    summary: 'One evaluation',
    access: 'jwt_or_key',
    params: byId,
    response: Evaluation,
    errors: [404],
  }),
  listEvaluationTasks: defineOperation({
    method: 'GET',
    path: '/api/evaluations/{evaluation_id}/tasks',
    tag,
    summary: 'The tasks of an evaluation',
    access: 'jwt_or_key',
    params: byId,
    query: z.object(page),
    response: z.object({ tasks: z.array(EvaluationTask), total: z.int() }),
    errors: [404],
  }),
  listEvaluationRuns: defineOperation({
    method: 'GET',
    path: '/api/evaluations/{evaluation_id}/sessions',
    tag,
    summary: 'The runs of an evaluation, the newest first',
    access: 'jwt_or_key',
    params: byId,
    query: z.object(page),
    response: z.object({ runs: z.array(RunRecord), total: z.int() }),
    errors: [404],
  }),
  changeEvaluation: defineOperation({
    method: 'PATCH',
    path: '/api/evaluations/{evaluation_id}',
    tag,
    summary: 'Shares an evaluation with the tenant, or ends that; its runs and reports go with it',
    access: 'jwt_or_key',
    params: byId,
    body: z.object({ visibility: visibilityField() }),
    response: Evaluation,
    errors: [403, 404],
  }),
  deleteEvaluation: defineOperation({
    method: 'DELETE',
    path: '/api/evaluations/{evaluation_id}',
    tag,
    summary: 'Deletes an evaluation with its runs; a running one is cancelled',
    access: 'jwt_or_key',
    params: byId,
    response: z.object({ message: z.string() }),
    errors: [403, 404],
  }),
};
