import { z } from 'zod';
import { storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { AccessControl, gatewayId, principalNames } from './gateways.ts';

const name = () => storedText({ min: 1, max: 255 });

/** So many principals are asked about at once. */
const mostPrincipals = 50;

const verdict = z
  .object({
    allowed: z.boolean(),
    rule: z
      .int()
      .nullable()
      .meta({ description: 'Place of the rule that decides, from 0; null: `default` does.' }),
  })
  .meta({ id: 'AccessVerdict' });

export const accessOperations = {
  previewAccess: defineOperation({
    method: 'POST',
    path: '/api/gateways/{gateway_id}/access-preview',
    tag: 'Gateways',
    summary: 'Who could call what by these rules',
    description:
      'Judges each principal by the rules that are sent, or else by those of the gateway, for every tool that is known ' +
      'of its servers (POST /api/mcp-servers/{server_id}/discover/tools), and for resources and prompts of each ' +
      'server. Nothing changes. Only who made the gateway, or an administrator of the tenant, may do this (403).',
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
                .meta({ description: 'As clients see it; null: resources and prompts.' }),
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
