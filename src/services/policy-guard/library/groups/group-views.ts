/**
 * Groups as responses return them, with the names of users and the states of exemplars: one query of each for a page.
 */
import type { z } from 'zod';
import type { UserNames } from '#identity/users/user-names.ts';
import type { PolicyGroup as PolicyGroupOnWire } from '../../contract/groups.ts';
import type { Policy as PolicyOnWire } from '../../contract/policies.ts';
import type { HistoryEntry, Policy, PolicyGroup } from '../policies/policy-group.ts';
import { type ExemplarStates, viewGroup, viewHistoryEntry, viewPolicy } from './view.ts';

interface GroupViewsDeps {
  readonly userNames: UserNames;
  readonly exemplarStates: (groupUuids: readonly string[]) => Promise<ExemplarStates>;
}

export type GroupViews = ReturnType<typeof createGroupViews>;

export function createGroupViews({ userNames, exemplarStates }: GroupViewsDeps) {
  const many = async (groups: readonly PolicyGroup[]): Promise<z.output<typeof PolicyGroupOnWire>[]> => {
    const [states, nameOf] = await Promise.all([
      exemplarStates(groups.map(({ groupUuid }) => groupUuid)),
      userNames(groups.map(({ ownerId }) => ownerId)),
    ]);
    return groups.map((group) => viewGroup(group, states, nameOf));
  };
  return {
    many,

    one: async (group: PolicyGroup): Promise<z.output<typeof PolicyGroupOnWire>> => {
      const [viewed] = await many([group]);
      if (viewed === undefined) throw new Error('no view of the group');
      return viewed;
    },

    policy: async (
      { groupUuid }: Pick<PolicyGroup, 'groupUuid'>,
      policy: Policy,
    ): Promise<z.output<typeof PolicyOnWire>> => viewPolicy(policy, await exemplarStates([groupUuid])),

    history: async (entries: readonly HistoryEntry[]) => {
      const nameOf = await userNames(entries.map(({ changedBy }) => changedBy));
      return entries.map((entry) => viewHistoryEntry(entry, nameOf));
    },
  };
}
