import { z } from 'zod';
import { isoTime, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { RunProgress } from '#base/contract/run-progress.ts';
import { Severity } from './severity.ts';

const tag = 'Rule extraction';

const naming = {
  policy_name: storedText({ min: 1, max: 255 }).default('Untitled Policy'),
  category: storedText({ min: 1, max: 255 }).default('User Rules'),
};

const Accepted = z
  .object({ job_id: z.string(), status: z.literal('pending') })
  .meta({ id: 'ExtractionAccepted' });

const maxFiles = 50;

/** Of one text or file. */
export const maxCharacters = 2_000_000;

const ExtractionJob = z
  .object({
    id: z.string(),
    kind: z.literal('rule_extraction'),
    job_id: z.string().meta({ description: 'The same as `id`.' }),
    status: z.enum(['pending', 'completed', 'failed']),
    created_at: isoTime(),
    updated_at: isoTime(),
    started_at: isoTime().nullable(),
    finished_at: isoTime().nullable(),
    progress: RunProgress.meta({ description: 'In files; the step is the name of the one that is read.' }),
    result: z
      .object({
        policy_name: z.string(),
        category: z.string(),
        rules: z
          .record(z.string(), z.object({ description: z.string(), severity: Severity, source: z.string() }))
          .meta({ description: 'Can be sent as the `rules` of a policy as it stands.' }),
        rule_count: z.int(),
        total_files: z.int(),
        successful_files: z.int(),
        failed_files: z.int(),
        file_errors: z.array(z.object({ file: z.string(), error: z.string() })),
      })
      .optional()
      .meta({ description: 'Once it is completed.' }),
    error: z.string().optional().meta({ description: 'Once it has failed.' }),
  })
  .meta({ id: 'ExtractionJob' });

export const extractionOperations = {
  extractRules: defineOperation({
    method: 'POST',
    path: '/api/v1/policies/extract-rules-async',
    tag,
    summary: 'Find rules in a text',
    description:
      'A job reads it; ask for the job by its id. A rule for each obligation or prohibition that is found.',
    access: 'jwt_or_key',
    form: true,
    body: z
      .object({ text: storedText({ min: 1, max: maxCharacters }), ...naming })
      .meta({ id: 'ExtractRulesForm' }),
    response: Accepted,
  }),
  extractRulesFromFiles: defineOperation({
    method: 'POST',
    path: '/api/v1/policies/extract-rules-from-pdf-async',
    tag,
    summary: 'Find rules in files',
    description:
      'Files of the types `.pdf`, `.txt` and `.md`, each of at most 2,000,000 characters; another type: 422. A file that ' +
      'cannot be read fails alone.',
    access: 'jwt_or_key',
    form: true,
    body: z
      .object({ files: z.array(z.file()).min(1).max(maxFiles), ...naming })
      .meta({ id: 'ExtractRulesFromFilesForm' }),
    response: Accepted,
  }),
  getExtractionJob: defineOperation({
    method: 'GET',
    path: '/api/v1/policies/extraction-jobs/{job_id}',
    tag,
    summary: 'An extraction job and its result',
    access: 'jwt_or_key',
    params: z.object({ job_id: z.string() }),
    response: ExtractionJob,
    errors: [404],
  }),
  watchExtractionJob: defineOperation({
    method: 'GET',
    path: '/api/v1/policies/extraction-jobs/{job_id}/events',
    tag,
    summary: 'Progress as server-sent events: `progress` with each change, until the job ends',
    description: 'The data is the job.',
    access: 'jwt_or_key',
    params: z.object({ job_id: z.string() }),
    response: z.string(),
    contentType: 'text/event-stream',
    errors: [404],
  }),
} as const;
