import type { z } from 'zod';
import { type Clock, toIsoTime } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { badRequest, conflict, invalid, notFound } from '#base/errors.ts';
import type { Handlers } from '#base/http/mount.ts';
import { newUuid } from '#base/ids.ts';
import type { Outbound } from '#base/net/outbound.ts';
import type { TaskInstance } from '#engine/red-team/tasks/instance.ts';
import type { Asking } from '#identity/audit/audit.ts';
import { resourceEvent } from '#identity/audit/resource-event.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import { changeableOrRefused, readableOr404, viewerOf } from '#identity/sharing.ts';
import { checkConnection, noSecrets, plainOptions } from '../agents/connection.ts';
import { findAgent, findByEndpoint } from '../agents/store.ts';
import type { Evaluation, EvaluationTask, evaluationOperations } from '../contract/evaluations.ts';
import { viewsOf } from '../runs/routes.ts';
import type { RedTeamRuns } from '../runs/runs.ts';
import { statsOf } from '../runs/stats.ts';
import { listRuns } from '../runs/store.ts';
import * as store from '../tasks/evaluation-store.ts';
import { tasksOfSet } from '../tasks/own-task-store.ts';
import { previewOf } from '../tasks/preview.ts';
import { selectTasks, type TaskSelection } from '../tasks/select.ts';

export interface EvaluationDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly identity: Identity;
  readonly outbound: Outbound;
  readonly runs: RedTeamRuns;
  readonly tasks: () => readonly TaskInstance[];
}

type Operations = typeof evaluationOperations;
type Body = z.output<Operations['createEvaluation']['body']>;
type View = z.input<typeof Evaluation>;

const taskView = (task: TaskInstance): z.input<typeof EvaluationTask> => ({
  task_id: task.id,
  title: task.title,
  domain: task.domain,
  environments: task.envs,
  threat_model: task.threatModel,
  task_type: task.taskType,
  risk_category: task.riskCategory,
  sub_category: task.subCategory,
  vector: task.vector,
  template: task.template,
});

function selectionOf(body: Body): TaskSelection {
  const {
    name: _name,
    agent_id: _agent,
    agent_endpoint: _endpoint,
    visibility: _visibility,
    ...selection
  } = body;
  return selection;
}

class Evaluations {
  readonly #deps: EvaluationDeps;

  constructor(deps: EvaluationDeps) {
    this.#deps = deps;
  }

  /** @throws AppError 404 for an unknown agent, 409 for a name that is taken, 422 for a selection without tasks */
  async create(asking: Asking, body: Body): Promise<store.StoredEvaluation> {
    const { db, clock, identity } = this.#deps;
    const { caller } = asking;
    const agent = await this.#agent(caller, body);
    const selection = selectionOf(body);
    const selected = selectTasks(await this.tasksFor(caller, selection), selection);
    if (selected.length === 0)
      throw invalid(
        'No task matches the selection. GET /api/metadata/task-facets tells what there is; leave a list empty to select ' +
          'everything of its kind.',
      );
    const evaluation = {
      evaluationId: newUuid(),
      tenantId: caller.tenantId,
      ownerId: caller.userId,
      visibility: body.visibility,
      name: body.name,
      agentId: agent.id,
      agentEndpoint: agent.endpoint,
      selection,
      createdAt: new Date(clock.now()),
    };
    await db.transaction(async (tx) => {
      if (!(await store.insertEvaluation(tx, evaluation, selected)))
        throw conflict(`'name' ${JSON.stringify(body.name)} is taken by another evaluation of your tenant.`);
      const { evaluationId: id, name, visibility, agentEndpoint } = evaluation;
      const made = { id, name, after: { visibility, agentEndpoint, totalTasks: selected.length } };
      await identity.audit(resourceEvent('red_team_evaluation_created', asking, made), tx);
    });
    return this.get(caller, evaluation.evaluationId);
  }

  /** What a selection selects from. @throws AppError 404 for a set that the caller may not use */
  async tasksFor(
    caller: Caller,
    { task_sets: sets }: Pick<TaskSelection, 'task_sets'>,
  ): Promise<readonly TaskInstance[]> {
    const { db, tasks } = this.#deps;
    if (sets.length === 0) return tasks();
    const all: TaskInstance[] = [];
    for (const id of new Set(sets)) {
      const own = id === 'shipped' ? tasks() : await tasksOfSet(db, viewerOf(caller), id);
      if (own === undefined) throw notFound(`The set ${JSON.stringify(id)} of 'task_sets'`);
      all.push(...own);
    }
    return all;
  }

  async get(caller: Caller, evaluationId: string): Promise<store.StoredEvaluation> {
    const viewer = viewerOf(caller);
    const found = await store.findEvaluation(this.#deps.db, viewer, evaluationId);
    return readableOr404(viewer, found, 'The evaluation');
  }

  async #agent(caller: Caller, { agent_id: agentId, agent_endpoint: endpoint }: Body) {
    const { db, outbound } = this.#deps;
    const viewer = viewerOf(caller);
    if (agentId !== undefined) {
      const agent = await findAgent(db, viewer, agentId);
      if (agent === undefined) throw notFound("The agent of 'agent_id'");
      return { id: agent.agentId, endpoint: agent.endpoint };
    }
    if (endpoint === undefined)
      throw badRequest(
        "'agent_id' or 'agent_endpoint' is required: register an agent with POST /api/agents.",
      );
    const known = await findByEndpoint(db, viewer, endpoint);
    if (known === undefined)
      checkConnection(
        outbound,
        { endpoint, protocol: 'auto', options: plainOptions, secrets: noSecrets },
        'agent_endpoint',
      );
    return { id: known?.agentId ?? null, endpoint };
  }
}

export function evaluationHandlers(deps: EvaluationDeps): Handlers<Operations, Caller> {
  const { db, identity, runs } = deps;
  const evaluations = new Evaluations(deps);
  const views = async (found: readonly store.StoredEvaluation[]): Promise<View[]> => {
    const nameOf = await identity.userNames(found.map(({ ownerId }) => ownerId));
    return found.map((each) => ({
      evaluation_id: each.evaluationId,
      name: each.name,
      agent_id: each.agentId,
      agent_name: each.agentName,
      agent_endpoint: each.agentEndpoint,
      selection: each.selection,
      total_tasks: each.totalTasks,
      created_at: toIsoTime(each.createdAt),
      visibility: each.visibility,
      owner_id: each.ownerId,
      owner_name: nameOf(each.ownerId),
    }));
  };
  const view = async (each: store.StoredEvaluation) => (await views([each]))[0] as View;
  const withStats = async (caller: Caller, evaluation: View) => {
    const page = { limit: 20, offset: 0 };
    const { runs: newest, total } = await listRuns(db, viewerOf(caller), evaluation.evaluation_id, page);
    const [last] = newest;
    const completed = newest.find(({ status }) => status === 'completed');
    return {
      ...evaluation,
      runs: total,
      last_run: last ? ((await viewsOf(deps, [last]))[0] ?? null) : null,
      rates: completed ? (await statsOf(db, completed.runId)).total : null,
    };
  };
  return {
    previewEvaluation: async ({ caller, body }) => previewOf(await evaluations.tasksFor(caller, body), body),
    createEvaluation: async ({ caller, body, request }) =>
      view(await evaluations.create({ caller, request }, body)),
    listEvaluations: async ({ caller, query }) => {
      const { evaluations: found, total } = await store.listEvaluations(db, viewerOf(caller), query);
      return { evaluations: await views(found), total };
    },
    listEvaluationsWithStats: async ({ caller, query }) => {
      const { evaluations: found, total } = await store.listEvaluations(db, viewerOf(caller), query);
      const shown = await views(found);
      return { evaluations: await Promise.all(shown.map((each) => withStats(caller, each))), total };
    },
    getEvaluation: async ({ caller, params }) => view(await evaluations.get(caller, params.evaluation_id)),
    listEvaluationTasks: async ({ caller, params, query }) => {
      const { evaluationId, totalTasks } = await evaluations.get(caller, params.evaluation_id);
      const tasks = await store.listTasks(db, evaluationId, query);
      return { tasks: tasks.map(taskView), total: totalTasks };
    },
    listEvaluationRuns: async ({ caller, params, query }) => {
      const { evaluationId } = await evaluations.get(caller, params.evaluation_id);
      const found = await listRuns(db, viewerOf(caller), evaluationId, query);
      return { runs: await viewsOf(deps, found.runs), total: found.total };
    },
    changeEvaluation: async ({ caller, params, body: { visibility }, request }) => {
      const viewer = viewerOf(caller);
      const found = await store.findEvaluation(db, viewer, params.evaluation_id);
      const evaluation = changeableOrRefused(viewer, found, 'The evaluation');
      const { evaluationId: id, name } = evaluation;
      await db.transaction(async (tx) => {
        await store.setVisibility(tx, id, visibility);
        const before = { visibility: evaluation.visibility };
        const changed = { id, name, before, after: { visibility } };
        await identity.audit(resourceEvent('red_team_evaluation_updated', { caller, request }, changed), tx);
      });
      return view({ ...evaluation, visibility });
    },
    deleteEvaluation: async ({ caller, params, request }) => {
      await runs.deleteEvaluation({ caller, request }, params.evaluation_id);
      return { message: 'The evaluation was deleted.' };
    },
  };
}
