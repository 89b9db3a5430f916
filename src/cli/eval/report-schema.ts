import { z } from 'zod';
import { textKinds } from '#engine/text/types.ts';

/** Not a number becomes null: the measure has no meaning there. */
const measure = () => z.number().nullable();

const Measures = z.object({
  positives: z.int(),
  negatives: z.int(),
  shared_negatives: z.boolean(),
  few_rows: z.boolean(),
  auprc: measure(),
  auroc: measure(),
  best_f1: measure(),
  best_f1_cut: measure(),
  f1: measure(),
  precision: measure(),
  recall: measure(),
  false_positive_rate: measure(),
  recall_at_1_percent_fpr: measure(),
  recall_at_5_percent_fpr: measure(),
  calibration_error: measure(),
});

const Input = z.object({
  path: z.string(),
  sha256: z.string().nullable(),
  bytes: z.int(),
  rows: z.int(),
});

const BrokenRow = z.object({ path: z.string(), line: z.int(), why: z.string() });

const Band = z.object({
  detector: z.string(),
  from: z.number(),
  to: z.number(),
  positives: z.int(),
  negatives: z.int(),
  missed: measure(),
  alarms: measure(),
  asked_positives: measure(),
  asked_negatives: measure(),
});

/** What `--json` writes and `--compare` reads; docs/guides/evaluating.md explains each field. */
export const Report = z.object({
  format: z.literal('bulwark-text-evaluation/1'),
  created_at: z.string(),
  bulwark_version: z.string(),
  engine: z.object({
    kind: z.enum(['embedded', 'llm', 'cascade', 'guard']),
    version: z.string(),
    guard: z.string().nullable(),
  }),
  settings: z.object({
    threshold: z.number().nullable(),
    strictness: z.enum(['low', 'medium', 'high']).nullable(),
    context: z.enum(textKinds).nullable().default(null),
    policies_sha256: z.string().nullable(),
    split: z.string(),
    harmless_split: z.string().nullable(),
    sources: z.array(z.string()).nullable(),
    limit: z.int().nullable(),
    by: z.array(z.string()),
  }),
  inputs: z.array(Input),
  harmless_inputs: z.array(Input),
  complete: z.boolean(),
  stopped_by: z.string().nullable(),
  counts: z.object({
    judged: z.int(),
    harmless_judged: z.int(),
    broken: z.int(),
    not_judged: z.int(),
    unlabelled: z.int(),
    other_splits: z.record(z.string(), z.int()),
    other_sources: z.int(),
    unknown_ids: z.record(z.string(), z.int()),
    harmful_in_harmless: z.int(),
  }),
  /** Where a language model judged. */
  cost: z
    .object({
      calls: z.int(),
      prompt_tokens: z.int(),
      completion_tokens: z.int(),
      rows_asked: z.int(),
    })
    .optional(),
  first_broken: z.array(BrokenRow),
  first_not_judged: z.array(BrokenRow),
  detectors: z.array(z.object({ id: z.string(), name: z.string(), threshold: z.number() })),
  results: z.array(Measures.extend({ set: z.string(), detector: z.string() })),
  macro: z.array(
    Measures.extend({ detector: z.string().nullable(), entries: z.int() }).omit({
      shared_negatives: true,
    }),
  ),
  pooled: z.array(Measures.extend({ detector: z.string() })),
  harmless: z.array(
    z.object({ set: z.string(), rows: z.int(), any: z.number(), each: z.record(z.string(), z.number()) }),
  ),
  slices: z.array(Measures.extend({ field: z.string(), value: z.string(), detector: z.string() })),
  bands: z.object({ miss_budget: z.number(), alarm_budget: z.number(), detectors: z.array(Band) }).optional(),
  reliability: z.array(
    z.object({
      detector: z.string(),
      bins: z.array(
        z.object({
          from: z.number(),
          to: z.number(),
          rows: z.int(),
          mean_score: measure(),
          positive_share: measure(),
        }),
      ),
    }),
  ),
});

export type Report = z.infer<typeof Report>;
export type WireMeasures = z.infer<typeof Measures>;
