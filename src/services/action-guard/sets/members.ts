import { upToDate } from '../rules/rule.ts';
import type { Templates } from '../templates/templates.ts';
import type { Member } from './policy-set.ts';
import type { StoredMember } from './store.ts';

/** A set's policies, presets among them; one whose preset no longer ships is left out. */
export function membersOf(
  stored: readonly StoredMember[],
  { templates }: { templates: Templates },
): Member[] {
  return stored.flatMap(({ policyId, enabled, policy }) => {
    if (policy !== null) return [{ enabled, policy: { ...policy, rules: policy.rules.map(upToDate) } }];
    const preset = templates.find(policyId);
    return preset === undefined ? [] : [{ enabled, policy: preset }];
  });
}
