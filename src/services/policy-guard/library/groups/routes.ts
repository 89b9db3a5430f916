import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import { policyGroupOperations } from '../../contract/groups.ts';
import { policyOperations } from '../../contract/policies.ts';
import { templateOperations } from '../../contract/templates.ts';
import type { Groups } from './groups.ts';
import {
  copied,
  created,
  policyAdded,
  policyDeleted,
  policyUpdated,
  updated,
} from '../policies/policy-group.ts';
import type { GroupViews } from './group-views.ts';
import { readGroup, readGroupChanges, readPolicy, readPolicyChanges } from './view.ts';
import { notFound } from '#base/errors.ts';

export const operations = { ...policyGroupOperations, ...policyOperations, ...templateOperations };

/** The contract's operations on groups, policies and templates. */
export function createHandlers(groups: Groups, views: GroupViews): Handlers<typeof operations, Caller> {
  return {
    async listPolicyGroups({ caller, query }) {
      const { groups: found, total } = await groups.list(caller, query, query.owner);
      return { policy_groups: await views.many(found), total };
    },
    createPolicyGroup: async ({ caller, body, request }) =>
      views.one(await groups.create({ caller, request }, created(readGroup(body)))),
    getPolicyGroup: async ({ caller, params }) => views.one(await groups.get(caller, params.group_uuid)),
    async replacePolicyGroup({ caller, params, body, request }) {
      const changes = readGroupChanges(body);
      const { group } = await groups.change({ caller, request }, params.group_uuid, (before) =>
        updated(before, changes),
      );
      return views.one(group);
    },
    async deletePolicyGroup({ caller, params, request }) {
      await groups.remove({ caller, request }, params.group_uuid);
      return { message: 'The policy group was deleted.' };
    },
    async getPolicyGroupHistory({ caller, params, query }) {
      const { entries, total } = await groups.history(caller, params.group_uuid, query);
      return { history: await views.history(entries), total };
    },
    restorePolicyGroup: async ({ caller, params, request }) =>
      views.one(await groups.restore({ caller, request }, params.group_uuid, params.version)),
    async copyPolicyGroup({ caller, params, query, request }) {
      const original = await groups.get(caller, params.group_uuid);
      return views.one(await groups.create({ caller, request }, copied(original, query.name)));
    },

    async addPolicy({ caller, params, body, request }) {
      const fields = readPolicy(body);
      const { group, change } = await groups.change({ caller, request }, params.group_uuid, (before) =>
        policyAdded(before, fields),
      );
      return views.policy(group, change.policy);
    },
    async changePolicy({ caller, params, body, request }) {
      const changes = readPolicyChanges(body);
      const { group, change } = await groups.change({ caller, request }, params.group_uuid, (before) =>
        policyUpdated(before, params.policy_id, changes),
      );
      return views.policy(group, change.policy);
    },
    async removePolicy({ caller, params, request }) {
      await groups.change({ caller, request }, params.group_uuid, (before) =>
        policyDeleted(before, params.policy_id),
      );
      return { message: 'The policy was removed from its group.' };
    },

    async listTemplates({ caller, query }) {
      const { groups: found, total } = await groups.list(caller, query, 'templates');
      return { templates: await views.many(found), total };
    },
    async copyTemplate({ caller, params, query, request }) {
      const original = await groups.get(caller, params.template_id);
      if (!original.isTemplate) throw notFound('The template');
      return views.one(await groups.create({ caller, request }, copied(original, query.name)));
    },
  };
}
