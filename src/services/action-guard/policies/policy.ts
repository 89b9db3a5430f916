/** What a policy is. No database, no wire. */
import type { Visibility } from '#identity/sharing.ts';
import type { Rule, RuleFields } from '../rules/rule.ts';

export interface Policy {
  readonly policyId: string;
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly rules: readonly Rule[];
  /** Null for a preset, which everybody reads. */
  readonly ownerId: string | null;
  readonly visibility: Visibility;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface PolicyFields {
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly visibility: Visibility;
  readonly rules: ReadonlyMap<string, RuleFields>;
}

export const defaultCategory = 'User Rules';

export const isPreset = ({ ownerId }: Pick<Policy, 'ownerId'>): boolean => ownerId === null;
