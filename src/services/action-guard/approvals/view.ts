import type { z } from 'zod';
import { toIsoTime } from '#base/clock.ts';
import type { NameOf } from '#identity/users/user-names.ts';
import type { approvalOperations, Held } from '../contract/approvals.ts';
import { type Approval, statusAt, type Wanted } from './approval.ts';

type OnWire = z.input<(typeof approvalOperations.getActionApproval)['response']>;

const viewWanted = ({ ruleId, description, enforced, reason, by, other }: Wanted) => ({
  rule_id: ruleId,
  description,
  ...(enforced !== undefined && { enforced }),
  reason,
  by: [...by],
  other,
});

/** A held call in the answer of its evaluation. */
export const viewHeld = ({ approvalId, status, wanted, expiresAt }: Approval): z.input<typeof Held> => ({
  id: approvalId,
  status: status === 'denied' ? 'denied' : 'pending',
  wanted: wanted.map(viewWanted),
  expires_at: toIsoTime(expiresAt),
});

export interface ApprovalLook {
  readonly now: Date;
  readonly nameOf: NameOf;
  readonly setNames: ReadonlyMap<string, string>;
  readonly mayDecide: boolean;
  /** Why the caller may not. */
  readonly refusal: string | undefined;
  readonly rolesOfNobody: readonly string[];
}

export const viewApproval = (
  approval: Approval,
  { now, nameOf, setNames, mayDecide, refusal, rolesOfNobody }: ApprovalLook,
): OnWire => ({
  id: approval.approvalId,
  policy_id: approval.policySetId,
  policy_name: setNames.get(approval.policySetId) ?? null,
  session_id: approval.sessionId,
  gateway_id: approval.gatewayId === '' ? null : approval.gatewayId,
  user_id: approval.userId,
  user_name: nameOf(approval.userId),
  acting_user: approval.actingUser === '' ? null : approval.actingUser,
  tool_name: approval.toolName,
  tool_params: JSON.parse(approval.toolParams) as Record<string, unknown>,
  wanted: approval.wanted.map(viewWanted),
  grants: approval.grants.map(({ by, username, roles, at }) => ({
    by,
    by_name: username,
    roles: [...roles],
    at,
  })),
  status: statusAt(approval, now),
  decided_by: approval.decidedBy,
  decided_by_name: nameOf(approval.decidedBy),
  decided_at: approval.decidedAt === null ? null : toIsoTime(approval.decidedAt),
  note: approval.note,
  created_at: toIsoTime(approval.createdAt),
  expires_at: toIsoTime(approval.expiresAt),
  may_decide: mayDecide,
  ...(refusal !== undefined && { why_not: refusal }),
  roles_of_nobody: [...rolesOfNobody],
});
