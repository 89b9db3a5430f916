import type { ActionEngine } from '#engine/actions/types.ts';
import { upToDate } from '../policies/policy.ts';
import type { Templates } from '../templates/templates.ts';
import type { Member } from './policy-set.ts';
import type { StoredMember } from './store.ts';

/** A set's policies, presets among them; one whose preset no longer ships is left out. */
export function membersOf(
  stored: readonly StoredMember[],
  { templates, engine }: { templates: Templates; engine: Pick<ActionEngine, 'compile' | 'version'> },
): Member[] {
  return stored.flatMap(({ policyId, enabled, policy }) => {
    const found = policy ?? templates.find(policyId);
    return found === undefined
      ? []
      : [{ enabled, policy: { ...found, rules: upToDate(found.rules, engine) } }];
  });
}
