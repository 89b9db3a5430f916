import { z } from 'zod';
import { storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { AccessControl, gatewayId, principalNames } from './gateways.ts';

const name = () => storedText({ min: 1, max: 255 });

/** Maximum number of principals in one request. */
const mostPrincipals = 50;

const verdict = z
  .object({
    allowed: z.boolean(),
    rule: z
      .int()
      .nullable()
      .meta({ description: 'Index of the rule that decides, from 0; null: `default` decides.' }),
  })
  .meta({ id: 'AccessVerdict' });

export const accessOperations = {
  previewAccess: defineOperation({
    method: 'POST',
    path: '/api/gateways/{gateway_id}/access-preview',
    tag: 'Gateways',
    summary: 'Preview who could call what under these rules',
    description:
      'Evaluates the submitted rules, or else those of the gateway, for each principal and each known tool of its ' +
      'servers (POST /api/mcp-servers/{server_id}/discover/tools), and for resources and prompts of each server. ' +
      'Nothing is saved. Requires the owner of the gateway or an administrator of the tenant (403).',
    access: 'jwt_or_key',
    params: gatewayId,
    body: z
      .object({
        access_control: AccessControl.optional(),
        principals: z
          .array(
            z
              .object({
                user_id: name().optional(),
                roles: z.array(name()).max(10).default([]),
                client_id: name().optional(),
              })
              .meta({ id: 'AccessPrincipal' }),
          )
          .min(1)
          .max(mostPrincipals),
      })
      .meta({ id: 'AccessPreviewRequest' }),
    response: z
      .object({
        rows: z.array(
          z
            .object({
              server_id: z.string(),
              server_name: z.string(),
              tool: z
                .string()
                .nullable()
                .meta({ description: 'The name that clients see; null: resources and prompts.' }),
              verdicts: z.array(verdict).meta({ description: 'In the order of `principals`.' }),
            })
            .meta({ id: 'AccessPreviewRow' }),
        ),
        principal_names: principalNames(),
      })
      .meta({ id: 'AccessPreview' }),
    errors: [403, 404],
  }),
};
