/** What the audit trail says of a change of a policy group. */
import type { AuditEvent } from '#identity/audit/audit.ts';
import { changesBetween } from '#identity/audit/changes.ts';
import type { Change, GroupContent, Policy } from '../policies/policy-group.ts';

const eventOf = {
  created: 'policy_group_created',
  copied: 'policy_group_created',
  updated: 'policy_group_updated',
  restored: 'policy_group_restored',
  optimized: 'policy_group_optimized',
  policy_added: 'text_policy_created',
  policy_updated: 'text_policy_updated',
  policy_deleted: 'text_policy_deleted',
} as const satisfies Record<Change['action'], string>;

/** The texts of policies are the tenant's rules, not what anybody wrote to a model. */
export function auditedChange(
  { action, summary }: Pick<Change, 'action' | 'summary'>,
  before: GroupContent | undefined,
  after: GroupContent & { readonly groupUuid: string; readonly version: number },
): Pick<AuditEvent, 'event' | 'details'> {
  // By its name afterwards, so that one that was renamed is compared with itself.
  const names = new Map([...(before?.policies ?? []), ...after.policies].map(({ id, name }) => [id, name]));
  const alone = action.startsWith('policy_') ? onlyDifference(before, after) : undefined;
  return {
    event: eventOf[action],
    details: {
      id: after.groupUuid,
      name: alone?.name ?? after.name,
      ...(alone && { policy_id: alone.id, policy_group: after.name }),
      version: after.version,
      summary,
      changes: changesBetween(before && fieldsOf(before, after, names), fieldsOf(after, before, names)),
    },
  };
}

export const auditedDeletion = (
  group: GroupContent & { readonly groupUuid: string; readonly version: number },
): Pick<AuditEvent, 'event' | 'details'> => ({
  event: 'policy_group_deleted',
  details: {
    id: group.groupUuid,
    name: group.name,
    version: group.version,
    changes: changesBetween(fieldsOf(group), undefined),
  },
});

/** The policy that one of both has, or that both have otherwise. */
function onlyDifference(before: GroupContent | undefined, after: GroupContent): Policy | undefined {
  const known = new Set(before?.policies);
  return (
    after.policies.find((policy) => !known.has(policy)) ??
    before?.policies.find(({ id }) => after.policies.every((policy) => policy.id !== id))
  );
}

/** The group's own fields, and those of each policy that differs; a new or deleted group tells the names of its policies. */
function fieldsOf(
  group: GroupContent,
  other?: GroupContent,
  names: ReadonlyMap<string, string> = new Map(),
): Record<string, unknown> {
  const { policies, name: groupName, description: about, threshold, strictnessLevel } = group;
  const { isTemplate, visibility } = group;
  const fields: Record<string, unknown> = {
    name: groupName,
    description: about,
    threshold,
    strictnessLevel,
    isTemplate,
    visibility,
    policies: policies.map(({ name }) => name),
  };
  if (other === undefined) return fields;
  const same = new Set(other.policies);
  for (const policy of policies) {
    if (same.has(policy)) continue;
    const { id, name, description, blockActivities, safeActivities, enabled, tuningId } = policy;
    const place = `policy "${names.get(id) ?? name}" `;
    Object.assign(fields, {
      [`${place}name`]: name,
      [`${place}description`]: description,
      [`${place}block_activities`]: blockActivities,
      [`${place}safe_activities`]: safeActivities,
      [`${place}enabled`]: enabled,
      [`${place}tuning`]: tuningId ?? null,
    });
  }
  return fields;
}
