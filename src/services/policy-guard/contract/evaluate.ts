import { z } from 'zod';
import { isoTime } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { PolicyInput } from './policies.ts';
import { Strictness, threshold } from './strictness.ts';

const tag = 'Content safety';

/** Judged and not stored: any string, NUL and unpaired surrogates included. */
export const judgedText = () => z.string().min(1);

export const Message = z
  .object({
    role: z.enum(['system', 'user', 'assistant']),
    content: z.string().max(100_000),
  })
  .meta({ id: 'ConversationTurn' });

/** What the caller says a text is. */
export const textContext = () =>
  z
    .enum(['chat', 'document', 'comment', 'reply'])
    .optional()
    .meta({
      description:
        'What the text is: a message to a model or assistant, a document (also a web page, a file, what a tool answered), ' +
        'a comment or post of a person to others, or the reply of a model. The built-in detectors of the embedded engine ' +
        'have an operating point of their own for each; without it they have one for all.',
    });

const probabilities = () =>
  z.record(z.string(), z.number()).meta({ description: 'Policy name → 0.0 (safe) to 1.0 (violation).' });

const booleans = () =>
  z.record(z.string(), z.boolean()).meta({ description: 'Policy name → at or above the threshold.' });

const Decider = z.enum(['embedded', 'llm', 'moderation', 'onnx', 'none']);

/** Which engine decided, and whether it was a substitute. */
export const decided = {
  engine: z.enum([...Decider.options, 'mixed']).meta({
    description:
      'Who decided: the embedded engine, the language model, a remote moderation endpoint, a local model, or `none` ' +
      'where the judge failed and the fail mode `closed` or `open` decided; `mixed`: see `engines`.',
  }),
  engines: z
    .record(z.string(), Decider)
    .optional()
    .meta({ description: 'Policy name → who decided; only where `engine` is `mixed`.' }),
  degraded: z.boolean().meta({
    description:
      'A judge did not answer, and the embedded engine or the fail mode stood in for it; in a streaming check: the ' +
      'guard has another judge, which streams do not ask.',
  }),
};

/** The verdict of one group on one text. */
export const groupResult = {
  policy_group_uuid: z.string(),
  policy_group_name: z.string(),
  flagged: z.boolean(),
  threshold: z.number().meta({ description: 'The threshold used: the override’s, else the group’s.' }),
  strictness_level: Strictness,
  probs: probabilities(),
  categories: booleans(),
  reasoning: z.string().nullable().meta({
    description:
      'Why, in a sentence; null when not flagged, unless the deployment has a language model give reasons `always`.',
  }),
  ...decided,
};

const allowedBy = () =>
  z.string().optional().meta({
    description: 'Where the guard’s allow-list let the text pass, unjudged: the entry.',
  });

/** Responses that disclose nothing. */
const silence =
  'A guard in observe mode, and one that has the text on its allow-list, answers that nothing is flagged and names no ' +
  'policy: `probs` and `categories` are empty, since neither an invented probability nor one that contradicts its ' +
  'category would be true. What was found is in the query log (GET /api/queries).';

const redactedText = () =>
  z.string().optional().meta({
    description:
      'The whole text without personal data and secrets, where the guard’s `settings.redact` asks for it.',
  });

const GuardResult = z
  .object({
    flag: z.boolean().meta({ description: 'Whether any group flagged the text.' }),
    id: z.string().meta({ description: 'The guard’s UUID.' }),
    guard: z.string().meta({ description: 'The guard’s name.' }),
    results: z.array(z.object(groupResult).meta({ id: 'GroupResult' })),
    mode: z.literal('observe').optional().meta({ description: 'Where the guard only observes.' }),
    allowed_by: allowedBy(),
    latency_ms: z.number().meta({ description: 'From the checked request to the verdict.' }),
    redacted_text: redactedText(),
  })
  .meta({ id: 'GuardResult' });

const Moderation = z
  .object({
    id: z.string(),
    model: z.string(),
    results: z.array(
      z
        .object({
          flagged: z.boolean(),
          categories: booleans(),
          category_scores: probabilities(),
          category_applied_input_types: z
            .record(z.string(), z.array(z.literal('text')))
            .optional()
            .meta({
              description:
                'With OpenAI’s categories alone: what each was judged on; empty for one that nothing here covers.',
            }),
          reasoning: z.array(z.string()),
          allowed_by: allowedBy(),
          degraded: decided.degraded,
          redacted_text: redactedText(),
        })
        .meta({ id: 'ModerationResult' }),
    ),
  })
  .meta({ id: 'Moderation' });

const UnsavedPolicy = PolicyInput.extend({
  detector: z
    .enum([
      'general-harmful-content',
      'hate-bias-discrimination',
      'jailbreak-attempt',
      'prompt-injection',
      'violence-abuse',
      'profanity-offensive-language',
      'sexual-suggestive',
      'unethical-illegal',
      'suicide-self-harm',
    ])
    .optional()
    .meta({
      description:
        'Judged by the built-in detector, as the built-in policy with this id is, under the name given here.',
    }),
}).meta({ id: 'UnsavedPolicy' });

const OneshotResult = z
  .object({
    flag: z.boolean(),
    threshold: z.number(),
    strictness_level: Strictness,
    probabilities: probabilities(),
    results: booleans(),
    reasoning: z.string().meta({ description: 'Why it was flagged, or that nothing was found.' }),
    ...decided,
    latency_ms: z.number(),
    timestamp: isoTime(),
  })
  .meta({ id: 'OneshotResult' });

const ModerationInput = z.union([
  judgedText(),
  z
    .array(z.union([judgedText(), z.object({ type: z.literal('text'), text: judgedText() })]))
    .min(1)
    .max(1000),
]);

const whoMayAsk =
  'Every user and API key of the guard’s tenant may use it; for other tenants it does not exist (404). A disabled guard: 409.';

const openAiModels =
  'An OpenAI model (`omni-moderation-latest`, `text-moderation-latest` and the others) selects the caller’s own ' +
  'oldest guard of that name, else the one of `policy_guard.moderation_guard`, else the caller’s oldest enabled guard; ' +
  'the answer then has OpenAI’s thirteen categories, estimated from the built-in detectors: `docs/guides/connecting.md` ' +
  'says how. `flagged` is the guard’s verdict, so a policy without a category of OpenAI’s flags as well. A guard ' +
  'without any of the detectors: 409.';

/** The error body of the moderation interface, as OpenAI's clients read it. */
const OpenAiError = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string().nullable(),
    }),
  })
  .meta({ id: 'OpenAiError' });

export const evaluateOperations = {
  topicGuard: defineOperation({
    method: 'POST',
    path: '/api/topic_guard',
    tag,
    summary: 'Judge a text by a guard',
    description:
      `${whoMayAsk} \`messages\` are earlier turns, oldest first: they change the verdict on \`text\` where its meaning ` +
      'depends on them, and are not judged themselves. A text above `settings.max_text_length` is cut at a character, ' +
      `or refused with 422 when \`settings.overflow\` is \`throw\`. An empty text: 422. ${silence}`,
    access: 'jwt_or_key',
    body: z
      .object({
        text: judgedText(),
        guard_uuid: z.string().min(1).max(100),
        messages: z.array(Message).max(200).default([]),
        context: textContext(),
      })
      .meta({ id: 'GuardRequest' }),
    response: GuardResult,
    errors: [404, 409],
  }),
  topicGuardOneshot: defineOperation({
    method: 'POST',
    path: '/api/topic_guard_oneshot',
    tag,
    summary: 'Judge a text by policies that are not saved',
    description: 'Two policies with the same name: 422, since probabilities are returned by name.',
    access: 'jwt_or_key',
    body: z
      .object({
        text: judgedText(),
        policies: z.array(UnsavedPolicy).min(1).max(50),
        context: textContext(),
        threshold: threshold().default(0.5),
        strictness_level: Strictness.default('medium'),
      })
      .meta({ id: 'OneshotRequest' }),
    response: OneshotResult,
  }),
  createModeration: defineOperation({
    method: 'POST',
    path: '/api/v1/moderations',
    tag,
    summary: 'Judge texts through the interface of OpenAI’s moderation clients',
    description:
      `${whoMayAsk} \`model\` is the guard’s UUID. One result for each string, in order; parts of the form ` +
      '`{type: "text", text}` together are one input, as they are there. A policy name in two groups has the higher score. ' +
      `Errors have OpenAI’s form. ${openAiModels} ${silence}`,
    access: 'jwt_or_key',
    body: z
      .object({ input: ModerationInput, model: z.string().min(1).max(100), context: textContext() })
      .meta({ id: 'ModerationRequest' }),
    response: Moderation,
    errors: [404, 409],
    errorBody: OpenAiError,
  }),
  createOpenAiModeration: defineOperation({
    method: 'POST',
    path: '/v1/moderations',
    tag,
    summary: 'The same with OpenAI’s categories always, whatever the model',
    description:
      `${whoMayAsk} \`model\` is a guard’s UUID or a model of OpenAI’s, \`omni-moderation-latest\` unless sent. ` +
      openAiModels,
    access: 'jwt_or_key',
    body: z
      .object({
        input: ModerationInput,
        model: z.string().min(1).max(100).default('omni-moderation-latest'),
        context: textContext(),
      })
      .meta({ id: 'OpenAiModerationRequest' }),
    response: Moderation,
    errors: [404, 409],
    errorBody: OpenAiError,
  }),
  getCacheStats: defineOperation({
    method: 'GET',
    path: '/api/cache/stats',
    tag,
    summary: 'The verdict cache of the caller’s tenant',
    access: 'jwt_or_key',
    response: z
      .object({
        backend: z.enum(['memory', 'redis']),
        entries: z.int(),
        hits: z.int().meta({ description: 'In this process, since its start.' }),
        misses: z.int(),
        hit_rate: z.number().meta({ description: 'hits / (hits + misses); 0 before the first.' }),
        max_entries: z
          .int()
          .nullable()
          .meta({ description: 'Of all tenants together; null where Redis sets the bound.' }),
        ttl_seconds: z.int(),
        evictions: z
          .int()
          .nullable()
          .meta({ description: 'Entries that made room; null where Redis decides.' }),
      })
      .meta({ id: 'CacheStats' }),
  }),
  clearCache: defineOperation({
    method: 'POST',
    path: '/api/cache/clear',
    tag,
    summary: 'Forget cached verdicts',
    description:
      'Of an administrator all of the tenant; of others those that were made by their own guards. Answers of a language ' +
      'model about a policy, which all guards share, are forgotten with those of the tenant.',
    access: 'jwt_or_key',
    response: z
      .object({ cleared: z.int().meta({ description: 'Entries that went.' }) })
      .meta({ id: 'CacheCleared' }),
  }),
};
