import { z } from 'zod';
import { isoTime, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { ownerFilter, userName, visibilityField } from '#identity/contract/sharing.ts';
import { BlockingConfig } from './blocking.ts';
import { displayName, Done, page, Policy } from './policies.ts';

export const maxMembers = 100;

const notifyEmails = () =>
  z.array(z.email().max(254)).max(20).meta({ description: 'Who gets a mail about a blocked action.' });

const domainShape =
  /^(?=.{3,253}$)(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+(?:\p{L}[\p{L}\p{M}]{1,62}|xn--[a-z0-9-]{1,59})$/iu;

const ownDomains = () =>
  z
    .array(
      z.string().trim().toLowerCase().regex(domainShape, { error: 'must be a domain such as example.com' }),
    )
    .max(100)
    .meta({
      description:
        'Mail and web domains that are one’s own, with all below them; rules such as "outside our company" go by them. ' +
        'Empty: those of `action_guard.own_domains`, else what the trace itself tells.',
    });

/** What nobody would see is no name. */
const shownText = (max: number) =>
  storedText({ min: 1, max }).refine((name) => name.trim() !== '', { error: 'must not be blank' });

const userRoles = () =>
  z
    .record(shownText(100), z.array(shownText(255)).max(1000))
    .refine((roles) => Object.keys(roles).length <= 100, { error: 'must have at most 100 roles' })
    .meta({
      description:
        'Role → names of users who have it where this set judges: for rules about roles, and for rules that want the ' +
        'approval of a role. Names of users of the tenant, who alone can approve, or ids under which applications name ' +
        'theirs in `session_info.user`; any is accepted, since users may be added later.',
      example: { manager: ['dana'] },
    });

const policyIds = () =>
  z.array(z.string().min(1).max(100)).max(maxMembers).meta({
    description: 'Policies that the caller may read, and preset templates.',
  });

const setFields = {
  id: z.string().meta({ example: 'agp_…' }),
  name: z.string(),
  policy_count: z.int().meta({ description: 'Of active policies, enabled or not.' }),
  created_at: isoTime(),
  updated_at: isoTime(),
  created_by: z.string().nullable().meta({ description: 'A user id; null for the built-in set.' }),
  created_by_name: userName(),
  visibility: visibilityField(),
};

const PolicySet = z.object(setFields).meta({ id: 'PolicySet' });

const PolicySetDetail = z
  .object({
    ...setFields,
    blocking_config: BlockingConfig.meta({
      id: 'SetBlockingConfig',
      description: 'What the set itself says.',
    }),
    notify_emails: z.array(z.string()),
    own_domains: z.array(z.string()),
    user_roles: z.record(z.string(), z.array(z.string())),
    policies: z.array(
      Policy.extend({
        enabled: z.boolean(),
        readable: z.boolean().meta({
          description:
            'False for a policy of another user that is not shared with the caller: its rules are judged, and not shown.',
        }),
      }).meta({ id: 'PolicyOfSet' }),
    ),
  })
  .meta({ id: 'PolicySetDetail' });

const setId = z.object({ policy_set_id: z.string().meta({ example: 'agp_…' }) });
const ofSet = setId.extend({ policy_id: z.string().meta({ example: 'pol_…' }) });
const tag = 'Policy sets';

export const setOperations = {
  listPolicySets: defineOperation({
    method: 'GET',
    path: '/api/v1/policies/sets',
    tag,
    summary: 'List the policy sets',
    description:
      'A user reads their own and those that are shared with the tenant, an administrator all of the tenant; newest first. Last comes the built-in set ' +
      '`agp_default`, which everybody can evaluate with from the first day. `total` counts all pages.',
    access: 'jwt_or_key',
    query: page.extend({ owner: ownerFilter('all') }),
    response: z.object({ policy_sets: z.array(PolicySet), total: z.int() }),
  }),
  createPolicySet: defineOperation({
    method: 'POST',
    path: '/api/v1/policies/sets',
    tag,
    summary: 'Make a policy set',
    access: 'jwt_or_key',
    body: z
      .object({
        name: displayName(),
        policy_ids: policyIds().nullish().meta({ description: 'Default: none.' }),
        notify_emails: notifyEmails().nullish(),
        own_domains: ownDomains().nullish(),
        user_roles: userRoles().nullish(),
        blocking_config: BlockingConfig.nullish(),
        visibility: visibilityField().nullish().meta({ description: 'Default: `private`.' }),
      })
      .meta({ id: 'PolicySetInput' }),
    response: Done.extend({ policy_id: z.string(), name: z.string(), policy_count: z.int() }),
    errors: [404],
  }),
  getPolicySet: defineOperation({
    method: 'GET',
    path: '/api/v1/policies/sets/{policy_set_id}',
    tag,
    summary: 'A policy set with its policies',
    access: 'jwt_or_key',
    params: setId,
    response: PolicySetDetail,
    errors: [404],
  }),
  updatePolicySet: defineOperation({
    method: 'PUT',
    path: '/api/v1/policies/sets/{policy_set_id}',
    tag,
    summary: 'Change a policy set, and enable or disable its policies',
    description:
      'Only what is sent changes. A policy that the set does not hold: 404. In `blocking_config` a field that is null ' +
      'goes back to the default. The built-in set: 403.',
    access: 'jwt_or_key',
    params: setId,
    body: z
      .object({
        name: displayName().optional(),
        policies: z
          .record(z.string().min(1).max(100), z.object({ enabled: z.boolean() }))
          .optional()
          .meta({ description: 'Policy id → whether its rules are judged.' }),
        notify_emails: notifyEmails().optional(),
        own_domains: ownDomains().optional(),
        user_roles: userRoles().optional(),
        blocking_config: BlockingConfig.optional(),
        visibility: visibilityField().optional(),
      })
      .meta({ id: 'PolicySetChanges' }),
    response: PolicySetDetail.extend(Done.shape).meta({ id: 'PolicySetUpdated' }),
    errors: [403, 404],
  }),
  getPolicySetState: defineOperation({
    method: 'GET',
    path: '/api/v1/policies/sets/{policy_set_id}/state',
    tag,
    summary: 'Whether the tenant has a policy set',
    description:
      'Also of sets that the caller may not read, by which calls of a gateway may be judged all the same.',
    access: 'jwt_or_key',
    params: setId,
    response: z.object({ policy_set_id: z.string(), exists: z.boolean() }),
  }),
  deletePolicySet: defineOperation({
    method: 'DELETE',
    path: '/api/v1/policies/sets/{policy_set_id}',
    tag,
    summary: 'Delete a policy set and its policies',
    description:
      'Its policies are deleted with it, also where another set holds them: detach first what is to stay. Presets stay, ' +
      'and so do policies of other users, unless an administrator asks, and policies that sets of other users hold. The ' +
      'built-in set, and one that is only shared with the caller: 403. 409 while a gateway has its calls judged by it: the ' +
      'message names the gateways that the caller may read.',
    access: 'jwt_or_key',
    params: setId,
    response: Done.extend({ policy_id: z.string(), deleted_policy_ids: z.array(z.string()) }),
    errors: [403, 404, 409],
  }),
  attachPolicies: defineOperation({
    method: 'POST',
    path: '/api/v1/policies/sets/{policy_set_id}/policies',
    tag,
    summary: 'Attach policies to a set',
    description: 'They are enabled. What the set holds already is passed over. The built-in set: 403.',
    access: 'jwt_or_key',
    params: setId,
    body: z.object({ policy_ids: policyIds() }).meta({ id: 'PolicyIds' }),
    response: Done.extend({ added_policy_ids: z.array(z.string()) }),
    errors: [403, 404, 409],
  }),
  detachPolicy: defineOperation({
    method: 'DELETE',
    path: '/api/v1/policies/sets/{policy_set_id}/policies/{policy_id}',
    tag,
    summary: 'Detach a policy from a set',
    description: 'The policy itself stays. The built-in set: 403.',
    access: 'jwt_or_key',
    params: ofSet,
    response: Done,
    errors: [403, 404],
  }),
} as const;
