import type { z } from 'zod';
import { toIsoTime } from '#base/clock.ts';
import type { Policy as PolicyOnWire, rulesInput } from '../contract/policies.ts';
import type { NameOf } from '#identity/users/user-names.ts';
import { isPreset, type Policy, type Rule, type RuleFields } from './policy.ts';

const viewRule = ({ ruleId, description, severity, source, compiled }: Rule) => ({
  id: ruleId,
  description,
  severity,
  ...(source !== undefined && { source }),
  compiled: {
    kind: compiled.kind,
    summary: compiled.summary,
    threat_category: compiled.threatCategory,
    engine_version: compiled.engineVersion,
  },
});

/** What policies and templates have in common. */
export const viewPolicyFields = (policy: Policy) => ({
  id: policy.policyId,
  name: policy.name,
  description: policy.description,
  category: policy.category,
  rules: Object.fromEntries(policy.rules.map((rule) => [rule.key, viewRule(rule)])),
  rule_count: policy.rules.length,
});

export const viewPolicy = (policy: Policy, nameOf: NameOf): z.input<typeof PolicyOnWire> => ({
  ...viewPolicyFields(policy),
  is_template: isPreset(policy),
  created_by: policy.ownerId,
  created_by_name: nameOf(policy.ownerId),
  visibility: policy.visibility,
  created_at: toIsoTime(policy.createdAt),
  updated_at: toIsoTime(policy.updatedAt),
});

export const readRules = (rules: z.output<ReturnType<typeof rulesInput>>): ReadonlyMap<string, RuleFields> =>
  new Map(
    Object.entries(rules).map(([key, { description, severity, source }]) => [
      key,
      { description: description.trim(), severity, source: source ?? undefined },
    ]),
  );
