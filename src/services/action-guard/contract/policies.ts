import { z } from 'zod';
import { isoTime, queryInteger, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { ownerFilter, userName, visibilityField } from '#identity/contract/sharing.ts';
import { Examples, Note, Origin, reading, RuleForm } from './rule-form.ts';
import { Severity, ThreatCategory } from './severity.ts';

export const maxRules = 500;
export const maxRuleCharacters = 2000;

export const displayName = () =>
  storedText({ min: 1, max: 255 }).refine((name) => name.trim() !== '', { error: 'must not be blank' });

const ruleKey = () => storedText({ min: 1, max: 100 });
/** A rule as a sentence. */
export const ruleText = () =>
  storedText({ min: 1, max: maxRuleCharacters }).refine((text) => text.trim() !== '', {
    error: 'must not be blank',
  });

const RuleInput = z
  .object({
    description: ruleText().optional().meta({
      description: 'The rule as a sentence. Required unless `rule` is sent; then by default its sentence.',
    }),
    rule: RuleForm.nullish().meta({
      description:
        'The rule as a form, which is enforced as it stands, in place of what would be read of the sentence.',
    }),
    severity: Severity.default('Medium'),
    source: storedText({ max: 10_000 })
      .nullish()
      .meta({ description: 'The sentence that it was taken from.' }),
  })
  .superRefine(({ description, rule }, ctx) => {
    if (description === undefined && (rule === undefined || rule === null))
      ctx.addIssue({ code: 'custom', path: ['description'], message: 'is required, or a form as `rule`' });
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
    severity: Severity,
    source: z.string().optional().meta({ description: 'The sentence that it was taken from.' }),
    ...reading,
    origin: Origin,
    note: Note,
    examples: Examples.optional(),
    confirmed_by: z.string().nullable().meta({
      description:
        'Who confirmed that the form is what the sentence means: a user id; `bulwark` for presets.',
    }),
    confirmed_at: isoTime().nullable(),
    reads_now: z
      .object({ canonical: z.string(), reader_version: z.string() })
      .optional()
      .meta({
        description:
          'What this version reads in the sentence, where that is something else than `canonical`. An upgrade changes ' +
          'nothing that is enforced; save this sentence to enforce it. It goes when the rule is confirmed.',
      }),
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
    created_by_name: userName(),
    visibility: visibilityField(),
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
const whose =
  'A user changes their own policies and reads those too that are shared with the tenant; an administrator reads and ' +
  'changes all of the tenant.';

/** What an author has to look at before relying on a policy. */
const InDoubt = z
  .record(
    z.string(),
    z.object({
      understood: reading.understood,
      unread: reading.unread,
      doubts: reading.doubts,
      canonical: reading.canonical,
    }),
  )
  .optional()
  .meta({
    id: 'RulesInDoubt',
    description:
      'Rules that were not understood fully and that nobody has confirmed, by their key, with the words that nothing looks for, why the form may be something else than was meant, and ' +
      'what is enforced.',
  });

const category = () => storedText({ min: 1, max: 255 });

const PolicyUpdated = Policy.extend({ ...Done.shape, policy_id: z.string(), in_doubt: InDoubt }).meta({
  id: 'PolicyUpdated',
});

export const policyOperations = {
  listPolicies: defineOperation({
    method: 'GET',
    path: '/api/v1/policies/policy',
    tag,
    summary: 'List the policies',
    description: `${whose} Newest first; \`total\` counts all pages.`,
    access: 'jwt_or_key',
    query: page.extend({ owner: ownerFilter('all') }),
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
    description:
      'Each rule is read here; `rule` and `canonical` in the policy show what will be enforced. Rules that were not ' +
      'understood fully are named in the message and in `in_doubt`.',
    access: 'jwt_or_key',
    body: z
      .object({
        name: displayName(),
        description: storedText({ max: 10_000 }).nullish().meta({ description: 'Default: empty.' }),
        category: category().nullish().meta({ description: 'Default: `User Rules`.' }),
        rules: rulesInput().nullish().meta({ description: 'Default: none.' }),
        visibility: visibilityField().nullish().meta({ description: 'Default: `private`.' }),
      })
      .meta({ id: 'PolicyInput' }),
    response: Done.extend({ policy_id: z.string(), in_doubt: InDoubt }),
  }),
  updatePolicy: defineOperation({
    method: 'PUT',
    path: '/api/v1/policies/policy/{policy_id}',
    tag,
    summary: 'Change a policy',
    description:
      'Only the fields that are sent change; `rules` replaces all rules. Sets of other users that hold it keep it when it is ' +
      'shared no longer. A preset, and a policy that is only shared with the caller: 403.',
    access: 'jwt_or_key',
    params: policyId,
    body: z
      .object({
        name: displayName().optional(),
        description: storedText({ max: 10_000 }).optional(),
        category: category().optional(),
        rules: rulesInput().optional(),
        visibility: visibilityField().optional(),
      })
      .meta({ id: 'PolicyChanges' }),
    response: PolicyUpdated,
    errors: [403, 404],
  }),
  confirmRule: defineOperation({
    method: 'POST',
    path: '/api/v1/policies/policy/{policy_id}/rules/{rule_key}/confirm',
    tag,
    summary: 'Confirm that a rule was understood as it is meant',
    description:
      'From then on the rule is enforced as it stands, and no upgrade reads it again. Send the `canonical` that you have ' +
      'read: if the rule says something else by now, the answer is 409. A rule of which nothing was understood: 409. A ' +
      'preset, and a policy that is only shared with the caller: 403.',
    access: 'jwt_or_key',
    params: policyId.extend({ rule_key: z.string().min(1).max(100) }),
    body: z.object({ canonical: z.string().max(20_000).optional() }).meta({ id: 'ConfirmRuleRequest' }),
    response: PolicyUpdated,
    errors: [403, 404, 409],
  }),
  deletePolicy: defineOperation({
    method: 'DELETE',
    path: '/api/v1/policies/policy/{policy_id}',
    tag,
    summary: 'Delete a policy',
    description:
      'It leaves every policy set of its owner at once; while sets of other users hold it: 409. A preset, and a policy that is ' +
      'only shared with the caller: 403.',
    access: 'jwt_or_key',
    params: policyId,
    response: Done.extend({ policy_id: z.string() }),
    errors: [403, 404, 409],
  }),
} as const;
