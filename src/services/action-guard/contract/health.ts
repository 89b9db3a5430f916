import { z } from 'zod';
import { isoTime } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';

export const healthOperations = {
  getHealthz: defineOperation({
    method: 'GET',
    path: '/healthz',
    tag: 'Health',
    summary: 'Whether the service answers, which version, and what it can do',
    access: 'public',
    response: z
      .object({
        status: z.literal('ok'),
        service: z.literal('action-guard'),
        version: z.string(),
        timestamp: isoTime(),
        llm_available: z.boolean().meta({ description: 'Whether a language model takes part in verdicts.' }),
        features: z.array(z.string()),
      })
      .meta({ id: 'ActionGuardHealth' }),
  }),
};
