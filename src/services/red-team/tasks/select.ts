import type { z } from 'zod';
import type { TaskInstance } from '#engine/red-team/tasks/instance.ts';
import { Random } from '#engine/evaluation/random.ts';
import type { Selection } from '../contract/selection.ts';

export type TaskSelection = z.output<typeof Selection>;

const admits = (wanted: readonly string[], value: string): boolean =>
  wanted.length === 0 || wanted.includes(value);

function matchesSelection(task: TaskInstance, wanted: TaskSelection): boolean {
  // Benign and direct tasks have no vector and benign ones no category: they are selected by their threat model.
  const isNamed =
    (wanted.threat_models as string[]).includes(task.threatModel) ||
    (wanted.task_types as string[]).includes(task.taskType);
  const admitsOptional = (list: readonly string[], value: string | null) =>
    value === null ? list.length === 0 || isNamed : admits(list, value);
  return (
    admits(wanted.domains, task.domain) &&
    admits(wanted.threat_models, task.threatModel) &&
    admits(wanted.task_types, task.taskType) &&
    admits(wanted.task_ids, task.id) &&
    (wanted.environments.length === 0 || task.envs.some((env) => wanted.environments.includes(env))) &&
    admitsOptional(wanted.risk_categories, task.riskCategory) &&
    admitsOptional(wanted.vectors, task.vector) &&
    admitsOptional(wanted.templates, task.template)
  );
}

/** The tasks that a selection matches, in the order of the data set. */
export function selectTasks(tasks: readonly TaskInstance[], wanted: TaskSelection): TaskInstance[] {
  const matching = tasks.filter((task) => matchesSelection(task, wanted));
  const { max_tasks: most, seed } = wanted;
  return most === undefined || matching.length <= most ? matching : sample(matching, most, seed);
}

/** Takes in turn one of each group of domain, category and vector, so that small groups are not lost. */
function sample(tasks: readonly TaskInstance[], most: number, seed: number): TaskInstance[] {
  const random = new Random(seed);
  const groups = Map.groupBy(tasks, ({ domain, riskCategory, vector, threatModel }) =>
    [domain, riskCategory, vector, threatModel].join(' '),
  );
  const shuffled = [...groups.values()];
  for (const group of shuffled) random.shuffle(group);
  random.shuffle(shuffled);
  const chosen = new Set<TaskInstance>();
  for (let round = 0; chosen.size < most; round += 1)
    for (const group of shuffled) {
      const task = group[round];
      if (task !== undefined && chosen.size < most) chosen.add(task);
    }
  return tasks.filter((task) => chosen.has(task));
}
