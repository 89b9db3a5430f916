/** What the audit trail says of a policy set. */
import type { Asking, AuditEvent } from '#identity/audit/audit.ts';
import { resourceEvent } from '#identity/audit/resource-event.ts';
import type { PolicySet } from './policy-set.ts';

/** A set with the names of its policies. */
export interface AuditedSet {
  readonly set: PolicySet;
  readonly members: readonly NamedMember[];
}

export interface NamedMember {
  readonly policyId: string;
  readonly name: string;
  readonly enabled: boolean;
}

interface ChangedSet {
  readonly before?: AuditedSet;
  readonly after?: AuditedSet;
  readonly more?: Readonly<Record<string, readonly string[]>>;
}

export function auditedSet(
  event: `policy_set_${'created' | 'updated' | 'deleted' | 'policies_attached' | 'policy_detached'}`,
  asking: Asking,
  { before, after, more = {} }: ChangedSet,
): AuditEvent {
  const { policySetId: id = '', name = '' } = (after ?? before)?.set ?? {};
  const labelOf = labels([before, after].flatMap((state) => state?.members ?? []));
  return resourceEvent(event, asking, {
    id,
    name,
    before: before && fieldsOf(before, labelOf),
    after: after && fieldsOf(after, labelOf),
    more,
  });
}

type LabelOf = (member: NamedMember) => string;

/** Policies by their names; by their ids too where several have one name. */
function labels(members: readonly NamedMember[]): LabelOf {
  const byName = Map.groupBy(members, ({ name }) => name);
  return ({ name, policyId }) => {
    const isAlone = byName.get(name)?.every((other) => other.policyId === policyId) === true;
    return isAlone ? `policy "${name}"` : `policy "${name}" (${policyId})`;
  };
}

function fieldsOf({ set, members }: AuditedSet, labelOf: LabelOf): Record<string, unknown> {
  const { name, blockingConfig, notifyEmails, ownDomains, userRoles, visibility } = set;
  const { blockingMode, blockingLevel, blockingThreshold } = blockingConfig;
  return {
    name,
    visibility,
    blockingMode,
    blockingLevel,
    blockingThreshold,
    notifyEmails,
    ownDomains,
    ...Object.fromEntries(Object.entries(userRoles).map(([role, names]) => [`user role "${role}"`, names])),
    ...Object.fromEntries(
      members.map((member) => [labelOf(member), member.enabled ? 'enabled' : 'disabled']),
    ),
  };
}
