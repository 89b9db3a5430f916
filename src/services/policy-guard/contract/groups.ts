import { z } from 'zod';
import { isoTime, queryInteger, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { ownerFilter, userName, visibilityField } from '#identity/contract/sharing.ts';
import { Deleted, displayName, groupUuid, maxPolicies, Policy, PolicyInput } from './policies.ts';
import { Strictness, threshold } from './strictness.ts';

const isTemplate = () =>
  z.boolean().meta({
    description:
      'Stands among the templates, and is shared: everybody in the tenant can read, attach and copy the group.',
  });
const groupDescription = () => storedText({ max: 10_000 });

const ListedPolicyInput = PolicyInput.extend({
  _id: z
    .string()
    .max(255)
    .optional()
    .meta({ description: 'Of a policy that the group already has: it keeps its identity.' }),
}).meta({ id: 'ListedPolicyInput' });

const policyList = () => z.array(ListedPolicyInput).max(maxPolicies);

export const PolicyGroupInput = z
  .object({
    name: displayName(),
    description: groupDescription().default(''),
    threshold: threshold().default(0.5),
    strictness_level: Strictness.default('medium'),
    is_template: isTemplate().default(false),
    visibility: visibilityField().optional().meta({
      description:
        'Default `private`; a template is always `tenant`, and `private` with it is refused (422).',
    }),
    policies: policyList().default([]),
  })
  .meta({ id: 'PolicyGroupInput' });

export const PolicyGroupChanges = z
  .object({
    name: displayName().optional(),
    description: groupDescription().optional(),
    threshold: threshold().optional(),
    strictness_level: Strictness.optional(),
    is_template: isTemplate().optional(),
    visibility: visibilityField().optional(),
    policies: policyList().optional(),
  })
  .meta({ id: 'PolicyGroupChanges' });

/** What a history entry shows of the group. */
const content = {
  name: z.string(),
  description: z.string(),
  threshold: z.number(),
  strictness_level: Strictness,
  is_template: isTemplate(),
  policies: z.array(Policy),
};

export const PolicyGroup = z
  .object({
    group_uuid: z.string(),
    ...content,
    owner_id: z
      .string()
      .nullable()
      .meta({ description: 'The user who made it; null for groups that ship with the product.' }),
    owner_name: userName(),
    visibility: visibilityField(),
    version: z.int().meta({ description: 'Rises by one with each write.' }),
    created_at: isoTime(),
    updated_at: isoTime(),
  })
  .meta({ id: 'PolicyGroup' });

const HistoryEntry = z
  .object({
    version: z.int(),
    action: z.enum([
      'created',
      'updated',
      'policy_added',
      'policy_updated',
      'policy_deleted',
      'copied',
      'optimized',
      'restored',
    ]),
    changed_by: z.string().nullable().meta({ description: 'A user id; null for groups that ship with us.' }),
    changed_by_name: userName(),
    changed_at: isoTime(),
    summary: z.string().meta({ description: 'What changed, in a sentence.' }),
    snapshot: z.object(content).meta({ description: 'The group as this write left it.' }),
  })
  .meta({ id: 'PolicyGroupHistoryEntry' });

/** Paging of lists of groups. */
export const groupPage = z.object({
  limit: queryInteger({ min: 1, max: 500, preset: 100 }),
  offset: queryInteger({ min: 0, max: 1_000_000, preset: 0 }),
});

/** The query of both operations that copy. */
export const copyQuery = z.object({
  name: displayName().optional().meta({ description: 'Of the copy; `<original name>_copy` unless sent.' }),
});

const one = z.object({ group_uuid: groupUuid() });
const tag = 'Policy groups';
const whose =
  'Groups belong to the user who made them. A user reads the own groups, those that users of the same tenant share ' +
  '(`visibility: tenant`, templates among them) and those that ship with the product; an administrator reads and ' +
  'changes all of the tenant. Any other group is not found (404).';

/** Making, reading, changing and copying groups. */
export const policyGroupOperations = {
  listPolicyGroups: defineOperation({
    method: 'GET',
    path: '/api/policy_groups',
    tag,
    summary: 'List own policy groups and the templates',
    description:
      `${whose} Own groups come first, newest first, then those of others, then those that ship with the product. ` +
      'With `owner=me`, of the groups of others only templates are listed. `total` counts all pages.',
    access: 'jwt',
    keyScope: 'policies',
    query: groupPage.extend({ owner: ownerFilter('me') }),
    response: z.object({ policy_groups: z.array(PolicyGroup), total: z.int() }),
  }),
  createPolicyGroup: defineOperation({
    method: 'POST',
    path: '/api/policy_groups',
    tag,
    summary: 'Create a policy group',
    description:
      'The group and its policies get UUIDs; an `_id` that is sent is not used. Names of groups need not be ' +
      'unique, names of policies within a group must be (409).',
    access: 'jwt',
    keyScope: 'policies',
    body: PolicyGroupInput,
    status: 201,
    response: PolicyGroup,
    errors: [409],
  }),
  getPolicyGroup: defineOperation({
    method: 'GET',
    path: '/api/policy_groups/{group_uuid}',
    tag,
    summary: 'Get a policy group',
    description: whose,
    access: 'jwt',
    keyScope: 'policies',
    params: one,
    response: PolicyGroup,
    errors: [404],
  }),
  replacePolicyGroup: defineOperation({
    method: 'PUT',
    path: '/api/policy_groups/{group_uuid}',
    tag,
    summary: 'Change a policy group and replace its policies',
    description:
      '`policies`, when sent, replaces the whole list: a policy with an `_id` that the group has keeps it, any other ' +
      'gets a new one, and policies that are not sent are removed. Fields that are not sent keep their values. ' +
      'Only the owner and administrators may change a group; one that is only shared with the caller answers 403. A ' +
      'guard of another user that judges by the group goes on when it is shared no longer.',
    access: 'jwt',
    keyScope: 'policies',
    params: one,
    body: PolicyGroupChanges,
    response: PolicyGroup,
    errors: [403, 404, 409],
  }),
  deletePolicyGroup: defineOperation({
    method: 'DELETE',
    path: '/api/policy_groups/{group_uuid}',
    tag,
    summary: 'Delete a policy group',
    description:
      'Its policies and its history go with it. 409 while a guard uses it, so that no guard loses its protection ' +
      'unnoticed: detach it there first. Only the owner and administrators may delete (403).',
    access: 'jwt',
    keyScope: 'policies',
    params: one,
    response: Deleted,
    errors: [403, 404, 409],
  }),
  getPolicyGroupHistory: defineOperation({
    method: 'GET',
    path: '/api/policy_groups/{group_uuid}/history',
    tag,
    summary: 'List the writes of a policy group',
    description:
      'Newest first. `total` counts all writes. For the owner and administrators, since earlier versions may never ' +
      'have been shared (403); a group that ships with the product has one entry that all can read.',
    access: 'jwt',
    keyScope: 'policies',
    params: one,
    query: z.object({
      limit: queryInteger({ min: 1, max: 100, preset: 10 }),
      offset: queryInteger({ min: 0, max: 1_000_000, preset: 0 }),
    }),
    response: z.object({ history: z.array(HistoryEntry), total: z.int() }),
    errors: [403, 404],
  }),
  restorePolicyGroup: defineOperation({
    method: 'POST',
    path: '/api/policy_groups/{group_uuid}/history/{version}/restore',
    tag,
    summary: 'Restore an earlier version of a policy group',
    description:
      'Writes the snapshot of that version as a new one: fields, policies with their `_id`s, and what the optimisation ' +
      'lab had taught them. Who may read the group stays as it is. Only the owner and administrators may restore (403).',
    access: 'jwt',
    keyScope: 'policies',
    params: one.extend({ version: z.coerce.number().int().min(1).max(2_147_483_647) }),
    response: PolicyGroup,
    errors: [403, 404, 409],
  }),
  copyPolicyGroup: defineOperation({
    method: 'POST',
    path: '/api/policy_groups/{group_uuid}/copy',
    tag,
    summary: 'Copy a policy group',
    description:
      'Makes a private group of the caller with new `_id`s, from any group that the caller can read. Copies of ' +
      'built-in policies keep their detector.',
    access: 'jwt',
    keyScope: 'policies',
    params: one,
    query: copyQuery,
    status: 201,
    response: PolicyGroup,
    errors: [404],
  }),
} as const;
