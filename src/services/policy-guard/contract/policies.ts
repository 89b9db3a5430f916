import { z } from 'zod';
import { isoTime, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';

/** Most policies of one group. */
export const maxPolicies = 200;
/** Most characters of all policies of one group together: names, descriptions and activities. */
export const maxGroupCharacters = 500_000;

/** 1–255 characters that a person can see; `__proto__` would be no key of a result. */
export const displayName = () =>
  storedText({ min: 1, max: 255 })
    .refine((name) => name.trim() !== '', { error: 'must not be blank' })
    .refine((name) => name !== '__proto__', { error: 'must not be __proto__' });

const activities = (what: string) =>
  z
    .array(
      storedText({ min: 1, max: 1000 }).refine((text) => text.trim() !== '', { error: 'must not be blank' }),
    )
    .max(100)
    .meta({ description: `${what} At most 100, each of 1–1,000 characters.` });

const policyName = () =>
  displayName().meta({ description: 'Unique within its group; the key of its results.' });
const policyDescription = () =>
  storedText({ max: 10_000 }).meta({ description: 'What the policy is about. At most 10,000 characters.' });
const block = () => activities('Activities to flag.');
const safe = () => activities('Activities to allow, although they are close to those that are flagged.');
const enabled = () => z.boolean().meta({ description: 'A policy that is not enabled does not run.' });

/** A policy as it is sent: only the name must be there. */
export const PolicyInput = z
  .object({
    name: policyName(),
    description: policyDescription().default(''),
    block_activities: block().default([]),
    safe_activities: safe().default([]),
    enabled: enabled().default(true),
  })
  .meta({ id: 'PolicyInput' });

/** The same with all fields optional and without defaults. */
export const PolicyChanges = z
  .object({
    name: policyName().optional(),
    description: policyDescription().optional(),
    block_activities: block().optional(),
    safe_activities: safe().optional(),
    enabled: enabled().optional(),
  })
  .meta({ id: 'PolicyChanges' });

const PolicyExemplars = z
  .object({
    status: z.enum(['none', 'pending', 'ready', 'failed']).meta({
      description:
        '`none`: built-in, or not saved since a model is configured; `pending`: being written, the policy works by its ' +
        'text meanwhile; `ready`: the policy has learned from them; `failed`: the model wrote too few, saving the ' +
        'policy again asks it again.',
    }),
    block: z.int().meta({ description: 'How many texts that violate the policy.' }),
    safe: z.int().meta({ description: 'How many texts that come close and do not.' }),
    model: z.string().nullable().meta({ description: 'The language model that writes them.' }),
    updated_at: isoTime().nullable(),
  })
  .meta({
    id: 'PolicyExemplars',
    description:
      'Example texts that the configured language model writes in the background when a custom policy is saved, and ' +
      'that the policy learns from: calls stay embedded. Left out where no model is configured, and in the history.',
  });

const Quality = z.object({ low: z.number(), high: z.number() });

const PolicyJudgedBy = z
  .object({
    embedded: z.object({
      quality: z.number().meta({
        description:
          'Area under the ROC curve, 0.5 (chance) to 1: with `test_cases` those that violate the policy against the ' +
          'others; with `policies_alike` violations that avoid the words of the policy against harmless texts that use them.',
      }),
      interval: Quality.meta({ description: '95 % interval of `quality`.' }),
      measured_on: z.enum(['test_cases', 'policies_alike', 'public_data']).meta({
        description:
          '`test_cases`: those that its author keeps with it, at least six of either kind; they are measured in the ' +
          'background after a change. `policies_alike`: other policies of its kind, from their text alone. ' +
          '`public_data`: of built-in detectors, a public data set in English, which `source` names.',
      }),
      cases: z
        .object({ violating: z.int(), harmless: z.int() })
        .optional()
        .meta({ description: 'With `test_cases` and `public_data`: how many there are.' }),
      source: z.string().optional(),
      kind: z.enum(['english', 'other_language', 'short', 'detector']).meta({
        description:
          'Which policies it is like: `english` and `other_language` say in sentences what is meant; `short` is hardly ' +
          'more than a name, and is measured on policies of which only the name was read.',
      }),
      policies: z.int().optional().meta({ description: 'With `policies_alike`: how many were measured.' }),
      found: z.number().meta({
        description:
          'Share of violations that is found at 0.5; with `policies_alike` of those without the words of the policy.',
      }),
      found_plain: z.number().optional().meta({
        description:
          'With `policies_alike`: share of violations in the words of the policy that is found at 0.5.',
      }),
      near_flagged: z.number().meta({
        description:
          'Share of harmless texts that is flagged at 0.5; with `policies_alike` of those with its words.',
      }),
    }),
    would_help: z.array(z.enum(['examples', 'language_model', 'block_activities', 'safe_activities'])).meta({
      description:
        'What would improve it most, the most useful first. `language_model`: one that judges (`bulwark judge setup` ' +
        'finds those of this machine), or writes example texts. `examples`: in the optimisation lab, some dozens; ' +
        'with fewer than ten of each label nothing is learned.',
    }),
  })
  .meta({
    id: 'PolicyJudgedBy',
    description: 'How well the embedded engine can judge this policy as it stands. Left out in the history.',
  });

export const Policy = z
  .object({
    _id: z.string().meta({
      description: 'The identifier in policy paths: a UUID, or a fixed word in groups that ship with us.',
    }),
    name: z.string(),
    description: z.string(),
    block_activities: z.array(z.string()),
    safe_activities: z.array(z.string()),
    enabled: z.boolean(),
    tuning_id: z.string().optional().meta({
      description:
        'What the optimisation lab taught the policy; left out where it taught nothing. Copies keep it.',
    }),
    exemplars: PolicyExemplars.optional(),
    judged_by: PolicyJudgedBy.optional(),
  })
  .meta({ id: 'Policy' });

/** The response to a deletion. */
export const Deleted = z.object({ message: z.string() }).meta({ id: 'Deleted' });

export const groupUuid = () =>
  z
    .string()
    .meta({ description: 'The UUID of the policy group.', example: '00000000-0000-4000-8000-000000000009' });
const inGroup = z.object({ group_uuid: groupUuid() });
const ofPolicy = z.object({
  group_uuid: groupUuid(),
  policy_id: z.string().meta({ description: "The policy's `_id`." }),
});

const tag = 'Policies';

/** Changing one policy of a group. */
export const policyOperations = {
  addPolicy: defineOperation({
    method: 'POST',
    path: '/api/policy_groups/{group_uuid}/policies',
    tag,
    summary: 'Add a policy to a group',
    description:
      `The policy goes to the end of the list and gets an \`_id\`. 409 when the group has a policy of that name ` +
      `(compared exactly) or ${maxPolicies} policies; 422 when its policies would have more than ` +
      `${maxGroupCharacters.toLocaleString('en')} characters together.`,
    access: 'jwt',
    keyScope: 'policies',
    params: inGroup,
    body: PolicyInput,
    status: 201,
    response: Policy,
    errors: [403, 404, 409],
  }),
  changePolicy: defineOperation({
    method: 'PUT',
    path: '/api/policy_groups/{group_uuid}/policies/{policy_id}',
    tag,
    summary: 'Change a policy',
    description: 'Only the fields that are sent change. 409 when another policy of the group has the name.',
    access: 'jwt',
    keyScope: 'policies',
    params: ofPolicy,
    body: PolicyChanges,
    response: Policy,
    errors: [403, 404, 409],
  }),
  removePolicy: defineOperation({
    method: 'DELETE',
    path: '/api/policy_groups/{group_uuid}/policies/{policy_id}',
    tag,
    summary: 'Remove a policy from its group',
    access: 'jwt',
    keyScope: 'policies',
    params: ofPolicy,
    response: Deleted,
    errors: [403, 404],
  }),
} as const;
