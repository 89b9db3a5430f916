import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys, policyGuard, type Policy, type PolicyGroup, type TestCase } from '../../api/policy-guard.ts';

export interface CaseList {
  readonly all: readonly TestCase[];
  readonly areEdited: boolean;
  /** Set while they cannot be loaded. */
  readonly error: unknown;
  /** A text that is there already takes the new answer. */
  readonly add: (added: TestCase) => void;
  readonly remove: (text: string) => void;
  /** Keeps them with the policy, which has its id by then. */
  readonly save: (policyId: string) => Promise<void>;
}

const none: readonly TestCase[] = [];

/** The test cases of a policy with what was changed about them and is not saved. */
export function useTestCases(group: PolicyGroup, policy: Policy | undefined): CaseList {
  const queries = useQueryClient();
  const policyId = policy?._id ?? '';
  const { group_uuid } = group;
  const kept = useQuery({
    queryKey: keys.testCases(group_uuid, policyId),
    queryFn: () => policyGuard.getTestCases({ params: { group_uuid, policy_id: policyId } }),
    enabled: policy !== undefined,
  });
  const [changed, setChanged] = useState<readonly TestCase[]>();
  const all = changed ?? kept.data?.test_cases ?? none;
  return {
    all,
    areEdited: changed !== undefined,
    error: kept.error,
    add: (added) => setChanged([...all.filter(({ text }) => text !== added.text), added]),
    remove: (removed) => setChanged(all.filter(({ text }) => text !== removed)),
    async save(id) {
      if (changed === undefined) return;
      const params = { group_uuid, policy_id: id };
      await policyGuard.replaceTestCases({ params, body: { test_cases: [...changed] } });
      await queries.invalidateQueries({ queryKey: keys.testCases(group_uuid, id) });
    },
  };
}
