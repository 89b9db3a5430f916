import type { z } from 'zod';
import type { TaskInstance } from '#engine/red-team/tasks/instance.ts';
import { Random } from '#base/random.ts';
import type { Selection } from '../contract/selection.ts';

export type TaskSelection = z.output<typeof Selection>;

const admits = (wanted: readonly string[], value: string): boolean =>
  wanted.length === 0 || wanted.includes(value);

/** Whether a task has what the filters of a selection ask for; the size of the sample is not looked at. */
export function matchesSelection(task: TaskInstance, wanted: TaskSelection): boolean {
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

/** How a sample is shared out: a fifth each for benign tasks and direct attacks, which all rates of work rest on. */
const turns = ['benign', 'indirect', 'direct', 'indirect', 'indirect'] as const;

/** Takes the threat models in turns, and within each one of every group, so that small groups are not lost. */
function sample(tasks: readonly TaskInstance[], most: number, seed: number): TaskInstance[] {
  const random = new Random(seed);
  const queues = new Map(
    [...Map.groupBy(tasks, (task) => task.threatModel)].map(([model, own]) => [
      model,
      interleaved(own, random),
    ]),
  );
  const chosen = new Set<TaskInstance>();
  while (chosen.size < most)
    for (const turn of turns) {
      const task = queues.get(turn)?.shift();
      if (task !== undefined && chosen.size < most) chosen.add(task);
    }
  return tasks.filter((task) => chosen.has(task));
}

/** All tasks, one of each group of domain, category and vector after the other. */
function interleaved(tasks: readonly TaskInstance[], random: Random): TaskInstance[] {
  const groups = Map.groupBy(tasks, ({ domain, riskCategory, vector }) =>
    [domain, riskCategory, vector].join(' '),
  );
  const shuffled = [...groups.values()];
  for (const group of shuffled) random.shuffle(group);
  random.shuffle(shuffled);
  const longest = Math.max(...shuffled.map((group) => group.length));
  return Array.from({ length: longest }, (_, round) =>
    shuffled.flatMap((group) => group[round] ?? []),
  ).flat();
}
