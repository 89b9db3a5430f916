import { z } from 'zod';
import { isoTime } from '#base/contract/fields.ts';
import { RunProgress } from '#base/contract/run-progress.ts';
import { userName } from '#identity/contract/sharing.ts';
import { runStatuses } from './names.ts';

/** How many tasks of a run are in each state. */
export const TaskCounts = z
  .object({
    total: z.int(),
    pending: z.int(),
    running: z.int(),
    passed: z.int(),
    failed: z.int(),
    error: z.int(),
    cancelled: z.int(),
  })
  .meta({ id: 'RedTeamTaskCounts' });

/** One execution of an evaluation. */
export const RunRecord = z
  .object({
    id: z.string().meta({ description: 'The same as `run_id`.' }),
    kind: z.literal('red_team'),
    run_id: z.string(),
    evaluation_id: z.string(),
    evaluation_name: z.string(),
    status: z.enum(runStatuses),
    config: z
      .object({
        agent_endpoint: z.string(),
        protocol: z.string(),
        concurrency: z.int(),
        agent_timeout_seconds: z.number(),
        proxy_mcp_url: z.string(),
        adaptive_budget: z.int().meta({ description: 'Injections that may be rewritten; 0: none.' }),
        gateway_id: z
          .string()
          .nullable()
          .meta({ description: 'The gateway whose settings guard the agent’s calls.' }),
        gateway_name: z.string().nullable(),
      })
      .meta({ description: 'What the run was started with.' }),
    counts: TaskCounts,
    progress: RunProgress.meta({ description: 'In tasks that were judged or ended with an error.' }),
    created_at: isoTime(),
    started_at: isoTime().nullable(),
    finished_at: isoTime().nullable(),
    error: z.string().nullable().meta({ description: 'Why the run failed, and what to do.' }),
    owner_id: z.string(),
    owner_name: userName(),
  })
  .meta({ id: 'RedTeamRun' });
