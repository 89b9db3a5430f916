/** Sets of own tasks, in the database. */
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

export interface StoredTaskSet {
  readonly taskSetId: string;
  readonly tenantId: string;
  readonly ownerId: string;
  readonly visibility: Visibility;
  readonly name: string;
  readonly taskCount: number;
  readonly createdAt: Date;
}

type Row = StoredTaskSet & Record<string, unknown>;

const columns = `s.task_set_id as "taskSetId", s.tenant_id as "tenantId", s.owner_id as "ownerId", s.visibility, s.name,
  s.task_count as "taskCount", s.created_at as "createdAt"`;
const from = 'red_team.task_sets s';

/** False if the tenant has one of this name. */
export async function insertTaskSet(
  db: Queries,
  set: StoredTaskSet,
  tasks: readonly TaskInstance[],
): Promise<boolean> {
  const rows = await db.query(
    `insert into red_team.task_sets (task_set_id, tenant_id, owner_id, visibility, name, tasks, task_count, created_at)
      values ($1, $2, $3, $4, $5, $6::json, $7, $8) on conflict (tenant_id, name) do nothing returning task_set_id`,
    [
      set.taskSetId,
      set.tenantId,
      set.ownerId,
      set.visibility,
      set.name,
      json(tasks),
      set.taskCount,
      set.createdAt,
    ],
  );
  return rows.length > 0;
}

export async function findTaskSet(
  db: Queries,
  viewer: Viewer,
  taskSetId: string,
): Promise<StoredTaskSet | undefined> {
  const [row] = await db.query<Row>(
    `select ${columns} from ${from} where ${readable('s')} and s.task_set_id = $4`,
    [...viewerParams(viewer), taskSetId],
  );
  return row;
}

/** The newest first. */
export async function listTaskSets(
  db: Queries,
  viewer: Viewer,
  owner: OwnerFilter,
): Promise<StoredTaskSet[]> {
  return db.query<Row>(
    `select ${columns} from ${from} where ${listed('s')} order by s.created_at desc, s.task_set_id`,
    listParams(viewer, owner),
  );
}

/** The tasks of a set that the viewer may use; undefined if there is none. */
export async function tasksOfSet(
  db: Queries,
  viewer: Viewer,
  taskSetId: string,
): Promise<TaskInstance[] | undefined> {
  const [row] = await db.query<{ tasks: TaskInstance[] }>(
    `select s.tasks from ${from} where ${readable('s')} and s.task_set_id = $4`,
    [...viewerParams(viewer), taskSetId],
  );
  return row?.tasks;
}

export async function deleteTaskSet(db: Queries, taskSetId: string): Promise<void> {
  await db.query('delete from red_team.task_sets where task_set_id = $1', [taskSetId]);
}
