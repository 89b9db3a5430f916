import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { setOperations } from '../contract/sets.ts';
import type { Sets } from './sets.ts';
import { viewerOf } from '#identity/sharing.ts';
import type { UserNames } from '#identity/users/user-names.ts';
import type { PolicySetDetail } from './policy-set.ts';
import { readBlockingChanges, readBlockingConfig, viewSet, viewSetDetail } from './view.ts';

/** A set as it is answered to a caller. */
export const viewedWith = (userNames: UserNames) => async (caller: Caller, set: PolicySetDetail) => {
  const users = [set.ownerId, ...set.members.map(({ policy }) => policy.ownerId)];
  return viewSetDetail(set, { viewer: viewerOf(caller), nameOf: await userNames(users) });
};

export const setHandlers = (sets: Sets, userNames: UserNames): Handlers<typeof setOperations, Caller> => {
  const viewed = viewedWith(userNames);
  return {
    async listPolicySets({ caller, query }) {
      const { sets: found, total } = await sets.list(caller, query.owner, query);
      const nameOf = await userNames(found.map(({ ownerId }) => ownerId));
      return { policy_sets: found.map((set) => viewSet(set, nameOf)), total };
    },
    async createPolicySet({ caller, body, request }) {
      const fields = {
        name: body.name,
        blockingConfig: readBlockingConfig(body.blocking_config),
        notifyEmails: body.notify_emails ?? [],
        ownDomains: body.own_domains ?? [],
        userRoles: body.user_roles ?? {},
        visibility: body.visibility ?? ('private' as const),
      };
      const policyIds = body.policy_ids ?? [];
      const asking = { caller, request };
      const { policySetId: id, name, policyCount } = await sets.create(asking, fields, policyIds);
      return {
        success: true,
        policy_id: id,
        name,
        message: `The policy set "${name}" was made.`,
        policy_count: policyCount,
      };
    },
    getPolicySet: async ({ caller, params }) => viewed(caller, await sets.get(caller, params.policy_set_id)),
    async updatePolicySet({ caller, params, body, request }) {
      const enabled =
        body.policies &&
        Object.fromEntries(Object.entries(body.policies).map(([id, policy]) => [id, policy.enabled]));
      const set = await sets.update({ caller, request }, params.policy_set_id, {
        name: body.name,
        visibility: body.visibility,
        notifyEmails: body.notify_emails,
        ownDomains: body.own_domains,
        userRoles: body.user_roles,
        blockingConfig: body.blocking_config && readBlockingChanges(body.blocking_config),
        enabled,
      });
      return {
        ...(await viewed(caller, set)),
        success: true,
        message: `The policy set "${set.name}" was changed.`,
      };
    },
    getPolicySetState: async ({ caller, params: { policy_set_id: id } }) => ({
      policy_set_id: id,
      exists: await sets.exists(caller, id),
    }),
    async deletePolicySet({ caller, params, request }) {
      const id = params.policy_set_id;
      const deleted = await sets.remove({ caller, request }, id);
      return {
        success: true,
        policy_id: id,
        message: 'The policy set was deleted.',
        deleted_policy_ids: deleted,
      };
    },
    async attachPolicies({ caller, params, body, request }) {
      const id = params.policy_set_id;
      const added = await sets.attach({ caller, request }, id, body.policy_ids);
      return { success: true, message: `${added.length} attached.`, added_policy_ids: added };
    },
    async detachPolicy({ caller, params, request }) {
      const { policy_set_id: id, policy_id: policyId } = params;
      await sets.detach({ caller, request }, id, policyId);
      return { success: true, message: 'The policy was detached.' };
    },
  };
};
