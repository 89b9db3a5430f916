import { z } from 'zod';
import { defineOperation } from '#base/contract/operation.ts';
import { policyFields } from './policies.ts';

const tag = 'Templates';

const { id, name, description, category } = policyFields;

export const templateOperations = {
  listTemplates: defineOperation({
    method: 'GET',
    path: '/api/v1/policies/templates',
    tag,
    summary: 'List the preset templates',
    description: 'Read-only, and the same for everybody. A template’s id can be attached to a set as it is.',
    access: 'jwt_or_key',
    response: z.object({
      templates: z.array(
        z.object({ id, name, description, category, rule_count: z.int() }).meta({ id: 'TemplateSummary' }),
      ),
      total: z.int(),
    }),
  }),
  getTemplate: defineOperation({
    method: 'GET',
    path: '/api/v1/policies/templates/{template_id}',
    tag,
    summary: 'One template with its rules',
    access: 'jwt_or_key',
    params: z.object({ template_id: z.string() }),
    response: z.object(policyFields).meta({ id: 'Template' }),
    errors: [404],
  }),
} as const;
