import { z } from 'zod';
import { domains, riskCategories, taskTypes, threatModels, vectors } from './names.ts';

const some = <const V extends readonly [string, ...string[]]>(values: V) =>
  z.array(z.enum(values)).max(values.length).default([]);
const ids = z.array(z.string().min(1).max(200)).max(5000).default([]);

/** Which tasks an evaluation is made of. An empty list selects everything of its kind. */
export const selectionFields = {
  domains: some(domains),
  risk_categories: some(riskCategories).meta({
    description: 'Benign tasks have none: they are selected by `threat_models` or `task_types`.',
  }),
  threat_models: some(threatModels),
  task_types: some(taskTypes),
  vectors: some(vectors),
  templates: z.array(z.string().max(100)).max(50).default([]),
  environments: z.array(z.string().max(100)).max(50).default([]),
  task_sets: z.array(z.string().min(1).max(100)).max(20).default([]).meta({
    description:
      'Sets of own tasks, in place of the product’s; `shipped` among them adds those of the product.',
  }),
  task_ids: ids.meta({ description: 'Only these tasks.' }),
  max_tasks: z.int().min(1).max(20_000).optional().meta({
    description:
      'A sample of this size: a fifth benign tasks, a fifth direct attacks, the rest indirect ones, each spread over domains, categories and vectors; default: all.',
  }),
  seed: z.int().min(0).max(2_147_483_647).default(1).meta({
    description: 'Chooses the sample: equal seeds choose equal tasks.',
  }),
};

/** The selection as stored with an evaluation. */
export const Selection = z.object(selectionFields).meta({ id: 'TaskSelection' });
