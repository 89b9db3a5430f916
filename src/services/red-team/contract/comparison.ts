import { z } from 'zod';
import { domains, outcomes, riskCategories, taskStatuses, threatModels } from './names.ts';
import { Rates } from './rates.ts';
import { RunRecord } from './run-record.ts';

const Side = z.object({
  result_id: z.string(),
  status: z.enum(taskStatuses),
  outcome: z.enum(outcomes).nullable(),
});

/** A figure of the tasks that both runs have assessed. */
const Paired = z
  .object({
    tasks: z.int().meta({ description: 'Assessed by both runs.' }),
    both: z.int(),
    only_before: z.int(),
    only_after: z.int(),
    neither: z.int(),
    p_value: z.number().meta({
      description: 'McNemar’s exact test: how likely a difference like this is by chance alone.',
    }),
  })
  .meta({ id: 'RedTeamPaired' });

const Rows = z.record(z.string(), z.object({ before: Rates.nullable(), after: Rates.nullable() }));

/** Two runs beside each other. */
export const Comparison = z
  .object({
    before: z.object({ run: RunRecord, rates: Rates }),
    after: z.object({ run: RunRecord, rates: Rates }),
    tasks_in_common: z.int(),
    attack_success_fall: z.number().nullable().meta({
      description:
        'By which share of its earlier value attack success has fallen, of the tasks that both runs have assessed; negative if it has risen; null where there was none before.',
    }),
    attack_success: Paired,
    work_done: Paired.meta({ description: 'The user’s work, in benign tasks and under indirect attacks.' }),
    utility: Paired.meta({ description: 'The user’s work in benign tasks.' }),
    by_risk_category: Rows,
    by_domain: Rows,
    by_vector: Rows,
    changed: z
      .array(
        z.object({
          task_id: z.string(),
          title: z.string(),
          domain: z.enum(domains),
          threat_model: z.enum(threatModels),
          risk_category: z.enum(riskCategories).nullable(),
          before: Side,
          after: Side,
        }),
      )
      .meta({ description: 'Tasks whose status differs, at most 500: new failures first.' }),
    changed_total: z.int(),
  })
  .meta({ id: 'RedTeamComparison' });
