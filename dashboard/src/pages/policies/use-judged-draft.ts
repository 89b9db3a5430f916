import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import {
  policyGuard,
  type JudgedDraft,
  type PolicyDraft,
  type PolicyGroup,
  type TestCase,
} from '../../api/policy-guard.ts';

const pauseMs = 400;

/** The text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

interface Asked {
  readonly policy: PolicyDraft;
  readonly test_cases: TestCase[];
  readonly suggest: boolean;
}

export interface JudgedCases {
  readonly cases: readonly TestCase[];
  readonly judged: JudgedDraft;
}

/** The verdicts of a policy that is being written on its test cases, a moment after each change. */
export function useJudgedDraft(
  group: PolicyGroup,
  draft: PolicyDraft,
  cases: readonly TestCase[],
): UseQueryResult<JudgedCases> {
  // A policy without a name yet, or that is off, is judged as if it had one and were on.
  const named = { ...draft, name: draft.name.trim() === '' ? 'New policy' : draft.name, enabled: true };
  const now: Asked = { policy: named, test_cases: [...cases], suggest: true };
  const settled = useSettled(JSON.stringify(now));
  const asked = JSON.parse(settled) as Asked;
  return useQuery({
    queryKey: ['judged-draft', group.group_uuid, group.version, settled],
    queryFn: async () => ({
      cases: asked.test_cases,
      judged: await policyGuard.judgeDraft({ params: { group_uuid: group.group_uuid }, body: asked }),
    }),
    enabled: asked.test_cases.length > 0,
    placeholderData: (previous) => previous,
    staleTime: Infinity,
    gcTime: 60_000,
    retry: false,
  });
}
