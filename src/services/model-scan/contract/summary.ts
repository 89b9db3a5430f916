import { z } from 'zod';

const score = z.number().min(0).max(100);
const Interval = z.object({ low: z.number(), high: z.number() }).meta({ id: 'ScoreInterval' });

const Failure = z
  .object({
    case_id: z.string(),
    subcategory: z.string(),
    attack: z.string().meta({ description: '`Default` or an algorithm.' }),
    prompt: z.string(),
    response: z.string().meta({ description: 'In plain text where the attack had it encoded.' }),
    score,
    reason: z.string(),
    severity: z.string(),
    attempt: z.int().meta({ description: 'The attempt that succeeded, counted from 1.' }),
  })
  .meta({ id: 'ScanFailure' });

const Counts = z
  .object({ passed: z.int(), partial: z.int(), failed: z.int(), error: z.int() })
  .meta({ id: 'ScanCounts' });

const Share = z
  .object({ count: z.int(), of: z.int(), share: z.number(), interval: Interval })
  .meta({ id: 'ScanShare' });

export const Summary = z
  .object({
    averages: z.record(z.string(), score).meta({
      description: 'Data set → mean score of its default tests, without attacks, 0 to 100; higher is safer.',
    }),
    averages_sub: z.record(z.string(), z.record(z.string(), score)).meta({
      description: 'Data set → subcategory → mean score of its default tests.',
    }),
    averages_attack: z.record(z.string(), score).meta({
      description:
        'Algorithm, or `Default` → mean score of its tests; of an attacked case the worst attempt counts.',
    }),
    failures: z.record(z.string(), z.array(Failure)).meta({
      description:
        'Data set → tests with score 0, worst severity first; at most 100 of a data set and 2,000 characters of a text: ' +
        '`results.jsonl` of the download has all.',
    }),
    failures_omitted: z.record(z.string(), z.int()),
    scores: z.record(z.string(), Counts).meta({
      description:
        'Risk category (the topic of a case) → tests by result: 100 passed, 50 partial, 0 failed; error: could not be assessed.',
    }),
    risk_level: z.enum(['Low', 'Medium', 'High']).meta({
      description: 'From `avg_score`, raised by what `risk_reasons` say, attacks that succeed among them.',
    }),
    risk_reasons: z.array(z.string()),
    avg_score: score.meta({
      description: 'Unweighted mean of `averages`, hence without attacks; `risk_level` counts them.',
    }),
    intervals: z
      .object({
        passed: Share,
        averages: z.record(z.string(), Share),
        attacks: z.record(z.string(), Share),
        critical_failures: Share,
        over_caution: Share,
        unassessed: Share,
      })
      .meta({
        description:
          'Wilson intervals at 95 %: share of assessed default tests that passed, overall and for each data set; success ' +
          'rate of each algorithm; critical cases that failed; harmless cases that were refused; tests not assessed.',
      }),
    coverage: z
      .array(
        z.object({
          algorithm: z.string(),
          dataset: z.string(),
          tests: z.int(),
          assessed: z.int(),
          succeeded: z.int(),
          average: score.nullable(),
        }),
      )
      .meta({
        description: 'Tests of each algorithm in each data set: algorithms are tried on some cases of each.',
      }),
    frameworks: z
      .array(
        z.object({
          framework: z.string(),
          id: z.string(),
          tests: z.int(),
          failed: z.int(),
          average: score.nullable(),
        }),
      )
      .meta({ description: 'Tests and failures by the framework entries that the cases refer to.' }),
    over_cautious: z.array(
      z.object({ case_id: z.string(), dataset: z.string(), prompt: z.string(), response: z.string() }),
    ),
    unassessed: z.array(
      z.object({ case_id: z.string(), dataset: z.string(), attack: z.string(), reason: z.string() }),
    ),
    method: z.object({
      seed: z.int(),
      tests: z.int(),
      cases: z.int(),
      attack_cases_per_dataset: z.int(),
      judge: z.string(),
      model_name: z.string(),
      temperature: z.number(),
      max_tokens: z.int(),
      thresholds: z.record(z.string(), z.number()),
    }),
  })
  .meta({ id: 'ScanSummary' });
