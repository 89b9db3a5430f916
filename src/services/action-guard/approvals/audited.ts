/** What the audit trail says of a decision about a call: not its arguments, which may hold secrets. */
import type { Asking, AuditEvent } from '#identity/audit/audit.ts';
import { changesBetween } from '#identity/audit/changes.ts';
import type { Approval } from './approval.ts';

export const auditedDecision = (asking: Asking, approve: boolean, after: Approval): AuditEvent => ({
  event: `action_${approve ? 'approved' : 'denied'}`,
  ...asking,
  details: {
    id: after.approvalId,
    tool: after.toolName,
    session_id: after.sessionId,
    policy_set_id: after.policySetId,
    ...(after.gatewayId !== '' && { gateway_id: after.gatewayId }),
    ...(after.actingUser !== '' && { acting_user: after.actingUser }),
    rules: after.wanted.map(({ description }) => description),
    note: after.note,
    // One of several who must approve leaves it waiting.
    changes: changesBetween({ status: 'pending' }, { status: after.status }),
  },
});
