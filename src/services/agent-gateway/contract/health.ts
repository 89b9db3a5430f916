import { z } from 'zod';
import { defineOperation } from '#base/contract/operation.ts';

export const healthOperations = {
  getHealth: defineOperation({
    method: 'GET',
    path: '/health',
    tag: 'Health',
    summary: 'Status and version of the service',
    access: 'public',
    response: z
      .object({ status: z.literal('ok'), version: z.string(), environment: z.string() })
      .meta({ id: 'AgentGatewayHealth' }),
  }),
};
