import { z } from 'zod';
import { isoTime, storedText } from '#base/contract/fields.ts';
import { RunProgress } from '#base/contract/run-progress.ts';
import { userName, visibilityField } from '#identity/contract/sharing.ts';
import { algorithmNames, dataSetNames, scanStatuses } from './names.ts';

export const scanId = z
  .string()
  .min(1)
  .max(100)
  .meta({ description: 'As the start of the scan answered it.' });

const modality = z.array(z.literal('text')).min(1).max(4).default(['text']);

const Model = z
  .object({
    base_url: z
      .url({ protocol: /^https?$/, error: 'must be an http:// or https:// URL' })
      .max(2000)
      .meta({ description: 'Base URL of chat completions; `/chat/completions` is added unless it ends so.' }),
    api_key: z.string().min(1).max(8192).meta({ description: 'Stored encrypted, and never returned.' }),
    model_name: storedText({ min: 1, max: 500 }),
    temperature: z.number().min(0).max(2).default(0.7),
    max_tokens: z.number().int().min(1).max(1_000_000).default(2048),
    extra_headers: z
      .record(z.string().min(1).max(200), z.string().max(8192))
      .refine((headers) => Object.keys(headers).length <= 50, { error: 'must have at most 50 headers' })
      .optional()
      .meta({ description: 'Sent to the model with each request; stored encrypted, and never returned.' }),
  })
  .meta({ id: 'ScannedModel' });

const scanName = storedText({ min: 1, max: 200 }).meta({ description: 'Unique within the tenant.' });

const common = {
  scan_name: scanName,
  model: Model,
  is_user_model: z
    .boolean()
    .optional()
    .meta({ description: 'Whether the model is user-provided; kept as sent.' }),
  application_id: storedText({ max: 200 }).optional().meta({ description: 'Kept as sent.' }),
  continue_flag: z
    .boolean()
    .default(false)
    .meta({
      description:
        'If a scan of this name exists and is `Paused`, `Failed` or `Error`, it is continued from its checkpoint with ' +
        'the settings that it was started with.',
    }),
  visibility: visibilityField().default('private'),
};

export const ScanRequest = z
  .object({
    ...common,
    datasets: z
      .array(
        z.object({
          name: storedText({ min: 1, max: 200 }).meta({
            description: `An own data set, or one of the product: ${dataSetNames.join(', ')}.`,
          }),
        }),
      )
      .min(1)
      .max(100)
      .meta({ description: 'May be left out in TOML: all data sets of the product then.' }),
    algorithms: z.array(z.enum(algorithmNames)).max(8).default([]).meta({
      description: 'Attacks in addition to the default tests, each on some cases of each data set.',
    }),
    input_modalities: modality,
    output_modalities: modality,
    qpm: z.number().int().min(1).max(1_000_000).optional().meta({
      description: 'Requests begun within any 60 seconds at most; default: no limit.',
    }),
    concurrency: z.number().int().min(1).default(8).meta({
      description:
        'Requests at a time; at most `model_scan.most_concurrency` of the deployment (default 256).',
    }),
    seed: z.number().int().min(0).max(2_147_483_647).default(1).meta({
      description:
        'Chooses the cases of attacks and all their random numbers: equal seeds make scans comparable.',
    }),
    use_language_model: z
      .boolean()
      .default(false)
      .meta({
        description:
          'Whether the language model of the deployment writes attacks (DarkCite, Crescendo Attack) and judges requests that ' +
          'should be refused a second time, which can only lower a score. Such scans are not reproducible.',
      }),
    budget: z
      .object({
        requests: z.number().int().min(1).optional(),
        tokens: z.number().int().min(1).optional(),
      })
      .default({})
      .meta({
        description:
          'Of all requests to the model together, retries included. A scan that has spent it fails, and `retry` ' +
          'continues it with the same budget again.',
      }),
  })
  .meta({ id: 'ScanRequest' });

export const SandboxRequest = z.object(common).meta({ id: 'SandboxScanRequest' });

export const Started = z.object({ scan_id: z.string(), status: z.literal(200) }).meta({ id: 'ScanStarted' });

export const Progress = z
  .object({
    id: z.string().meta({ description: 'The same as `scan_id`.' }),
    kind: z.literal('model_scan'),
    scan_id: z.string(),
    scan_time: isoTime().meta({ description: 'When sending began; until then the time of creation.' }),
    created_at: isoTime(),
    status: z.enum(scanStatuses),
    passed_line: z.int().meta({ description: 'Completed tests; a test is one case with one algorithm.' }),
    remaining_time: z
      .number()
      .meta({ description: 'Estimated seconds of sending until the scan is finished.' }),
    percentage: z.number().min(0).max(100),
    scan_name: z.string(),
    model_name: z.string(),
    total: z.int().meta({ description: 'Tests of the scan.' }),
    sandbox: z.boolean(),
    error: z.string().nullable().meta({ description: 'Why the scan failed, and what to do.' }),
    progress: RunProgress.meta({ description: 'In tests: the same as `passed_line` and `total`.' }),
    started_at: isoTime().nullable(),
    finished_at: isoTime().nullable(),
    visibility: visibilityField(),
    owner_id: z.string(),
    owner_name: userName(),
    requests: z
      .int()
      .meta({ description: 'Requests to the model, retries included, as far as they are stored.' }),
    prompt_tokens: z.int(),
    completion_tokens: z.int(),
  })
  .meta({ id: 'ScanProgress' });
