import { z } from 'zod';
import { defineOperation } from '#base/contract/operation.ts';

const response = z
  .object({ status: z.literal('ok'), version: z.string(), environment: z.string() })
  .meta({ id: 'RedTeamHealth' });

export const healthOperations = {
  getHealth: defineOperation({
    method: 'GET',
    path: '/health',
    tag: 'Health',
    summary: 'Whether the service answers, and which version',
    access: 'public',
    response,
  }),
  getApiHealth: defineOperation({
    method: 'GET',
    path: '/api/health',
    tag: 'Health',
    summary: 'The same below /api',
    access: 'public',
    response,
  }),
};
