/** What a selection would give, before an evaluation is made of it. */
import type { TaskInstance } from '#engine/red-team/tasks/instance.ts';
import { matchesSelection, selectTasks, type TaskSelection } from './select.ts';

type Counts = Record<string, number>;

function countBy(tasks: readonly TaskInstance[], keysOf: (task: TaskInstance) => readonly (string | null)[]) {
  const counts: Counts = {};
  for (const task of tasks)
    for (const key of keysOf(task)) if (key !== null) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}

/** The filters of a selection: where its values stand in it, and in a task. */
const filters = {
  domains: (task: TaskInstance) => [task.domain],
  risk_categories: (task: TaskInstance) => [task.riskCategory],
  threat_models: (task: TaskInstance) => [task.threatModel],
  task_types: (task: TaskInstance) => [task.taskType],
  vectors: (task: TaskInstance) => [task.vector],
  templates: (task: TaskInstance) => [task.template],
  environments: (task: TaskInstance) => task.envs,
} as const;
type Filter = keyof typeof filters;

/** Each value of a filter is counted with all other filters applied: what choosing it would give. */
export function previewOf(tasks: readonly TaskInstance[], wanted: TaskSelection) {
  const matching = tasks.filter((task) => matchesSelection(task, wanted));
  const sample = selectTasks(tasks, wanted);
  const facets = Object.fromEntries(
    (Object.keys(filters) as Filter[]).map((name) => {
      const others = tasks.filter((task) => matchesSelection(task, { ...wanted, [name]: [] }));
      return [name, countBy(others, filters[name])];
    }),
  ) as Record<Filter, Counts>;
  return {
    matching: matching.length,
    total_tasks: sample.length,
    sample: {
      threat_models: countBy(sample, filters.threat_models),
      risk_categories: countBy(sample, filters.risk_categories),
      domains: countBy(sample, filters.domains),
      vectors: countBy(sample, filters.vectors),
    },
    facets,
  };
}
