import type { z } from 'zod';
import { toIsoTime } from '#base/clock.ts';
import type { extractionOperations } from '../contract/extraction.ts';
import type { ExtractionJob } from './store.ts';

export const viewExtraction = (
  job: ExtractionJob,
): z.input<(typeof extractionOperations.getExtractionJob)['response']> => ({
  job_id: job.jobId,
  status: job.status,
  created_at: toIsoTime(job.createdAt),
  updated_at: toIsoTime(job.updatedAt),
  ...(job.result && {
    result: {
      policy_name: job.policyName,
      category: job.category,
      rules: Object.fromEntries(job.result.rules.map((rule, i) => [`rule_${i + 1}`, rule])),
      rule_count: job.result.rules.length,
      total_files: job.result.totalFiles,
      successful_files: job.result.successfulFiles,
      failed_files: job.result.fileErrors.length,
      file_errors: [...job.result.fileErrors],
    },
  }),
  ...(job.error !== null && { error: job.error }),
});
