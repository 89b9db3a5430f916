/** Calls that wait for a decision, and how much waits in all. */
import { z } from 'zod';
import { isoTime } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { userName } from '#identity/contract/sharing.ts';
import { serverName } from './description-findings.ts';
import { gatewayId, page } from './gateways.ts';

const ApprovalStatus = z.enum(['pending', 'approved', 'denied', 'expired']);

export const Approval = z
  .object({
    id: z.string(),
    gateway_id: z.string(),
    gateway_name: z.string(),
    tool_name: z.string(),
    server_id: z.string(),
    server_name: serverName(),
    user_id: z.string(),
    user_name: userName(),
    principal: z.string(),
    arguments: z.string(),
    reasons: z.array(z.string()),
    status: ApprovalStatus,
    created_at: isoTime(),
    expires_at: isoTime(),
    decided_by: z.string().nullable(),
    decided_by_name: userName(),
    decided_at: isoTime().nullable(),
    waiting: z.boolean().meta({
      description:
        'Whether the call waits for the decision right now. One that waits no longer and is pending was answered that it ' +
        'is not approved yet: the same call passes when it is sent again after it was approved.',
    }),
    action_approval_id: z
      .string()
      .nullable()
      .meta({
        description:
          'The same approval at the action guard (`/api/v1/approvals/{approval_id}`), where a rule says who approves: ' +
          'deciding it there or here is one decision. Null where the owner of the gateway decides.',
      }),
    note: z.string().nullable().meta({
      description:
        'Why nobody can decide any more, where that is not the time: the process that held it ended.',
    }),
  })
  .meta({ id: 'Approval' });

const Decisions = z
  .object({
    gateway_id: z.string(),
    gateway_name: z.string(),
    server_id: z.string(),
    server_name: serverName(),
    calls: z.int().meta({ description: 'Calls that wait for approval.' }),
    calls_at_action_guard: z
      .int()
      .meta({ description: 'How many of these the action guard lists too, since a rule says who approves.' }),
    changed_tools: z.int(),
    descriptions: z
      .int()
      .meta({ description: 'Descriptions that speak to the model and were not approved.' }),
  })
  .meta({ id: 'OpenDecisions' });

const tag = 'Oversight';
const access = 'jwt_or_key';
const whose = 'Requires the owner of the gateway or an administrator of the tenant (403).';

export const approvalOperations = {
  listDecisions: defineOperation({
    method: 'GET',
    path: '/api/decisions',
    tag,
    summary: 'Count what waits for a decision, for each gateway and server',
    description:
      'Of the gateways that the caller may change; one entry where something waits, in order of names.',
    access,
    response: z.object({ decisions: z.array(Decisions) }),
  }),
  listApprovals: defineOperation({
    method: 'GET',
    path: '/api/gateways/{gateway_id}/approvals',
    tag,
    summary: 'List calls that require approval',
    description: whose,
    access,
    params: gatewayId,
    query: page.extend({ status: ApprovalStatus.optional() }),
    response: z.object({ approvals: z.array(Approval), total: z.int() }),
    errors: [403, 404],
  }),
  decideApproval: defineOperation({
    method: 'POST',
    path: '/api/gateways/{gateway_id}/approvals/{approval_id}',
    tag,
    summary: 'Approve or deny a waiting call',
    description: `A call that is not decided in time is denied; 409 if it was already decided or has expired, or if the process that held it ended. The API key that made the call cannot approve it (403). ${whose} Where a rule of the action guard says who approves (\`action_approval_id\`), they may in place of these: it is the same decision as there, and stays \`pending\` while the rule wants one person more.`,
    access,
    params: gatewayId.extend({ approval_id: z.string() }),
    body: z.object({ decision: z.enum(['approve', 'deny']) }).meta({ id: 'ApprovalDecision' }),
    response: Approval,
    errors: [403, 404, 409],
  }),
};
