import { z } from 'zod';
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
      })
      .meta({ id: 'Health' }),
  }),
};
