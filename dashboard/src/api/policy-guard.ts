import { createClient } from '#base/contract/client.ts';
import { evaluateOperations } from '#services/policy-guard/contract/evaluate.ts';
import { policyGroupOperations } from '#services/policy-guard/contract/groups.ts';
import { guardOperations } from '#services/policy-guard/contract/guards.ts';
import { optimizationOperations } from '#services/policy-guard/contract/optimization.ts';
import { policyOperations } from '#services/policy-guard/contract/policies.ts';
import { templateOperations } from '#services/policy-guard/contract/templates.ts';
import { testerOperations } from '#services/policy-guard/contract/tester.ts';
import { authorisedFetch } from '../session/session.ts';

export const policyGuard = createClient(
  {
    ...policyGroupOperations,
    ...policyOperations,
    ...templateOperations,
    ...guardOperations,
    ...testerOperations,
    ...evaluateOperations,
    ...optimizationOperations,
  },
  { baseUrl: '/services/policy-guard', fetch: authorisedFetch },
);

export type PolicyGroup = Awaited<ReturnType<typeof policyGuard.getPolicyGroup>>;
export type Policy = PolicyGroup['policies'][number];
export type Strictness = PolicyGroup['strictness_level'];
export type Guard = Awaited<ReturnType<typeof policyGuard.getGuard>>;
export type OptimizationJob = Awaited<ReturnType<typeof policyGuard.getOptimizationJob>>;
export type OptimizedPolicy = NonNullable<OptimizationJob['policies']>[number];
export type TestResult = Awaited<ReturnType<typeof policyGuard.testPolicyGroup>>;

/** The keys of what is asked for, so that a change can make it stale. */
export const keys = {
  groups: ['policy-groups'],
  group: (uuid: string) => ['policy-groups', uuid],
  history: (uuid: string) => ['policy-groups', uuid, 'history'],
  optimizations: (uuid: string) => ['policy-groups', uuid, 'optimizations'],
  optimization: (jobId: string) => ['optimizations', jobId],
  guards: ['guards'],
  guard: (uuid: string) => ['guards', uuid],
} as const;
