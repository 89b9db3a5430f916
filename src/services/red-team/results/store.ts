import type { z } from 'zod';
import type { Queries } from '#base/db/database.ts';
import type { Check } from '#engine/red-team/checks/check.ts';
import type { TaskInstance } from '#engine/red-team/tasks/instance.ts';
import { readable, type Viewer, viewerParams, type Visibility } from '#identity/sharing.ts';
import type { resultOperations } from '../contract/results.ts';
import type { Attempt } from '../runs/rewrite.ts';
import type { StoredJudgement, StoredTrajectory } from '../runs/trajectory.ts';

export interface StoredResult {
  readonly resultId: string;
  readonly runId: string;
  readonly evaluationId: string;
  readonly tenantId: string;
  readonly ownerId: string;
  readonly visibility: Visibility;
  readonly taskId: string;
  readonly title: string;
  readonly domain: string;
  readonly environments: string[];
  readonly threatModel: string;
  readonly taskType: string;
  readonly riskCategory: string | null;
  readonly subCategory: string | null;
  readonly vector: string | null;
  readonly template: string | null;
  readonly sessionId: string | null;
  readonly status: string;
  readonly attackSuccess: boolean | null;
  readonly taskSuccess: boolean | null;
  readonly delivered: boolean | null;
  readonly outcome: string | null;
  readonly includedReport: boolean;
  readonly error: string | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

export interface ResultDetail extends StoredResult {
  readonly judge: StoredJudgement | null;
  readonly trajectory: StoredTrajectory | null;
  readonly response: string | null;
  readonly policy: string | null;
  readonly attack: Check | null;
  readonly lineage: Attempt[] | null;
}

type Row<T> = T & Record<string, unknown>;

/** Results with what access to them is decided by: the owner of the run, the visibility of the evaluation. */
const results = `(select t.*, r.evaluation_id, r.owner_id, e.visibility, k.body from red_team.results t
  join red_team.runs r on r.run_id = t.run_id
  join red_team.evaluations e on e.evaluation_id = r.evaluation_id and e.deleted_at is null
  join red_team.tasks k on k.evaluation_id = r.evaluation_id and k.number = t.number) t`;

const columns = `t.result_id as "resultId", t.run_id as "runId", t.evaluation_id as "evaluationId",
  t.tenant_id as "tenantId", t.owner_id as "ownerId", t.visibility, t.task_id as "taskId", t.body ->> 'title' as title,
  t.domain, t.body -> 'envs' as environments, t.threat_model as "threatModel", t.task_type as "taskType",
  t.risk_category as "riskCategory", t.body ->> 'subCategory' as "subCategory", t.vector,
  t.body ->> 'template' as template, t.session_id as "sessionId", t.status, t.attack_success as "attackSuccess",
  t.task_success as "taskSuccess", t.delivered, t.outcome, t.included_report as "includedReport", t.error,
  t.started_at as "startedAt", t.finished_at as "finishedAt"`;
const details = `${columns}, t.judge, t.trajectory, t.agent_response as response,
  t.body ->> 'policy' as policy, t.body -> 'attack' as attack, t.lineage`;

export type ResultFilter = z.output<(typeof resultOperations)['listResults']['query']>;

const filterColumns = [
  'run_id',
  'evaluation_id',
  'domain',
  'threat_model',
  'risk_category',
  'task_type',
  'vector',
  'status',
  'attack_success',
  'included_report',
] as const;

/** The newest run first, its tasks in order. */
export async function listResults(
  db: Queries,
  viewer: Viewer,
  filter: ResultFilter,
): Promise<{ results: StoredResult[]; total: number }> {
  const params: unknown[] = viewerParams(viewer);
  const conditions = filterColumns
    .filter((name) => filter[name] !== undefined)
    .map((name) => `t.${name} = $${params.push(filter[name])}`);
  const where = [readable('t'), ...conditions].join(' and ');
  const [counted] = await db.query<{ total: number }>(
    `select count(*) as total from ${results} where ${where}`,
    params,
  );
  const found = await db.query<Row<StoredResult>>(
    `select ${columns} from ${results} where ${where} order by t.run_id desc, t.number
      limit $${params.length + 1} offset $${params.length + 2}`,
    [...params, filter.limit, filter.offset],
  );
  return { results: found, total: counted?.total ?? 0 };
}

export async function findResult(
  db: Queries,
  viewer: Viewer,
  resultId: string,
): Promise<ResultDetail | undefined> {
  const [row] = await db.query<Row<ResultDetail>>(
    `select ${details} from ${results} where ${readable('t')} and t.result_id = $4`,
    [...viewerParams(viewer), resultId],
  );
  return row;
}

/** The task of a result, with its ground truth and checks. */
export async function getTaskOfResult(db: Queries, resultId: string): Promise<TaskInstance> {
  const [row] = await db.query<{ body: TaskInstance }>(
    `select k.body from red_team.results t join red_team.runs r on r.run_id = t.run_id
      join red_team.tasks k on k.evaluation_id = r.evaluation_id and k.number = t.number where t.result_id = $1`,
    [resultId],
  );
  if (row === undefined) throw new Error(`The result ${resultId} has no task.`);
  return row.body;
}

export async function setIncluded(db: Queries, resultId: string, included: boolean): Promise<void> {
  await db.query('update red_team.results set included_report = $2 where result_id = $1', [
    resultId,
    included,
  ]);
}

/** For reports: all results of a run, without trajectories. */
export async function listOfRun(db: Queries, runId: string): Promise<StoredResult[]> {
  return db.query<Row<StoredResult>>(
    `select ${columns} from ${results} where t.run_id = $1 order by t.number`,
    [runId],
  );
}

export async function getDetails(db: Queries, resultIds: readonly string[]): Promise<ResultDetail[]> {
  return db.query<Row<ResultDetail>>(
    `select ${details} from ${results} where t.result_id = any($1::text[]) order by t.number`,
    [resultIds],
  );
}
