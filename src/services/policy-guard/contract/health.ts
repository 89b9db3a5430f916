import { z } from 'zod';
import { isoTime } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';

export const healthOperations = {
  getHealth: defineOperation({
    method: 'GET',
    path: '/health',
    tag: 'Health',
    summary: 'Whether the service answers, which version, and where',
    access: 'public',
    response: z
      .object({
        status: z.literal('ok'),
        version: z.string(),
        environment: z.string().meta({ description: 'The setting `environment` of the deployment.' }),
        llm_available: z.boolean().meta({
          description: 'Whether a language model is configured and the last that was heard of it is good.',
        }),
        judge: z
          .object({
            engine: z.enum(['embedded', 'llm', 'cascade', 'moderation', 'onnx']).meta({
              description: 'Who judges for guards that do not say.',
            }),
            engines: z.array(z.string()).meta({ description: 'What guards may choose here.' }),
            fail_mode: z.enum(['degrade', 'closed', 'open']),
          })
          .meta({ id: 'JudgeHealth' }),
        llm: z
          .object({
            model: z.string(),
            probed_at: isoTime().nullable().meta({ description: 'Null until it has answered once.' }),
            logprobs: z.boolean().nullable().meta({
              description: 'Whether verdicts are read from log-probabilities; null until it is known.',
            }),
            top_logprobs: z.int().nullable(),
            json_schema: z.boolean().nullable(),
            reasoning: z.enum(['none', 'field', 'inline']).nullable(),
            judges: z.boolean().nullable().meta({
              description: 'Whether it distinguished a harmful sample from a harmless one.',
            }),
          })
          .nullable()
          .meta({
            id: 'LanguageModelHealth',
            description: 'What the language model can do, found out by asking it; null where there is none.',
          }),
      })
      .meta({ id: 'Health' }),
  }),
};
