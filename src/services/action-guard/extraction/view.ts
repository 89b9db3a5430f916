import type { z } from 'zod';
import { toIsoTime } from '#base/clock.ts';
import type { RunStatus } from '#base/jobs/runs/run.ts';
import type { extractionOperations } from '../contract/extraction.ts';
import type { ExtractionJob } from './extraction.ts';

const statusOf = (status: RunStatus) =>
  status === 'completed' || status === 'failed' ? status : ('pending' as const);

export const viewExtraction = ({
  id,
  input,
  result,
  ...job
}: ExtractionJob): z.input<(typeof extractionOperations.getExtractionJob)['response']> => ({
  id,
  kind: 'rule_extraction' as const,
  job_id: id,
  status: statusOf(job.status),
  created_at: toIsoTime(job.createdAt),
  updated_at: toIsoTime(job.updatedAt),
  started_at: job.startedAt && toIsoTime(job.startedAt),
  finished_at: job.finishedAt && toIsoTime(job.finishedAt),
  progress: {
    done: job.progress.done,
    total: job.progress.total ?? null,
    step: job.progress.step ?? null,
  },
  ...(result && {
    result: {
      policy_name: input.policyName,
      category: input.category,
      rules: Object.fromEntries(result.rules.map((rule, i) => [`rule_${i + 1}`, rule])),
      rule_count: result.rules.length,
      total_files: result.totalFiles,
      successful_files: result.successfulFiles,
      failed_files: result.fileErrors.length,
      file_errors: [...result.fileErrors],
    },
  }),
  ...(job.error && { error: job.error.message }),
});
