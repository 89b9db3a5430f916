/** Audit log, approvals and changed tools. */
import { z } from 'zod';
import { isoTime, queryInteger, queryTime } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { userName } from '#identity/contract/sharing.ts';
import {
  DescribedKind,
  Definition,
  DescriptionFinding,
  lineDifference,
  serverName,
} from './description-findings.ts';
import { Approval, approvalOperations } from './approvals.ts';
import { gatewayId, Message, page } from './gateways.ts';

const Outcome = z.enum([
  'ok',
  'tool_error',
  'access_denied',
  'rate_limited',
  'tool_changed',
  'tool_quarantined',
  'blocked',
  'guard_failed',
  'approval_denied',
  'output_blocked',
  'unknown',
  'failed',
  'cancelled',
]);

const Call = z
  .object({
    id: z.string(),
    gateway_id: z.string(),
    gateway_name: z.string().nullable().meta({ description: 'Null after the gateway is deleted.' }),
    tool_name: z.string().meta({ description: 'Or the name of a prompt or the URI of a resource.' }),
    method: z.string(),
    server_id: z.string().nullable(),
    server_name: serverName(),
    user_id: z.string(),
    user_name: userName(),
    principal: z
      .string()
      .meta({ description: 'The user, and the API key or OAuth client that acts for the user.' }),
    session_id: z.string(),
    arguments: z
      .string()
      .nullable()
      .meta({ description: 'JSON; secrets are redacted, long values truncated.' }),
    allowed: z.boolean(),
    outcome: Outcome,
    held: z.boolean().meta({
      description:
        'Whether it was held for a person’s approval, whatever was decided. Of entries of earlier versions it is only known where nobody approved.',
    }),
    approval_id: z.string().nullable().meta({
      description: 'The approval that was asked for; null if none, or if the user was asked at the client.',
    }),
    reason: z.string(),
    rule_ids: z.array(z.string()),
    latency_ms: z.number(),
    guard_latency_ms: z.number(),
    trace_id: z.string().nullable(),
    redactions: z
      .record(z.string(), z.int())
      .nullable()
      .meta({ description: 'How many values of each kind were taken out of the answer; null if none.' }),
    timestamp: isoTime(),
  })
  .meta({ id: 'GatewayCall' });

const CallDetail = Call.extend({
  approval: Approval.nullable().meta({
    description: 'The approval that it was held for: why, and who decided what. Null as `approval_id`.',
  }),
}).meta({ id: 'GatewayCallDetail' });

const ToolPin = z
  .object({
    server_id: z.string(),
    server_name: serverName(),
    tool_name: z.string().meta({ description: 'The server’s name of the tool.' }),
    hash: z.string(),
    pinned_at: isoTime(),
    definition: Definition,
    changed_hash: z.string().nullable().meta({ description: 'Null if the tool is unchanged.' }),
    changed_at: isoTime().nullable(),
    differences: z.array(
      z.object({ field: z.string(), before: z.unknown(), after: z.unknown(), lines: lineDifference() }),
    ),
  })
  .meta({ id: 'ToolPin' });

const tag = 'Oversight';
const access = 'jwt_or_key';
const whose = 'Requires the owner of the gateway or an administrator of the tenant (403).';

const ofAll =
  'Of the gateways that are the caller’s; an administrator sees those of the tenant, deleted ones too. Others do not exist (404).';

const yesOrNo = z
  .enum(['true', 'false'])
  .optional()
  .transform((value) => (value === undefined ? undefined : value === 'true'));

/** What narrows a list of calls. */
const narrowed = {
  start: queryTime('start')
    .optional()
    .meta({ description: 'At or after; a day, or a time, of UTC where it has no offset.' }),
  end: queryTime('end').optional().meta({ description: 'Before; a day counts to its end.' }),
  allowed: yesOrNo,
  outcome: Outcome.optional(),
  held: yesOrNo.meta({ description: '`true`: only calls that were held for approval.' }),
  tool_name: z.string().max(2000).optional(),
  server_id: z.string().max(100).optional(),
  session_id: z.string().max(256).optional(),
  user_id: z.uuid().optional().meta({ description: 'Who called, or for whom a key or client did.' }),
  principal: z.string().max(500).optional().meta({
    description: 'As entries have it, or a user name: then also the calls of that user’s keys and clients.',
  }),
};

/** The same for lists, which are read in pages. */
const paged = {
  ...narrowed,
  before: z
    .string()
    .max(100)
    .optional()
    .meta({ description: 'Only entries older than the one with this id: reads a log of any length.' }),
};

const exported = {
  method: 'GET',
  tag,
  access,
  query: z.object({ ...narrowed, gateway_id: z.string().max(100).optional() }),
  errors: [404],
} as const;

export const oversightOperations = {
  ...approvalOperations,
  listCalls: defineOperation({
    method: 'GET',
    path: '/api/gateways/{gateway_id}/calls',
    tag,
    summary: 'List audit log entries',
    description: `One entry per call, newest first. ${whose} Administrators read the log of a deleted gateway too.`,
    access,
    params: gatewayId,
    query: page.extend(paged),
    response: z.object({
      calls: z.array(Call),
      total: z.int().meta({ description: 'How many entries match, whatever `before` says.' }),
    }),
    errors: [403, 404],
  }),
  listAllCalls: defineOperation({
    method: 'GET',
    path: '/api/calls',
    tag,
    summary: 'List audit log entries of all gateways',
    description: `One entry per call, newest first. ${ofAll}`,
    access,
    query: z.object({
      ...paged,
      gateway_id: z.string().max(100).optional(),
      limit: queryInteger({ min: 1, max: 1000, preset: 100 }),
    }),
    response: z.object({ calls: z.array(Call) }),
    errors: [404],
  }),
  exportCallsAsCsv: defineOperation({
    ...exported,
    path: '/api/calls/export/csv',
    summary: 'All audit log entries of the filter as CSV, newest first',
    description:
      'For whom the list is. Texts that a spreadsheet would take for a formula have an apostrophe before them.',
    response: z.string(),
    contentType: 'text/csv; charset=utf-8',
  }),
  exportCallsAsLines: defineOperation({
    ...exported,
    path: '/api/calls/export/jsonl',
    summary: 'All audit log entries of the filter as lines of JSON, newest first',
    description: 'For whom the list is; each line is an entry as the list has it.',
    response: z.string().meta({ description: 'A line of JSON each.' }),
    contentType: 'application/x-ndjson',
  }),
  getCall: defineOperation({
    method: 'GET',
    path: '/api/calls/{call_id}',
    tag,
    summary: 'One audit log entry',
    description: ofAll,
    access,
    params: z.object({ call_id: z.string().max(100) }),
    response: CallDetail,
    errors: [404],
  }),
  listToolPins: defineOperation({
    method: 'GET',
    path: '/api/gateways/{gateway_id}/tool-pins',
    tag,
    summary: 'List pinned tools and their changes',
    description: whose,
    access,
    params: gatewayId,
    query: z.object({
      changed: z
        .enum(['true', 'false'])
        .default('false')
        .meta({ description: '`true`: only changed tools.' }),
    }),
    response: z.object({ pins: z.array(ToolPin), total: z.int() }),
    errors: [403, 404],
  }),
  listDescriptionFindings: defineOperation({
    method: 'GET',
    path: '/api/gateways/{gateway_id}/descriptions',
    tag,
    summary: 'List descriptions that speak to the model',
    description: `Of tools, prompts and resources of the attached servers, newest first. ${whose}`,
    access,
    params: gatewayId,
    query: z.object({
      status: z.enum(['waiting', 'approved']).optional(),
      limit: queryInteger({ min: 1, max: 1000, preset: 200 }),
    }),
    response: z.object({ findings: z.array(DescriptionFinding) }),
    errors: [403, 404],
  }),
  approveDescription: defineOperation({
    method: 'POST',
    path: '/api/gateways/{gateway_id}/descriptions/approve',
    tag,
    summary: 'Approve a description that speaks to the model',
    description: `Only this wording is approved; another one waits again. 409 if there is no such description that waits. ${whose}`,
    access,
    params: gatewayId,
    body: z
      .object({
        server_id: z.string().max(100),
        kind: DescribedKind,
        name: z.string().max(8192),
        hash: z.string().max(100),
      })
      .meta({ id: 'DescriptionApproval' }),
    response: Message,
    errors: [403, 404, 409],
  }),
  approveToolChange: defineOperation({
    method: 'POST',
    path: '/api/gateways/{gateway_id}/tool-pins/approve',
    tag,
    summary: 'Approve the change of a tool',
    description: `The hash identifies the reviewed change; 409 if the tool has changed again since. ${whose}`,
    access,
    params: gatewayId,
    body: z
      .object({
        server_id: z.string().max(100),
        tool_name: z.string().max(2000),
        changed_hash: z.string().max(100),
      })
      .meta({ id: 'ToolChange' }),
    response: Message,
    errors: [403, 404, 409],
  }),
};
