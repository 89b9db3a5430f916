import type { z } from 'zod';
import { toIsoTime } from '#base/clock.ts';
import type { BlockingConfig as BlockingConfigOnWire } from '../contract/blocking.ts';
import { viewPolicy } from '../policies/view.ts';
import type { BlockingConfig, PolicySetDetail } from './policy-set.ts';
import type { CountedSet } from './sets.ts';

export const viewSet = (set: CountedSet) => ({
  id: set.policySetId,
  name: set.name,
  policy_count: set.policyCount,
  created_at: toIsoTime(set.createdAt),
  updated_at: toIsoTime(set.updatedAt),
  created_by: set.ownerId,
});

export const viewSetDetail = (set: PolicySetDetail) => ({
  ...viewSet({ ...set, policyCount: set.members.length }),
  blocking_config: {
    blocking_mode: set.blockingConfig.blockingMode ?? null,
    blocking_level: set.blockingConfig.blockingLevel ?? null,
    blocking_threshold: set.blockingConfig.blockingThreshold ?? null,
  },
  notify_emails: [...set.notifyEmails],
  own_domains: [...set.ownDomains],
  policies: set.members.map(({ policy, enabled }) => ({ ...viewPolicy(policy), enabled })),
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
