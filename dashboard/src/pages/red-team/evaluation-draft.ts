/** What the builder of evaluations collects. Numbers are kept as they are typed. */
import type {
  domains,
  riskCategories,
  taskTypes,
  threatModels,
  vectors,
} from '#services/red-team/contract/names.ts';
import type { Visibility } from '../../parts/sharing.tsx';

/** The filters of a selection: each an empty list for everything, or what is chosen. */
export interface Filters {
  readonly domains: readonly (typeof domains)[number][];
  readonly risk_categories: readonly (typeof riskCategories)[number][];
  readonly threat_models: readonly (typeof threatModels)[number][];
  readonly task_types: readonly (typeof taskTypes)[number][];
  readonly vectors: readonly (typeof vectors)[number][];
  readonly templates: readonly string[];
  readonly environments: readonly string[];
}
export type Filter = keyof Filters;

export interface EvaluationDraft {
  readonly name: string;
  readonly agentId: string;
  readonly filters: Filters;
  /** Sets of own tasks, and `shipped`; empty: the product’s alone. */
  readonly taskSets: readonly string[];
  readonly maxTasks: string;
  readonly seed: string;
  readonly visibility: Visibility;
}

export const firstDraft: EvaluationDraft = {
  name: '',
  agentId: '',
  filters: {
    domains: [],
    risk_categories: [],
    threat_models: [],
    task_types: [],
    vectors: [],
    templates: [],
    environments: [],
  },
  taskSets: [],
  maxTasks: '30',
  seed: '1',
  visibility: 'private',
};

const wholeNumber = (text: string): number | undefined =>
  /^\d+$/.test(text.trim()) ? Number(text.trim()) : undefined;

/** The selection as requests have it. */
export function selectionOf({ filters, taskSets, maxTasks, seed }: EvaluationDraft) {
  const most = wholeNumber(maxTasks);
  return {
    domains: [...filters.domains],
    risk_categories: [...filters.risk_categories],
    threat_models: [...filters.threat_models],
    task_types: [...filters.task_types],
    vectors: [...filters.vectors],
    templates: [...filters.templates],
    environments: [...filters.environments],
    task_sets: [...taskSets],
    seed: wholeNumber(seed) ?? 1,
    ...(most !== undefined && most > 0 && { max_tasks: most }),
  };
}
