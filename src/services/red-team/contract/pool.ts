import { z } from 'zod';
import { defineOperation } from '#base/contract/operation.ts';

/** Operations of the pool manager, on its own port. */
export const poolOperations = {
  getPoolHealth: defineOperation({
    method: 'GET',
    path: '/health',
    tag: 'Pool',
    summary: 'Whether the pool manager answers, and whether the instances have started',
    access: 'public',
    response: z
      .object({ status: z.enum(['ok', 'starting']), version: z.string(), environments: z.int() })
      .meta({ id: 'PoolHealth' }),
  }),
  listPool: defineOperation({
    method: 'GET',
    path: '/environments',
    tag: 'Pool',
    summary: 'The environments with their instances, and what waits for them',
    access: 'jwt_or_key',
    response: z
      .object({
        environments: z.array(
          z.object({ environment: z.string(), instances: z.int(), free: z.int(), starting: z.int() }),
        ),
        leases: z.int(),
        waiting: z.int().meta({ description: 'Tasks that wait for environments.' }),
      })
      .meta({ id: 'PoolStatus' }),
  }),
};
