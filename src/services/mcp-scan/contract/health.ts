import { z } from 'zod';
import { defineOperation } from '#base/contract/operation.ts';

const tag = 'Health';

export const healthOperations = {
  getRoot: defineOperation({
    method: 'GET',
    path: '/',
    tag,
    summary: 'Which service this is, and its version',
    access: 'public',
    response: z.object({ message: z.string(), version: z.string() }).meta({ id: 'McpScanRoot' }),
  }),
  getHealth: defineOperation({
    method: 'GET',
    path: '/health',
    tag,
    summary: 'Whether the service answers',
    access: 'public',
    response: z.object({ status: z.literal('ok'), service: z.string() }).meta({ id: 'McpScanHealth' }),
  }),
};
