import { z } from 'zod';
import { defineOperation } from '#base/contract/operation.ts';
import { Severity, TenantQuery } from './fields.ts';

const Rule = z
  .object({
    id: z.string(),
    name: z.string().meta({ description: 'Of the tool, provider or behaviour.' }),
    version: z.int(),
    severity: Severity.meta({ description: 'As the catalogue has it.' }),
    confidence: z.number(),
    category: z.string(),
    subcategory: z.string().optional(),
    description: z.string(),
    match: z.object({
      process_names: z.array(z.string()),
      cli_patterns: z.array(z.string()).meta({
        description:
          'What is looked for, such as `package:openclaw`, `path:/.opencode/bin/` or `command:goose run`.',
      }),
      dst_domains: z.array(z.string()),
      dns_hostname_suffixes: z.array(z.string()),
      api_domains: z.array(z.string()),
    }),
    tags: z.array(z.string()),
    mitre: z.array(z.string()).nullable(),
    enabled: z.boolean(),
    severity_override: Severity.nullable(),
  })
  .meta({ id: 'ShadowAiRule' });

const change = { enabled: z.boolean().optional(), severity_override: Severity.nullable().optional() };
const errors = [403, 404];

export const ruleOperations = {
  listRules: defineOperation({
    method: 'GET',
    path: '/api/v1/rules',
    tag: 'Rules',
    summary: 'The catalogue, with what the tenant has changed',
    access: 'jwt_or_key',
    query: TenantQuery,
    response: z.object({
      categories: z.array(
        z
          .object({
            id: z.string(),
            label: z.string(),
            description: z.string(),
            group: z.enum(['active', 'upcoming']),
          })
          .meta({ id: 'RuleCategory' }),
      ),
      rules: z.array(Rule),
    }),
    errors,
  }),
  updateRule: defineOperation({
    method: 'PATCH',
    path: '/api/v1/rules/{rule_id}',
    tag: 'Rules',
    summary: 'Switches a rule on or off, or gives it another severity',
    description:
      'For administrators. Only fields that are there are written; `severity_override: null` takes it back.',
    access: 'jwt_or_key',
    params: z.object({ rule_id: z.string().max(200) }),
    query: TenantQuery,
    body: z.object(change),
    response: Rule,
    errors,
  }),
  updateRules: defineOperation({
    method: 'PUT',
    path: '/api/v1/rules/bulk',
    tag: 'Rules',
    summary: 'Changes many rules, or none where one is unknown',
    access: 'jwt_or_key',
    query: TenantQuery,
    body: z.object({ rules: z.array(z.object({ rule_id: z.string().max(200), ...change })).max(5000) }),
    response: z.object({ updated: z.int(), rules: z.array(Rule) }),
    errors: [403, 404, 422],
  }),
};
