/** What the audit trail says of a policy. */
import type { Asking, AuditEvent } from '#identity/audit/audit.ts';
import { resourceEvent } from '#identity/audit/resource-event.ts';
import { canonicalOf, type Rule } from '../rules/rule.ts';
import type { Policy } from './policy.ts';

export function auditedPolicy(
  event: `action_policy_${'created' | 'updated' | 'deleted'}`,
  asking: Asking,
  { before, after }: { readonly before?: Policy; readonly after?: Policy },
): AuditEvent {
  const { policyId: id = '', name = '' } = after ?? before ?? {};
  return resourceEvent(event, asking, {
    id,
    name,
    before: before && fieldsOf(before),
    after: after && fieldsOf(after),
  });
}

const fieldsOf = ({ name, description, category, visibility, rules }: Policy) => ({
  name,
  description,
  category,
  visibility,
  ...Object.assign({}, ...rules.map(fieldsOfRule)),
});

/** What was written, and what is enforced of it. */
const fieldsOfRule = (rule: Rule): Record<string, unknown> => ({
  [`rule "${rule.key}"`]: rule.description,
  [`rule "${rule.key}" severity`]: rule.severity,
  [`rule "${rule.key}" enforces`]: canonicalOf(rule),
  [`rule "${rule.key}" confirmed`]: rule.confirmedBy !== undefined,
});
