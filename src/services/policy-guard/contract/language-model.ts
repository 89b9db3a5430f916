import { z } from 'zod';
import { defineOperation } from '#base/contract/operation.ts';

export const languageModelOperations = {
  testLanguageModel: defineOperation({
    method: 'POST',
    path: '/api/judge/language_model/test',
    tag: 'Health',
    summary: 'Ask the configured language model something now',
    description:
      'For administrators of the tenant `system`, since it costs tokens and shows the model’s address. Sends one short ' +
      'question, and finds out what the model can do where that is not known yet (5–8 short questions). A model that ' +
      'does not answer is reported in `error`, with status 200. None configured: 409.',
    access: 'jwt',
    response: z
      .object({
        endpoint: z.string().meta({ description: 'Without name, password and query.' }),
        model: z.string(),
        answered: z.boolean(),
        error: z.string().nullable().meta({ description: 'Why it did not answer.' }),
        latency_ms: z
          .number()
          .nullable()
          .meta({ description: 'Of the one question; null without an answer.' }),
        reply: z.string().nullable().meta({ description: 'Its beginning.' }),
        capabilities: z
          .object({
            logprobs: z.boolean(),
            top_logprobs: z.int(),
            json_schema: z.boolean(),
            reasoning: z.enum(['none', 'field', 'inline']),
            temperature: z.boolean(),
            judges: z.boolean(),
          })
          .nullable()
          .meta({ id: 'LanguageModelCapabilities', description: 'Null until they are known.' }),
        usage: z
          .object({
            questions: z.int(),
            shared: z.int().meta({ description: 'That got another’s answer.' }),
            requests: z.int(),
            prompt_tokens: z.int(),
            completion_tokens: z.int(),
            failures: z.int(),
          })
          .meta({ id: 'LanguageModelUsage', description: 'Of this process, since its start.' }),
      })
      .meta({ id: 'LanguageModelTest' }),
    errors: [403, 409],
  }),
};
