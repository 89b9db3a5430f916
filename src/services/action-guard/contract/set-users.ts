/**
 * What the action guard asks those whose actions its policy sets judge. The agent gateway answers it: it knows this
 * contract, and the action guard need not know that of the gateway.
 */
import { z } from 'zod';
import { defineOperation } from '#base/contract/operation.ts';

export const setUserOperations = {
  listGatewaysOfPolicySet: defineOperation({
    method: 'GET',
    path: '/api/policy-sets/{policy_set_id}/gateways',
    tag: 'Gateways',
    summary: 'Gateways whose calls a policy set judges',
    description:
      'Names the gateways that the caller may read; of others of the tenant it says only how many there are.',
    access: 'jwt_or_key',
    params: z.object({ policy_set_id: z.string().meta({ example: 'agp_…' }) }),
    response: z.object({
      gateways: z.array(z.object({ id: z.string(), name: z.string() })),
      others: z.int(),
    }),
  }),
};
