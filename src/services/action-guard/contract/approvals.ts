import { z } from 'zod';
import { isoTime, queryInteger, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { userName } from '#identity/contract/sharing.ts';

/** What a rule wants of whoever approves. */
const Wanted = z
  .object({
    rule_id: z.string(),
    description: z.string().meta({ description: 'The rule’s sentence.' }),
    enforced: z.string().optional().meta({
      description: 'What is enforced of it, where the sentence says more than that or something else.',
    }),
    reason: z.string().meta({ description: 'What in the call made the rule ask.' }),
    by: z.array(z.string()).meta({ description: 'Roles of which one is needed; empty: none.' }),
    other: z.boolean().meta({ description: 'Another person than the one who asks: four eyes.' }),
  })
  .meta({ id: 'WantedApproval' });

const Status = z.enum(['pending', 'approved', 'denied', 'expired', 'used']).meta({
  description:
    '`approved`: the call may be sent again, once. `used`: it was. `expired`: nobody decided in time, or it was not sent ' +
    'again in time.',
});

const Approval = z
  .object({
    id: z.string(),
    policy_id: z.string().meta({ description: 'The policy set.' }),
    policy_name: z.string().nullable(),
    session_id: z.string(),
    gateway_id: z.string().nullable(),
    user_id: z.string().meta({ description: 'Who asked.' }),
    user_name: userName(),
    acting_user: z
      .string()
      .nullable()
      .meta({ description: 'Whom the agent acts for, as the calling application said.' }),
    tool_name: z.string(),
    tool_params: z.record(z.string(), z.unknown()),
    wanted: z.array(Wanted),
    grants: z
      .array(
        z
          .object({ by: z.string(), by_name: z.string(), roles: z.array(z.string()), at: isoTime() })
          .meta({ id: 'ApprovalGrant' }),
      )
      .meta({ description: 'Who has approved so far: rules may want more than one person.' }),
    status: Status,
    decided_by: z.string().nullable(),
    decided_by_name: userName(),
    decided_at: isoTime().nullable(),
    note: z.string().nullable(),
    created_at: isoTime(),
    expires_at: isoTime(),
    may_decide: z
      .boolean()
      .meta({ description: 'Whether the caller may approve it; who may see it may deny it.' }),
    why_not: z.string().optional().meta({ description: 'Why the caller may not approve a call that waits.' }),
    roles_of_nobody: z.array(z.string()).meta({
      description:
        'Roles whose approval it waits for and that nobody has: the owner of the policy set gives them in `user_roles`.',
    }),
  })
  .meta({ id: 'ActionApproval' });

/** Of a call that was held, in the answer of its evaluation. */
export const Held = z
  .object({
    id: z.string(),
    status: z.enum(['pending', 'denied']),
    wanted: z.array(Wanted),
    expires_at: isoTime(),
  })
  .meta({
    id: 'HeldAction',
    description:
      'Where nothing but a person’s approval is missing: `POST /api/v1/approvals/{approval_id}` gives it, and the same ' +
      'call sent again in the same session is allowed once.',
  });

const approvalId = z.object({ approval_id: z.string() });
const tag = 'Approvals';
const whose =
  'Visible to who asked, to the owner of the policy set, to users with a role in it (`user_roles`) and to ' +
  'administrators; for all others, and for other tenants, it does not exist (404).';

export const approvalOperations = {
  listActionApprovals: defineOperation({
    method: 'GET',
    path: '/api/v1/approvals',
    tag,
    summary: 'Calls that wait, or have waited, for approval',
    description: `Newest first. ${whose}`,
    access: 'jwt_or_key',
    query: z.object({
      status: Status.optional(),
      session_id: z.string().max(256).optional(),
      limit: queryInteger({ min: 1, max: 1000, preset: 100 }),
      offset: queryInteger({ min: 0, max: 1_000_000, preset: 0 }),
    }),
    response: z.object({ approvals: z.array(Approval), total: z.int() }),
  }),
  getActionApproval: defineOperation({
    method: 'GET',
    path: '/api/v1/approvals/{approval_id}',
    tag,
    summary: 'One call that waits, or has waited, for approval',
    description: whose,
    access: 'jwt_or_key',
    params: approvalId,
    response: Approval,
    errors: [404],
  }),
  decideActionApproval: defineOperation({
    method: 'POST',
    path: '/api/v1/approvals/{approval_id}',
    tag,
    summary: 'Approve or deny a call, in the name of who asks this',
    description:
      'The approval counts under the identity of the caller, and for this one call in its session. A key or ' +
      'client of the user who asked cannot approve it, a person can; where a rule wants another person or a role, only such a person can (403). ' +
      `Decided, used or expired already: 409. ${whose}`,
    access: 'jwt_or_key',
    params: approvalId,
    body: z
      .object({
        decision: z.enum(['approve', 'deny']),
        note: storedText({ max: 2000 }).nullish().meta({ description: 'Why; kept with the decision.' }),
      })
      .meta({ id: 'ActionApprovalDecision' }),
    response: Approval,
    errors: [403, 404, 409],
  }),
} as const;
