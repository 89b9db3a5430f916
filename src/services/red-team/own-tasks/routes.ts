import type { z } from 'zod';
import { type Clock, toIsoTime } from '#base/clock.ts';
import type { Database } from '#base/db/database.ts';
import { conflict, invalid } from '#base/errors.ts';
import type { Handlers } from '#base/http/mount.ts';
import { newUuid } from '#base/ids.ts';
import { proveFile } from '#engine/red-team/tasks/prove-file.ts';
import { resourceEvent } from '#identity/audit/resource-event.ts';
import type { Caller } from '#identity/caller.ts';
import type { Identity } from '#identity/identity.ts';
import { changeableOrRefused, viewerOf } from '#identity/sharing.ts';
import type { ownTaskOperations } from '../contract/own-tasks.ts';
import * as store from '../tasks/own-task-store.ts';

export interface OwnTaskDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly identity: Identity;
}

type View = z.input<(typeof ownTaskOperations)['listTaskSets']['response']>['task_sets'][number];
const mostRefusedShown = 200;

export function ownTaskHandlers({
  db,
  clock,
  identity,
}: OwnTaskDeps): Handlers<typeof ownTaskOperations, Caller> {
  const views = async (sets: readonly store.StoredTaskSet[]): Promise<View[]> => {
    const nameOf = await identity.userNames(sets.map(({ ownerId }) => ownerId));
    return sets.map((set) => ({
      task_set_id: set.taskSetId,
      name: set.name,
      tasks: set.taskCount,
      created_at: toIsoTime(set.createdAt),
      visibility: set.visibility,
      owner_id: set.ownerId,
      owner_name: nameOf(set.ownerId),
    }));
  };
  return {
    createTaskSet: async ({ caller, body, request }) => {
      const { sound, refused } = await proveFile(body.content);
      const [first] = refused;
      if (sound.length === 0)
        throw invalid(
          `'content' has no task that can be judged. ${first?.task_id ?? ''}: ${first?.problems.join(' ') ?? ''}`,
        );
      const set: store.StoredTaskSet = {
        taskSetId: newUuid(),
        tenantId: caller.tenantId,
        ownerId: caller.userId,
        visibility: body.visibility,
        name: body.name,
        taskCount: sound.length,
        createdAt: new Date(clock.now()),
      };
      await db.transaction(async (tx) => {
        if (!(await store.insertTaskSet(tx, set, sound)))
          throw conflict(`'name' ${JSON.stringify(body.name)} is taken by another set of your tenant.`);
        const { taskSetId: id, name, visibility, taskCount: tasks } = set;
        const made = { id, name, after: { visibility, tasks } };
        await identity.audit(resourceEvent('red_team_task_set_created', { caller, request }, made), tx);
      });
      return {
        ...((await views([set]))[0] as View),
        refused: refused.slice(0, mostRefusedShown),
        refused_total: refused.length,
      };
    },
    listTaskSets: async ({ caller, query }) => {
      const sets = await views(await store.listTaskSets(db, viewerOf(caller), query.owner));
      return { task_sets: sets, total: sets.length };
    },
    deleteTaskSet: async ({ caller, params, request }) => {
      const viewer = viewerOf(caller);
      const found = await store.findTaskSet(db, viewer, params.task_set_id);
      const set = changeableOrRefused(viewer, found, 'The set of tasks');
      await db.transaction(async (tx) => {
        await store.deleteTaskSet(tx, set.taskSetId);
        const { taskSetId: id, name, visibility, taskCount: tasks } = set;
        const gone = { id, name, before: { visibility, tasks } };
        await identity.audit(resourceEvent('red_team_task_set_deleted', { caller, request }, gone), tx);
      });
      return { message: 'The set of tasks was deleted. Evaluations keep the tasks that were made of it.' };
    },
  };
}
