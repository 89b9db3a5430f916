import { z } from 'zod';
import { defineOperation } from '#base/contract/operation.ts';

export const healthOperations = {
  getHealth: defineOperation({
    method: 'GET',
    path: '/health',
    tag: 'Health',
    summary: 'Whether the service answers, and which version',
    access: 'public',
    response: z
      .object({ status: z.literal('ok'), version: z.string(), environment: z.string() })
      .meta({ id: 'RedTeamHealth' }),
  }),
};
