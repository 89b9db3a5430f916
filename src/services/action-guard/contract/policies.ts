import { z } from 'zod';
import { isoTime, queryInteger, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { RuleForm } from './rules.ts';
import { Severity, ThreatCategory } from './severity.ts';

export const maxRules = 500;
export const maxRuleCharacters = 2000;

export const displayName = () =>
  storedText({ min: 1, max: 255 }).refine((name) => name.trim() !== '', { error: 'must not be blank' });

const ruleKey = () => storedText({ min: 1, max: 100 });
const ruleText = () =>
  storedText({ min: 1, max: maxRuleCharacters }).refine((text) => text.trim() !== '', {
    error: 'must not be blank',
  });

const RuleInput = z
  .object({
    description: ruleText().optional().meta({
      description: 'The rule as a sentence; with `rule` what it is called, by default its own sentence.',
    }),
    rule: RuleForm.optional().meta({ description: 'The rule as a value: it is enforced as it stands.' }),
    severity: Severity.default('Medium'),
    source: storedText({ max: 10_000 })
      .nullish()
      .meta({ description: 'The sentence that it was taken from.' }),
  })
  .refine(({ description, rule }) => description !== undefined || rule !== undefined, {
    path: ['description'],
    error: 'must be given where there is no `rule`',
  })
  .meta({ id: 'RuleInput' });

/** Keys of objects are few words, yet they are stored as well. */
export const rulesInput = () =>
  z
    .record(ruleKey(), RuleInput)
    .refine((rules) => Object.keys(rules).length <= maxRules, {
      error: `must have at most ${maxRules} rules`,
    })
    .meta({ description: 'Rule key → rule. A key that the policy has already keeps its `rul_` id.' });

const Rule = z
  .object({
    id: z.string().meta({ example: 'rul_…' }),
    description: z.string(),
    rule: RuleForm.optional().meta({ description: 'Where the rule was given as a value.' }),
    canonical: z.string().optional().meta({ description: 'The same as a plain sentence.' }),
    origin: z
      .enum(['sentence', 'form'])
      .meta({ description: 'What is enforced: the sentence as read, or the value.' }),
    severity: Severity,
    source: z.string().optional().meta({ description: 'The sentence that it was taken from.' }),
    compiled: z
      .object({
        kind: z.enum(['matcher', 'similarity']).meta({
          description:
            '`similarity`: the sentence was not understood; it is compared with the action and can only warn.',
        }),
        summary: z.array(z.string()).meta({ description: 'What will be enforced, in words.' }),
        threat_category: ThreatCategory,
        engine_version: z.string(),
      })
      .meta({ id: 'CompiledRule' }),
  })
  .meta({ id: 'Rule' });

/** What policies and templates have in common. */
export const policyFields = {
  id: z.string().meta({ example: 'pol_…' }),
  name: z.string(),
  description: z.string(),
  category: z.string(),
  rules: z.record(z.string(), Rule),
  rule_count: z.int(),
};

export const Policy = z
  .object({
    ...policyFields,
    is_template: z.boolean().meta({ description: 'A preset: read-only, and the same for everybody.' }),
    created_by: z.string().nullable().meta({ description: 'A user id; null for presets.' }),
    created_at: isoTime(),
    updated_at: isoTime(),
  })
  .meta({ id: 'ActionPolicy' });

export const page = z.object({
  limit: queryInteger({ min: 1, max: 1000, preset: 1000 }),
  offset: queryInteger({ min: 0, max: 1_000_000, preset: 0 }),
});

export const Done = z.object({ success: z.boolean(), message: z.string() }).meta({ id: 'Done' });

const policyId = z.object({ policy_id: z.string().meta({ example: 'pol_…' }) });
const tag = 'Policies';
const whose = 'A user sees and changes their own policies, an administrator those of the tenant.';

const category = () => storedText({ min: 1, max: 255 });

export const policyOperations = {
  listPolicies: defineOperation({
    method: 'GET',
    path: '/api/v1/policies/policy',
    tag,
    summary: 'List the policies',
    description: `${whose} Newest first; \`total\` counts all pages.`,
    access: 'jwt_or_key',
    query: page,
    response: z.object({ policies: z.array(Policy), total: z.int() }),
  }),
  getPolicy: defineOperation({
    method: 'GET',
    path: '/api/v1/policies/policy/{policy_id}',
    tag,
    summary: 'One policy',
    access: 'jwt_or_key',
    params: policyId,
    response: Policy,
    errors: [404],
  }),
  createPolicy: defineOperation({
    method: 'POST',
    path: '/api/v1/policies/policy',
    tag,
    summary: 'Make a policy',
    description: 'Each rule is compiled here; `compiled` in the policy shows what will be enforced.',
    access: 'jwt_or_key',
    body: z
      .object({
        name: displayName(),
        description: storedText({ max: 10_000 }).nullish().meta({ description: 'Default: empty.' }),
        category: category().nullish().meta({ description: 'Default: `User Rules`.' }),
        rules: rulesInput().nullish().meta({ description: 'Default: none.' }),
      })
      .meta({ id: 'PolicyInput' }),
    response: Done.extend({ policy_id: z.string() }),
  }),
  updatePolicy: defineOperation({
    method: 'PUT',
    path: '/api/v1/policies/policy/{policy_id}',
    tag,
    summary: 'Change a policy',
    description: 'Only the fields that are sent change; `rules` replaces all rules. A preset: 403.',
    access: 'jwt_or_key',
    params: policyId,
    body: z
      .object({
        name: displayName().optional(),
        description: storedText({ max: 10_000 }).optional(),
        category: category().optional(),
        rules: rulesInput().optional(),
      })
      .meta({ id: 'PolicyChanges' }),
    response: Policy.extend({ ...Done.shape, policy_id: z.string() }).meta({ id: 'PolicyUpdated' }),
    errors: [403, 404],
  }),
  deletePolicy: defineOperation({
    method: 'DELETE',
    path: '/api/v1/policies/policy/{policy_id}',
    tag,
    summary: 'Delete a policy',
    description: 'It leaves every policy set at once. A preset: 403.',
    access: 'jwt_or_key',
    params: policyId,
    response: Done.extend({ policy_id: z.string() }),
    errors: [403, 404],
  }),
} as const;
