import type { z } from 'zod';
import { toIsoTime } from '#base/clock.ts';
import type { BlockingConfig as BlockingConfigOnWire } from '../contract/blocking.ts';
import { mayRead, type Viewer } from '#identity/sharing.ts';
import type { NameOf } from '#identity/users/user-names.ts';
import { viewPolicy } from '../policies/view.ts';
import type { BlockingConfig, Member, PolicySetDetail } from './policy-set.ts';
import type { CountedSet } from './sets.ts';

export const viewSet = (set: CountedSet, nameOf: NameOf) => ({
  id: set.policySetId,
  name: set.name,
  policy_count: set.policyCount,
  created_at: toIsoTime(set.createdAt),
  updated_at: toIsoTime(set.updatedAt),
  created_by: set.ownerId,
  created_by_name: nameOf(set.ownerId),
  visibility: set.visibility,
});

/** Who looks at a set, and the names of users. */
export interface Look {
  readonly viewer: Viewer;
  readonly nameOf: NameOf;
}

/** A set shares its owner's policies with it; of another's that the viewer may not read only the name is shown. */
function viewMember({ policy, enabled }: Member, set: PolicySetDetail, { viewer, nameOf }: Look) {
  const { ownerId, visibility } = policy;
  const isReadable =
    ownerId === null ||
    ownerId === set.ownerId ||
    mayRead(viewer, { tenantId: set.tenantId, ownerId, visibility });
  const viewed = viewPolicy(policy, nameOf);
  return isReadable
    ? { ...viewed, enabled, readable: true }
    : { ...viewed, description: '', rules: {}, enabled, readable: false };
}

export const viewSetDetail = (set: PolicySetDetail, look: Look) => ({
  ...viewSet({ ...set, policyCount: set.members.length }, look.nameOf),
  blocking_config: {
    blocking_mode: set.blockingConfig.blockingMode ?? null,
    blocking_level: set.blockingConfig.blockingLevel ?? null,
    blocking_threshold: set.blockingConfig.blockingThreshold ?? null,
  },
  notify_emails: [...set.notifyEmails],
  own_domains: [...set.ownDomains],
  user_roles: Object.fromEntries(Object.entries(set.userRoles).map(([role, names]) => [role, [...names]])),
  policies: set.members.map((member) => viewMember(member, set, look)),
});

type Sent = z.output<typeof BlockingConfigOnWire>;

/** With the nulls that were sent. */
export const readBlockingChanges = (sent: Sent) => ({
  blockingMode: sent.blocking_mode,
  blockingLevel: sent.blocking_level,
  blockingThreshold: sent.blocking_threshold,
});

export const readBlockingConfig = (sent: Sent | null | undefined): BlockingConfig => ({
  blockingMode: sent?.blocking_mode ?? undefined,
  blockingLevel: sent?.blocking_level ?? undefined,
  blockingThreshold: sent?.blocking_threshold ?? undefined,
});
