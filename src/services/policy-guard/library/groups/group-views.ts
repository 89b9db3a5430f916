/**
 * Groups as responses return them, with the names of users and the states of exemplars: one query of each for a page.
 */
import type { z } from 'zod';
import type { UserNames } from '#identity/users/user-names.ts';
import type { PolicyGroup as PolicyGroupOnWire } from '../../contract/groups.ts';
import type { Policy as PolicyOnWire } from '../../contract/policies.ts';
import type { HistoryEntry, Policy, PolicyGroup } from '../policies/policy-group.ts';
import type { MeasuredQuality } from '../test-cases/test-case-store.ts';
import { type ExemplarStates, viewGroup, viewHistoryEntry, viewPolicy } from './view.ts';

interface GroupViewsDeps {
  readonly userNames: UserNames;
  readonly exemplarStates: (groupUuids: readonly string[]) => Promise<ExemplarStates>;
  /** What was measured on test cases, by policy. */
  readonly measured: (
    tenantId: string,
    groupUuids: readonly string[],
  ) => Promise<ReadonlyMap<string, MeasuredQuality>>;
  /** A language model judges unless a guard says otherwise. */
  readonly modelJudges: boolean;
}

const noneMeasured: ReadonlyMap<string, MeasuredQuality> = new Map();

export type GroupViews = ReturnType<typeof createGroupViews>;

export function createGroupViews({ userNames, exemplarStates, measured, modelJudges }: GroupViewsDeps) {
  /** The groups of a page are of one tenant; those that ship with the product have no test cases. */
  const measuredIn = async (groups: readonly Pick<PolicyGroup, 'groupUuid' | 'tenantId'>[]) => {
    const own = groups.filter(({ tenantId }) => tenantId !== null);
    const tenantId = own[0]?.tenantId;
    if (tenantId === undefined || tenantId === null) return noneMeasured;
    return measured(
      tenantId,
      own.map(({ groupUuid }) => groupUuid),
    );
  };
  const many = async (groups: readonly PolicyGroup[]): Promise<z.output<typeof PolicyGroupOnWire>[]> => {
    const groupUuids = groups.map(({ groupUuid }) => groupUuid);
    const [states, nameOf, cases] = await Promise.all([
      exemplarStates(groupUuids),
      userNames(groups.map(({ ownerId }) => ownerId)),
      measuredIn(groups),
    ]);
    return groups.map((group) => viewGroup(group, { states, cases, modelJudges }, nameOf));
  };
  return {
    many,

    one: async (group: PolicyGroup): Promise<z.output<typeof PolicyGroupOnWire>> => {
      const [viewed] = await many([group]);
      if (viewed === undefined) throw new Error('no view of the group');
      return viewed;
    },

    policy: async (
      group: Pick<PolicyGroup, 'groupUuid' | 'tenantId'>,
      policy: Policy,
    ): Promise<z.output<typeof PolicyOnWire>> => {
      const [states, cases] = await Promise.all([exemplarStates([group.groupUuid]), measuredIn([group])]);
      return viewPolicy(policy, { states, cases, modelJudges });
    },

    history: async (entries: readonly HistoryEntry[]) => {
      const nameOf = await userNames(entries.map(({ changedBy }) => changedBy));
      return entries.map((entry) => viewHistoryEntry(entry, nameOf));
    },
  };
}
