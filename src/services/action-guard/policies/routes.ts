import type { Handlers } from '#base/http/mount.ts';
import type { Caller } from '#identity/caller.ts';
import type { policyOperations } from '../contract/policies.ts';
import { defaultCategory, type Policy } from './policy.ts';
import type { UserNames } from '#identity/users/user-names.ts';
import type { Policies } from './policies.ts';
import { inDoubt, readRules, viewPolicy } from './view.ts';

export const policyHandlers = (
  policies: Policies,
  userNames: UserNames,
): Handlers<typeof policyOperations, Caller> => ({
  async listPolicies({ caller, query }) {
    const { policies: found, total } = await policies.list(caller, query.owner, query);
    const nameOf = await userNames(found.map(({ ownerId }) => ownerId));
    return { policies: found.map((policy) => viewPolicy(policy, nameOf)), total };
  },
  async getPolicy({ caller, params }) {
    const policy = await policies.get(caller, params.policy_id);
    return viewPolicy(policy, await userNames([policy.ownerId]));
  },
  async createPolicy({ caller, body, request }) {
    const policy = await policies.create(
      { caller, request },
      {
        name: body.name,
        description: body.description ?? '',
        category: body.category ?? defaultCategory,
        visibility: body.visibility ?? 'private',
        rules: readRules(body.rules ?? {}),
      },
    );
    return {
      success: true,
      policy_id: policy.policyId,
      ...doubts(policy, `The policy "${policy.name}" was made.`),
    };
  },
  async updatePolicy({ caller, params, body, request }) {
    const policy = await policies.update({ caller, request }, params.policy_id, {
      name: body.name,
      description: body.description,
      category: body.category,
      visibility: body.visibility,
      rules: body.rules && readRules(body.rules),
    });
    return {
      ...viewPolicy(policy, await userNames([policy.ownerId])),
      success: true,
      policy_id: policy.policyId,
      ...doubts(policy, `The policy "${policy.name}" was changed.`),
    };
  },
  async confirmRule({ caller, params, body, request }) {
    const { policy_id: id, rule_key: key } = params;
    const policy = await policies.confirmRule({ caller, request }, id, key, body.canonical);
    return {
      ...viewPolicy(policy, await userNames([policy.ownerId])),
      success: true,
      policy_id: id,
      ...doubts(policy, `The rule "${key}" was confirmed.`),
    };
  },
  async deletePolicy({ caller, params, request }) {
    await policies.remove({ caller, request }, params.policy_id);
    return { success: true, policy_id: params.policy_id, message: 'The policy was deleted.' };
  },
});

const namesOf = (all: readonly string[]) => `${all.slice(0, 5).join('; ')}${all.length > 5 ? '; …' : ''}`;

/** The message, and what the author still has to look at. */
function doubts(policy: Policy, message: string) {
  const named = inDoubt(policy);
  const keys = Object.keys(named);
  const apart = policy.rules.filter(({ origin, note }) => origin === 'form' && note !== undefined);
  const told =
    apart.length === 0
      ? message
      : `${message} The sentence says something else than the form, which is enforced (see \`note\`): ${namesOf(apart.map(({ key }) => key))}.`;
  if (keys.length === 0) return { message: told };
  const lines = keys.map((key) => {
    const { unread = [], doubts: [why] = [] } = named[key] ?? {};
    const reason = unread.length === 0 ? why : unread.slice(0, 5).join(', ');
    return `${key}${reason === undefined ? '' : ` (${reason})`}`;
  });
  return {
    message: `${told} Not understood fully: ${namesOf(lines)}. Read \`canonical\`, then confirm each rule or write it again.`,
    in_doubt: named,
  };
}
