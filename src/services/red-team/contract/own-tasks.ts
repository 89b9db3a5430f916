import { z } from 'zod';
import { isoTime, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { ownerFilter, userName, visibilityField } from '#identity/contract/sharing.ts';

const tag = 'Own tasks';
const byId = z.object({ task_set_id: z.string().min(1).max(100) });

const TaskSet = z
  .object({
    task_set_id: z.string(),
    name: z.string(),
    tasks: z.int(),
    created_at: isoTime(),
    visibility: visibilityField(),
    owner_id: z.string(),
    owner_name: userName(),
  })
  .meta({ id: 'RedTeamTaskSet' });

const Refused = z.object({ task_id: z.string(), problems: z.array(z.string()) }).meta({ id: 'RefusedTask' });

/** Tasks that a tenant brings along; evaluations select them by `task_sets`. */
export const ownTaskOperations = {
  createTaskSet: defineOperation({
    method: 'POST',
    path: '/api/task-sets',
    tag,
    summary: 'Stores tasks of your own, each proved by the same replays as those of the product',
    description:
      'The content is a task file (YAML or JSON) with scenarios and goals, as `docs/guides/red-team-environments.md` shows. A ' +
      'task is refused, with its reasons, if its honest work does not succeed, its attack does not count as one, doing ' +
      'nothing counts as either, or its injection is never seen. 422 if the file cannot be read or no task is sound.',
    access: 'jwt_or_key',
    body: z.object({
      name: storedText({ min: 1, max: 200 }),
      content: z.string().min(1).max(1_000_000),
      visibility: visibilityField().default('private'),
    }),
    response: TaskSet.extend({
      refused: z.array(Refused).meta({ description: 'The first 200.' }),
      refused_total: z.int(),
    }).meta({ id: 'CreatedTaskSet' }),
    errors: [409],
  }),
  listTaskSets: defineOperation({
    method: 'GET',
    path: '/api/task-sets',
    tag,
    summary: 'Sets of own tasks that the caller may use',
    access: 'jwt_or_key',
    query: z.object({ owner: ownerFilter('all') }),
    response: z.object({ task_sets: z.array(TaskSet), total: z.int() }),
  }),
  deleteTaskSet: defineOperation({
    method: 'DELETE',
    path: '/api/task-sets/{task_set_id}',
    tag,
    summary: 'Deletes a set; evaluations keep the tasks that were made of it',
    access: 'jwt_or_key',
    params: byId,
    response: z.object({ message: z.string() }),
    errors: [403, 404],
  }),
};
