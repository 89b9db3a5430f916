import { changesBetween } from '#identity/audit/changes.ts';
import type { Asking, AuditEvent } from '#identity/audit/audit.ts';
import type { StoredSuppression } from '../kept/suppressions.ts';

/** What the audit trail says of a suppression: which finding, for whom, until when and why. */
export function auditedSuppression(
  event: 'suppression_created' | 'suppression_deleted',
  asking: Asking,
  suppression: StoredSuppression,
): AuditEvent {
  const { id, title, ruleId, fingerprint, scope, reason, until, byName } = suppression;
  const fields = { scope, reason, until };
  return {
    event,
    ...asking,
    details: {
      id,
      name: title ?? ruleId ?? fingerprint,
      rule_id: ruleId,
      fingerprint,
      suppressed_by: byName,
      changes:
        event === 'suppression_created'
          ? changesBetween(undefined, fields)
          : changesBetween(fields, undefined),
    },
  };
}
