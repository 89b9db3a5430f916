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
  type PolicyGroup,
  policyUpdated,
  updated,
} from '../policies/policy-group.ts';
import {
  type ExemplarStates,
  readGroup,
  readGroupChanges,
  readPolicy,
  readPolicyChanges,
  viewGroup,
  viewHistoryEntry,
  viewPolicy,
} from './view.ts';
import { notFound } from '#base/errors.ts';

export const operations = { ...policyGroupOperations, ...policyOperations, ...templateOperations };

/** The contract's operations on groups, policies and templates. */
export function createHandlers(
  groups: Groups,
  exemplarStates: (groupUuids: readonly string[]) => Promise<ExemplarStates>,
): Handlers<typeof operations, Caller> {
  const viewed = async (group: PolicyGroup) => viewGroup(group, await exemplarStates([group.groupUuid]));
  const allViewed = async (found: readonly PolicyGroup[]) => {
    const states = await exemplarStates(found.map(({ groupUuid }) => groupUuid));
    return found.map((group) => viewGroup(group, states));
  };
  return {
    async listPolicyGroups({ caller, query }) {
      const { groups: found, total } = await groups.list(caller, query, true);
      return { policy_groups: await allViewed(found), total };
    },
    createPolicyGroup: async ({ caller, body }) =>
      viewed(await groups.create(caller, created(readGroup(body)))),
    getPolicyGroup: async ({ caller, params }) => viewed(await groups.get(caller, params.group_uuid)),
    async replacePolicyGroup({ caller, params, body }) {
      const changes = readGroupChanges(body);
      const { group } = await groups.change(caller, params.group_uuid, (before) => updated(before, changes));
      return viewed(group);
    },
    async deletePolicyGroup({ caller, params }) {
      await groups.remove(caller, params.group_uuid);
      return { message: 'The policy group was deleted.' };
    },
    async getPolicyGroupHistory({ caller, params, query }) {
      const { entries, total } = await groups.history(caller, params.group_uuid, query.limit);
      return { history: entries.map(viewHistoryEntry), total };
    },
    restorePolicyGroup: async ({ caller, params }) =>
      viewed(await groups.restore(caller, params.group_uuid, params.version)),
    async copyPolicyGroup({ caller, params, query }) {
      const original = await groups.get(caller, params.group_uuid);
      return viewed(await groups.create(caller, copied(original, query.name)));
    },

    async addPolicy({ caller, params, body }) {
      const fields = readPolicy(body);
      const { group, change } = await groups.change(caller, params.group_uuid, (before) =>
        policyAdded(before, fields),
      );
      return viewPolicy(change.policy, await exemplarStates([group.groupUuid]));
    },
    async changePolicy({ caller, params, body }) {
      const changes = readPolicyChanges(body);
      const { group, change } = await groups.change(caller, params.group_uuid, (before) =>
        policyUpdated(before, params.policy_id, changes),
      );
      return viewPolicy(change.policy, await exemplarStates([group.groupUuid]));
    },
    async removePolicy({ caller, params }) {
      await groups.change(caller, params.group_uuid, (before) => policyDeleted(before, params.policy_id));
      return { message: 'The policy was removed from its group.' };
    },

    async listTemplates({ caller, query }) {
      const { groups: found, total } = await groups.list(caller, query, false);
      return { templates: await allViewed(found), total };
    },
    async copyTemplate({ caller, params, query }) {
      const original = await groups.get(caller, params.template_id);
      if (!original.isTemplate) throw notFound('The template');
      return viewed(await groups.create(caller, copied(original, query.name)));
    },
  };
}
