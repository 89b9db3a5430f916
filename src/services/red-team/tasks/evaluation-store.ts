import type { Queries } from '#base/db/database.ts';
import { json } from '#base/db/values.ts';
import type { TaskInstance } from '#engine/red-team/tasks/instance.ts';
import {
  listed,
  listParams,
  type OwnerFilter,
  readable,
  type Viewer,
  viewerParams,
  type Visibility,
} from '#identity/sharing.ts';
import type { TaskSelection } from './select.ts';

export interface StoredEvaluation {
  readonly evaluationId: string;
  readonly tenantId: string;
  readonly ownerId: string;
  readonly visibility: Visibility;
  readonly name: string;
  readonly agentId: string | null;
  readonly agentName: string | null;
  readonly agentEndpoint: string;
  readonly selection: TaskSelection;
  readonly totalTasks: number;
  readonly createdAt: Date;
}

type Row = StoredEvaluation & Record<string, unknown>;

const columns = `e.evaluation_id as "evaluationId", e.tenant_id as "tenantId", e.owner_id as "ownerId", e.visibility,
  e.name, e.agent_id as "agentId", a.name as "agentName", e.agent_endpoint as "agentEndpoint", e.selection,
  e.total_tasks as "totalTasks", e.created_at as "createdAt"`;
const from = 'red_team.evaluations e left join red_team.agents a on a.agent_id = e.agent_id';
const batchSize = 200;

/** Inserts an evaluation with its tasks; false if the tenant has one of this name. */
export async function insertEvaluation(
  tx: Queries,
  evaluation: Omit<StoredEvaluation, 'agentName' | 'totalTasks'>,
  tasks: readonly TaskInstance[],
): Promise<boolean> {
  const rows = await tx.query(
    `insert into red_team.evaluations (evaluation_id, tenant_id, owner_id, visibility, name, agent_id, agent_endpoint,
        selection, total_tasks, created_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      on conflict (tenant_id, name) where deleted_at is null do nothing returning evaluation_id`,
    [
      evaluation.evaluationId,
      evaluation.tenantId,
      evaluation.ownerId,
      evaluation.visibility,
      evaluation.name,
      evaluation.agentId,
      evaluation.agentEndpoint,
      evaluation.selection,
      tasks.length,
      evaluation.createdAt,
    ],
  );
  if (rows.length === 0) return false;
  for (let at = 0; at < tasks.length; at += batchSize)
    await tx.query(
      `insert into red_team.tasks (evaluation_id, number, task_id, body)
        select $1, $2::integer + place::integer, body ->> 'id', body
        from json_array_elements($3::json) with ordinality as each(body, place)`,
      [evaluation.evaluationId, at, json(tasks.slice(at, at + batchSize))],
    );
  return true;
}

export async function findEvaluation(
  db: Queries,
  viewer: Viewer,
  evaluationId: string,
): Promise<StoredEvaluation | undefined> {
  const [row] = await db.query<Row>(
    `select ${columns} from ${from} where ${readable('e')} and e.evaluation_id = $4 and e.deleted_at is null`,
    [...viewerParams(viewer), evaluationId],
  );
  return row;
}

interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** The newest first, with the number of all. */
export async function listEvaluations(
  db: Queries,
  viewer: Viewer,
  { owner, limit, offset }: Page & { readonly owner: OwnerFilter },
): Promise<{ evaluations: StoredEvaluation[]; total: number }> {
  const condition = `${listed('e')} and e.deleted_at is null`;
  const params = listParams(viewer, owner);
  const evaluations = await db.query<Row>(
    `select ${columns} from ${from} where ${condition} order by e.created_at desc, e.evaluation_id limit $5 offset $6`,
    [...params, limit, offset],
  );
  const [counted] = await db.query<{ total: number }>(
    `select count(*) as total from ${from} where ${condition}`,
    params,
  );
  return { evaluations, total: counted?.total ?? 0 };
}

/** The tasks of an evaluation, in order. */
export async function listTasks(
  db: Queries,
  evaluationId: string,
  { limit, offset }: Page,
): Promise<TaskInstance[]> {
  const rows = await db.query<{ body: TaskInstance }>(
    'select body from red_team.tasks where evaluation_id = $1 order by number limit $2 offset $3',
    [evaluationId, limit, offset],
  );
  return rows.map(({ body }) => body);
}

export async function getTask(db: Queries, evaluationId: string, number: number): Promise<TaskInstance> {
  const [row] = await db.query<{ body: TaskInstance }>(
    'select body from red_team.tasks where evaluation_id = $1 and number = $2',
    [evaluationId, number],
  );
  if (row === undefined) throw new Error(`The evaluation ${evaluationId} has no task ${number}.`);
  return row.body;
}

export async function setVisibility(
  db: Queries,
  evaluationId: string,
  visibility: Visibility,
): Promise<void> {
  await db.query('update red_team.evaluations set visibility = $2 where evaluation_id = $1', [
    evaluationId,
    visibility,
  ]);
}

export async function markDeleted(tx: Queries, evaluationId: string, at: Date): Promise<void> {
  await tx.query('update red_team.evaluations set deleted_at = $2 where evaluation_id = $1', [
    evaluationId,
    at,
  ]);
}
