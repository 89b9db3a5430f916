/** What a policy set is. No database, no wire. */
import type { Severity } from '#engine/actions/types.ts';
import type { Visibility } from '#identity/sharing.ts';
import type { UserRoles } from '../approvals/approvers.ts';
import type { Policy } from '../policies/policy.ts';

export type BlockingMode = 'strict' | 'severity_level' | 'rule_threshold';

/** What is not set is the default's. */
export interface BlockingConfig {
  readonly blockingMode?: BlockingMode | undefined;
  readonly blockingLevel?: Severity | undefined;
  readonly blockingThreshold?: number | undefined;
}

export interface PolicySet {
  readonly policySetId: string;
  readonly tenantId: string;
  readonly name: string;
  readonly blockingConfig: BlockingConfig;
  readonly notifyEmails: readonly string[];
  /** For rules about what lies outside; empty takes those of the configuration. */
  readonly ownDomains: readonly string[];
  /** For rules about roles, and for who may approve. */
  readonly userRoles: UserRoles;
  /** Null for the built-in set, which everybody reads. */
  readonly ownerId: string | null;
  readonly visibility: Visibility;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface Member {
  readonly policy: Policy;
  readonly enabled: boolean;
}

export interface PolicySetDetail extends PolicySet {
  readonly members: readonly Member[];
}

/** The set of the default presets, the same for every tenant. */
export const builtInSetId = 'agp_default';

export const builtInSet = (policies: readonly Policy[]): PolicySetDetail => {
  const createdAt = new Date('2026-11-20T00:00:00Z');
  return {
    policySetId: builtInSetId,
    tenantId: '',
    name: 'Default action policies',
    blockingConfig: {},
    notifyEmails: [],
    ownDomains: [],
    userRoles: {},
    ownerId: null,
    visibility: 'tenant',
    createdAt,
    updatedAt: createdAt,
    members: policies.map((policy) => ({ policy, enabled: true })),
  };
};
