import type { z } from 'zod';
import { toIsoTime } from '#base/clock.ts';
import type { Policy as PolicyOnWire, rulesInput } from '../contract/policies.ts';
import type { NameOf } from '#identity/users/user-names.ts';
import { viewExamples } from '../rules/routes.ts';
import { canonicalOf, type Rule, type RuleFields } from '../rules/rule.ts';
import { isPreset, type Policy } from './policy.ts';

const viewRule = (rule: Rule) => {
  const { ruleId, description, severity, source, compiled, readsNow } = rule;
  return {
    id: ruleId,
    description,
    severity,
    ...(source !== undefined && { source }),
    ...(rule.form !== undefined && { rule: { ...rule.form }, canonical: canonicalOf(rule) }),
    understood: rule.understood,
    unread: [...rule.unread],
    doubts: [...rule.doubts],
    origin: rule.origin,
    ...(rule.note !== undefined && { note: rule.note }),
    ...(rule.examples !== undefined && { examples: viewExamples(rule.examples) }),
    confirmed_by: rule.confirmedBy ?? null,
    confirmed_at: rule.confirmedAt ?? null,
    ...(readsNow !== undefined && {
      reads_now: { canonical: readsNow.canonical, reader_version: readsNow.reader },
    }),
    compiled: {
      kind: compiled.kind,
      summary: compiled.summary,
      threat_category: compiled.threatCategory,
      engine_version: compiled.engineVersion,
    },
  };
};

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
    Object.entries(rules).map(([key, { description, severity, source, rule }]) => [
      key,
      { description: description?.trim(), severity, source: source ?? undefined, rule },
    ]),
  );

/** Rules that were not understood fully and that nobody has confirmed. */
export const inDoubt = ({ rules }: Policy) =>
  Object.fromEntries(
    rules
      .filter(({ understood, confirmedBy }) => understood !== 'fully' && confirmedBy === undefined)
      .map((rule) => [
        rule.key,
        {
          understood: rule.understood,
          unread: [...rule.unread],
          doubts: [...rule.doubts],
          ...(rule.form !== undefined && { canonical: canonicalOf(rule) }),
        },
      ]),
  );
