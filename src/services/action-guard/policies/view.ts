import type { z } from 'zod';
import { toIsoTime } from '#base/clock.ts';
import { invalid } from '#base/errors.ts';
import { canonicalText, readCanonical } from '#engine/rules/canonical.ts';
import { checkForm } from '#engine/rules/check-form.ts';
import { needsOf, type Need } from '#engine/rules/form-needs.ts';
import type { RuleForm } from '#engine/rules/rule-form.ts';
import type { Policy as PolicyOnWire, rulesInput } from '../contract/policies.ts';
import type { RuleForm as FormOnWire } from '../contract/rules.ts';
import { isPreset, type Policy, type Rule, type RuleFields } from './policy.ts';

const viewRule = ({ ruleId, description, severity, source, form, compiled }: Rule) => ({
  id: ruleId,
  description,
  ...(form !== undefined && { rule: viewForm(form), canonical: canonicalText(form) }),
  origin: form === undefined ? ('sentence' as const) : ('form' as const),
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

export const viewPolicy = (policy: Policy): z.input<typeof PolicyOnWire> => ({
  ...viewPolicyFields(policy),
  is_template: isPreset(policy),
  created_by: policy.ownerId,
  created_at: toIsoTime(policy.createdAt),
  updated_at: toIsoTime(policy.updatedAt),
});

/** A form is plain JSON in the names of the wire already. */
export const viewForm = (form: RuleForm): z.input<typeof FormOnWire> =>
  ({ ...form }) as z.input<typeof FormOnWire>;

/** A rule that asks for what is not known would be stored and never enforced. */
const unknownHere: Readonly<Record<Need, string>> = {
  user: 'the role or an attribute of the user',
  approvals: 'an approval under a checked identity',
  counts: 'a count over more than the session',
};

/** @throws AppError 422 that names the field of a form that is wrong. */
function readForm(rule: unknown, key: string): RuleForm {
  const checked = checkForm(rule, `rules.${key}.rule`);
  if ('problem' in checked) throw invalid(checked.problem);
  const [need] = needsOf(checked.form);
  if (need !== undefined)
    throw invalid(
      `'rules.${key}.rule' asks for ${unknownHere[need]}, which action guard does not know of a call.`,
    );
  return checked.form;
}

export const readRules = (rules: z.output<ReturnType<typeof rulesInput>>): ReadonlyMap<string, RuleFields> =>
  new Map(
    Object.entries(rules).map(([key, { description, rule, severity, source }]) => {
      // A canonical sentence says its form exactly; to read it as any other sentence would be to guess.
      const value = rule ?? readCanonical(description ?? '');
      const form = value === undefined ? undefined : readForm(value, key);
      const said = description?.trim() ?? (form === undefined ? '' : canonicalText(form));
      return [key, { description: said, severity, source: source ?? undefined, form }];
    }),
  );
