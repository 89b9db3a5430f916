import { z } from 'zod';
import { isoTime, queryTime } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { Severity, TenantQuery, tenantQuery } from './fields.ts';

const AllowedTool = z
  .object({
    agent_framework: z.string(),
    owner: z.string().meta({ description: 'Who answers for it.' }),
    reason: z.string(),
    ends_at: isoTime().nullable().meta({ description: 'From then on it is not allowed; null: for good.' }),
    allowed_by: z.string(),
    created_at: isoTime(),
    is_over: z.boolean(),
  })
  .meta({ id: 'AllowedTool' });

const Tool = z
  .object({
    agent_framework: z.string().meta({ description: 'The id of the rule.' }),
    name: z.string(),
    category: z.string(),
    severity: Severity,
    detections: z.int(),
    devices: z.int(),
    people: z.int(),
    first_seen: isoTime(),
    last_seen: isoTime(),
    trend: z.array(z.int()).meta({
      description: 'Detections of each day of the window, in UTC; the last 60 days of a longer one.',
    }),
    sanctioned: z.boolean(),
    allowed: AllowedTool.nullable(),
  })
  .meta({ id: 'FoundTool' });

const allowance = z.object({
  owner: z.string().trim().min(1).max(200),
  reason: z.string().trim().min(1).max(2000),
  ends_at: isoTime().nullable().optional(),
});
const RuleParams = z.object({ rule_id: z.string().max(200) });
const tag = 'Tools';
const access = 'jwt_or_key' as const;

export const toolOperations = {
  listTools: defineOperation({
    method: 'GET',
    path: '/api/v1/shadow-ai/tools',
    tag,
    summary: 'Which tools were found, on how many devices and of how many people',
    description: 'Most devices first. Tools whose rule the tenant has disabled are left out.',
    access,
    query: z.object({
      ...tenantQuery,
      start_date: queryTime('start')
        .optional()
        .meta({ description: '24 hours before the end unless given.' }),
      end_date: queryTime('end').optional().meta({ description: 'Now unless given.' }),
    }),
    response: z.object({ tools: z.array(Tool), window_start: isoTime(), window_end: isoTime() }),
    errors: [403, 404],
  }),
  listAllowedTools: defineOperation({
    method: 'GET',
    path: '/api/v1/shadow-ai/allowed-tools',
    tag,
    summary: 'Tools that the tenant has sanctioned',
    access,
    query: TenantQuery,
    response: z.object({ allowed_tools: z.array(AllowedTool) }),
    errors: [403, 404],
  }),
  allowTool: defineOperation({
    method: 'PUT',
    path: '/api/v1/shadow-ai/allowed-tools/{rule_id}',
    tag,
    summary: 'Sanctions a tool',
    description: 'For administrators. `ends_at` lies in the future; without it the tool is allowed for good.',
    access,
    params: RuleParams,
    query: TenantQuery,
    body: allowance,
    response: AllowedTool,
    errors: [403, 404],
  }),
  allowToolOfDetection: defineOperation({
    method: 'POST',
    path: '/api/v1/shadow-ai/events/{event_id}/allow',
    tag,
    summary: 'Sanctions the tool of a detection',
    description: 'For administrators. Of the whole tenant: other detections of the tool are sanctioned too.',
    access,
    params: z.object({ event_id: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER) }),
    query: TenantQuery,
    body: allowance,
    response: AllowedTool,
    errors: [403, 404],
  }),
  disallowTool: defineOperation({
    method: 'DELETE',
    path: '/api/v1/shadow-ai/allowed-tools/{rule_id}',
    tag,
    summary: 'Takes a sanction back',
    description: 'For administrators.',
    access,
    params: RuleParams,
    query: TenantQuery,
    response: z.object({ status: z.literal('removed') }),
    errors: [403, 404],
  }),
};
