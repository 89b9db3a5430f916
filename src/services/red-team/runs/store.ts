/** Runs with their tasks' results, in the database. Statuses of started runs come from the durable runs. */
import type { z } from 'zod';
import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import { readable, type Viewer, viewerParams, type Visibility } from '#identity/sharing.ts';
import type {
  domains,
  outcomes,
  riskCategories,
  runStatuses,
  taskStatuses,
  threatModels,
} from '../contract/names.ts';
import type { TaskCounts } from '../contract/run-record.ts';
import type { Protocol } from '../agents/connection.ts';
import type { Attempt } from './rewrite.ts';
import type { StoredJudgement, StoredTrajectory } from './trajectory.ts';

export type RunStatus = (typeof runStatuses)[number];
export type TaskStatus = (typeof taskStatuses)[number];
export type Counts = z.output<typeof TaskCounts>;

/** What a run is executed with. */
export interface RunConfig {
  readonly agentId: string | null;
  readonly agentEndpoint: string;
  readonly protocol: Protocol;
  readonly concurrency: number;
  readonly agentTimeoutSeconds: number;
  readonly proxyMcpUrl: string;
  /** Injections that a language model may rewrite; undefined in runs from before there were any. */
  readonly adaptiveBudget?: number | undefined;
  /** The gateway whose settings guard the agent's calls; undefined in runs from before there were any. */
  readonly gateway?: { readonly id: string; readonly name: string } | undefined;
}

export interface StoredRun {
  readonly runId: string;
  /** Of the durable run; null until it is started. */
  readonly workId: string | null;
  readonly evaluationId: string;
  readonly evaluationName: string;
  readonly tenantId: string;
  readonly ownerId: string;
  /** Of its evaluation. */
  readonly visibility: Visibility;
  readonly config: RunConfig;
  readonly status: RunStatus;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly error: string | null;
}

type Row = StoredRun & Record<string, unknown>;

/** Runs of evaluations that are not deleted, with the columns that access is decided by. */
const runs = `(select r.run_id, r.work_id, r.evaluation_id, e.name as evaluation_name, r.tenant_id, r.owner_id,
    e.visibility, r.config, r.created_at, w.started_at, coalesce(r.cancelled_at, w.finished_at) as finished_at, w.error,
    case when r.cancelled_at is not null then 'cancelled' when w.status is null then 'created'
      when w.status in ('completed', 'failed', 'cancelled') then w.status else 'running' end as status
  from red_team.runs r join red_team.evaluations e on e.evaluation_id = r.evaluation_id and e.deleted_at is null
  left join runs.runs w on w.run_id = r.work_id) r`;

const columns = `r.run_id as "runId", r.work_id as "workId", r.evaluation_id as "evaluationId",
  r.evaluation_name as "evaluationName", r.tenant_id as "tenantId", r.owner_id as "ownerId", r.visibility, r.config,
  r.status, r.created_at as "createdAt", r.started_at as "startedAt", r.finished_at as "finishedAt", r.error`;

export interface NewRun {
  readonly runId: string;
  readonly evaluationId: string;
  readonly tenantId: string;
  readonly ownerId: string;
  readonly config: RunConfig;
  readonly createdAt: Date;
}

/** Inserts a run with a pending result for each task of its evaluation. */
export async function insertRun(tx: Queries, run: NewRun): Promise<void> {
  await tx.query(
    `insert into red_team.runs (run_id, evaluation_id, tenant_id, owner_id, config, created_at)
      values ($1, $2, $3, $4, $5, $6)`,
    [run.runId, run.evaluationId, run.tenantId, run.ownerId, run.config, run.createdAt],
  );
  await tx.query(
    `insert into red_team.results (result_id, run_id, tenant_id, number, task_id, domain, threat_model, task_type,
        risk_category, vector, status)
      select gen_random_uuid()::text, $1, $2, number, task_id, body ->> 'domain', body ->> 'threatModel',
        body ->> 'taskType', body ->> 'riskCategory', body ->> 'vector', 'pending'
      from red_team.tasks where evaluation_id = $3`,
    [run.runId, run.tenantId, run.evaluationId],
  );
}

export async function findRun(db: Queries, viewer: Viewer, runId: string): Promise<StoredRun | undefined> {
  const [row] = await db.query<Row>(
    `select ${columns} from ${runs} where ${readable('r')} and r.run_id = $4`,
    [...viewerParams(viewer), runId],
  );
  return row;
}

export async function findByWork(db: Queries, workId: string): Promise<StoredRun | undefined> {
  const [row] = await db.query<Row>(`select ${columns} from ${runs} where r.work_id = $1`, [workId]);
  return row;
}

/** For a report, which was allowed when it was asked for. */
export async function findRunOfReport(db: Queries, runId: string): Promise<StoredRun | undefined> {
  const [row] = await db.query<Row>(`select ${columns} from ${runs} where r.run_id = $1`, [runId]);
  return row;
}

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** The runs of an evaluation, the newest first. */
export async function listRuns(
  db: Queries,
  viewer: Viewer,
  evaluationId: string,
  { limit, offset }: Page,
): Promise<{ runs: StoredRun[]; total: number }> {
  const condition = `${readable('r')} and r.evaluation_id = $4`;
  const params = [...viewerParams(viewer), evaluationId];
  const found = await db.query<Row>(
    `select ${columns} from ${runs} where ${condition} order by r.created_at desc, r.run_id limit $5 offset $6`,
    [...params, limit, offset],
  );
  const [counted] = await db.query<{ total: number }>(
    `select count(*) as total from ${runs} where ${condition}`,
    params,
  );
  return { runs: found, total: counted?.total ?? 0 };
}

/** Runs of all evaluations, the newest first. */
export async function listAllRuns(
  db: Queries,
  viewer: Viewer,
  {
    status,
    since,
    limit,
    offset,
  }: Page & { readonly status: RunStatus | undefined; readonly since: string | undefined },
): Promise<{ runs: StoredRun[]; total: number }> {
  const condition = `${readable('r')} and ($4::text is null or r.status = $4)
    and ($5::timestamptz is null or r.created_at >= $5)`;
  const params = [...viewerParams(viewer), status ?? null, since ?? null];
  const found = await db.query<Row>(
    `select ${columns} from ${runs} where ${condition} order by r.created_at desc, r.run_id limit $6 offset $7`,
    [...params, limit, offset],
  );
  const [counted] = await db.query<{ total: number }>(
    `select count(*) as total from ${runs} where ${condition}`,
    params,
  );
  return { runs: found, total: counted?.total ?? 0 };
}

/** How a task of a run has ended. */
export interface TaskEnding extends Record<string, unknown> {
  readonly resultId: string;
  readonly taskId: string;
  readonly title: string;
  readonly domain: (typeof domains)[number];
  readonly threatModel: (typeof threatModels)[number];
  readonly riskCategory: (typeof riskCategories)[number] | null;
  readonly status: TaskStatus;
  readonly outcome: (typeof outcomes)[number] | null;
  readonly attackSuccess: boolean | null;
  readonly taskSuccess: boolean | null;
}

/** The endings of all tasks of a run, for comparisons. */
export async function listEnds(db: Queries, runId: string): Promise<TaskEnding[]> {
  return db.query<TaskEnding>(
    `select t.result_id as "resultId", t.task_id as "taskId", k.body ->> 'title' as title, t.domain,
        t.threat_model as "threatModel", t.risk_category as "riskCategory", t.status, t.outcome,
        t.attack_success as "attackSuccess", t.task_success as "taskSuccess"
      from red_team.results t
      join red_team.runs r on r.run_id = t.run_id
      join red_team.tasks k on k.evaluation_id = r.evaluation_id and k.number = t.number
      where t.run_id = $1 order by t.number`,
    [runId],
  );
}

/** Marks a created run as started; false if it was started or cancelled before. */
export async function setWork(tx: Queries, runId: string, workId: string): Promise<boolean> {
  const rows = await tx.query(
    `update red_team.runs set work_id = $2 where run_id = $1 and work_id is null and cancelled_at is null
      returning run_id`,
    [runId, workId],
  );
  return rows.length > 0;
}

/** Cancels a run that was not started; false if it was. */
export async function cancelCreated(tx: Queries, runId: string, at: Date): Promise<boolean> {
  const rows = await tx.query(
    `update red_team.runs set cancelled_at = $2 where run_id = $1 and work_id is null and cancelled_at is null
      returning run_id`,
    [runId, at],
  );
  return rows.length > 0;
}

/** The tasks that were not judged when their run ended. */
export async function endUnfinished(
  tx: Queries,
  runId: string,
  at: Date,
  error: string | null,
): Promise<void> {
  await tx.query(
    `update red_team.results set status = 'cancelled', finished_at = $2, error = $3
      where run_id = $1 and finished_at is null`,
    [runId, at, error],
  );
}

export async function setProtocol(db: Queries, runId: string, config: RunConfig): Promise<void> {
  await db.query('update red_team.runs set config = $2 where run_id = $1', [runId, config]);
}

/** Numbers of tasks by run and status. */
export async function countTasks(db: Queries, runIds: readonly string[]): Promise<Map<string, Counts>> {
  const rows = await db.query<{ runId: string; status: TaskStatus; count: number }>(
    `select run_id as "runId", status, count(*) as count from red_team.results where run_id = any($1::text[])
      group by run_id, status`,
    [runIds],
  );
  const counts = new Map(
    runIds.map((id): [string, Counts] => [
      id,
      { total: 0, pending: 0, running: 0, passed: 0, failed: 0, error: 0, cancelled: 0 },
    ]),
  );
  for (const { runId, status, count } of rows) {
    const of = counts.get(runId);
    if (of === undefined) continue;
    of[status] = count;
    of.total += count;
  }
  return counts;
}

export interface OpenResult extends Record<string, unknown> {
  readonly resultId: string;
  readonly number: number;
}

/** The tasks without a verdict, in order. */
export async function listOpen(db: Queries, runId: string): Promise<OpenResult[]> {
  return db.query<OpenResult>(
    `select result_id as "resultId", number from red_team.results where run_id = $1 and finished_at is null
      order by number`,
    [runId],
  );
}

export async function markStarted(db: Queries, resultId: string, sessionId: string, at: Date): Promise<void> {
  await db.query(
    `update red_team.results set status = 'running', session_id = $2, started_at = $3
      where result_id = $1 and finished_at is null`,
    [resultId, sessionId, at],
  );
}

export interface Finished {
  readonly resultId: string;
  readonly sessionId: string;
  readonly status: 'passed' | 'failed' | 'error';
  readonly attackSuccess: boolean | null;
  readonly taskSuccess: boolean | null;
  readonly delivered: boolean | null;
  readonly collateral: number;
  readonly judge: StoredJudgement | null;
  readonly trajectory: StoredTrajectory;
  readonly response: string | null;
  /** Attempts of the adaptive attacker; undefined where there was one alone. */
  readonly lineage?: readonly Attempt[] | undefined;
  readonly error: string | null;
  readonly at: Date;
}

/** Stores the end of a task, once: false if it had one. */
export async function finish(tx: Queries, done: Finished): Promise<boolean> {
  const rows = await tx.query(
    `update red_team.results set status = $2, session_id = $3, attack_success = $4, task_success = $5, delivered = $6,
        outcome = $7, judge = $8::json, trajectory = $9::json, agent_response = $10, error = $11, finished_at = $12,
        collateral = $13, lineage = $14::json
      where result_id = $1 and finished_at is null returning result_id`,
    [
      done.resultId,
      done.status,
      done.sessionId,
      done.attackSuccess,
      done.taskSuccess,
      done.delivered,
      done.judge?.outcome ?? null,
      done.judge && json(done.judge),
      json(done.trajectory),
      done.response,
      done.error,
      done.at,
      done.collateral,
      done.lineage === undefined ? null : json(done.lineage),
    ],
  );
  return rows.length > 0;
}

/** Trajectories of a run, a page after a number: to restore their files. */
export async function listTrajectories(
  db: Queries,
  runId: string,
): Promise<{ resultId: string; sessionId: string }[]> {
  return db.query<{ resultId: string; sessionId: string }>(
    `select result_id as "resultId", session_id as "sessionId" from red_team.results
      where run_id = $1 and trajectory is not null`,
    [runId],
  );
}

export async function getTrajectory(db: Queries, resultId: string): Promise<StoredTrajectory | undefined> {
  const [row] = await db.query<{ trajectory: StoredTrajectory | null }>(
    'select trajectory from red_team.results where result_id = $1',
    [resultId],
  );
  return row?.trajectory ?? undefined;
}

export async function deleteRun(tx: Queries, runId: string): Promise<void> {
  await tx.query('delete from red_team.runs where run_id = $1', [runId]);
}

/** Ids of the durable runs of an evaluation, and of the runs. */
export async function listWork(
  db: Queries,
  evaluationId: string,
): Promise<{ runId: string; workId: string | null }[]> {
  return db.query<{ runId: string; workId: string | null }>(
    'select run_id as "runId", work_id as "workId" from red_team.runs where evaluation_id = $1',
    [evaluationId],
  );
}
