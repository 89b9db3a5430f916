import { createClient } from '#base/contract/client.ts';
import { adaptationOperations } from '#services/policy-guard/contract/adaptations.ts';
import { allowListOperations } from '#services/policy-guard/contract/allow-list.ts';
import { draftOperations } from '#services/policy-guard/contract/drafts.ts';
import { evaluateOperations } from '#services/policy-guard/contract/evaluate.ts';
import { policyGroupOperations } from '#services/policy-guard/contract/groups.ts';
import { guardOperations } from '#services/policy-guard/contract/guards.ts';
import { healthOperations } from '#services/policy-guard/contract/health.ts';
import { languageModelOperations } from '#services/policy-guard/contract/language-model.ts';
import { optimizationOperations } from '#services/policy-guard/contract/optimization.ts';
import { policyOperations } from '#services/policy-guard/contract/policies.ts';
import { templateOperations } from '#services/policy-guard/contract/templates.ts';
import { testerOperations } from '#services/policy-guard/contract/tester.ts';
import { authorisedFetch } from '../session/session.ts';

const baseUrl = '/services/policy-guard';

export const policyGuard = createClient(
  {
    ...policyGroupOperations,
    ...policyOperations,
    ...templateOperations,
    ...guardOperations,
    ...testerOperations,
    ...draftOperations,
    ...evaluateOperations,
    ...optimizationOperations,
    ...adaptationOperations,
    ...allowListOperations,
    ...healthOperations,
  },
  { baseUrl, fetch: authorisedFetch },
);

/** Requests that wait for a slow language model need a longer timeout. */
const patientMs = 300_000;
export const patientPolicyGuard = createClient(languageModelOperations, {
  baseUrl,
  fetch: authorisedFetch,
  timeoutMs: patientMs,
});

export type PolicyGroup = Awaited<ReturnType<typeof policyGuard.getPolicyGroup>>;
export type Policy = PolicyGroup['policies'][number];
export type Strictness = PolicyGroup['strictness_level'];
export type Guard = Awaited<ReturnType<typeof policyGuard.getGuard>>;
export type OptimizationJob = Awaited<ReturnType<typeof policyGuard.getOptimizationJob>>;
export type OptimizedPolicy = NonNullable<OptimizationJob['policies']>[number];
export type Adaptation = Awaited<ReturnType<typeof policyGuard.listAdaptations>>['adaptations'][number];
export type AllowEntry = Awaited<ReturnType<typeof policyGuard.listAllowed>>['entries'][number];
export type TestResult = Awaited<ReturnType<typeof policyGuard.testPolicyGroup>>;

/** What a text that is judged can be said to be. */
export type TestedKind = NonNullable<Parameters<typeof policyGuard.testPolicyGroup>[0]['body']['context']>;

export type TestCase = Awaited<ReturnType<typeof policyGuard.getTestCases>>['test_cases'][number];
export type JudgedDraft = Awaited<ReturnType<typeof policyGuard.judgeDraft>>;
export type PolicyDraft = Parameters<typeof policyGuard.judgeDraft>[0]['body']['policy'];

/** The query keys: a change invalidates what was loaded under them. */
export const keys = {
  groups: ['policy-groups'],
  groupLists: ['policy-groups', 'list'],
  groupList: (owner: 'me' | 'all') => ['policy-groups', 'list', owner],
  group: (uuid: string) => ['policy-groups', uuid],
  testCases: (uuid: string, policyId: string) => ['policy-groups', uuid, 'test-cases', policyId],
  history: (uuid: string) => ['policy-groups', uuid, 'history'],
  optimizations: (uuid: string) => ['policy-groups', uuid, 'optimizations'],
  optimization: (jobId: string) => ['optimizations', jobId],
  guards: ['guards'],
  guardLists: ['guards', 'list'],
  guardList: (owner: 'me' | 'all') => ['guards', 'list', owner],
  guard: (uuid: string) => ['guards', uuid],
  adaptations: (uuid: string) => ['guards', uuid, 'adaptations'],
  labels: (uuid: string) => ['guards', uuid, 'labels'],
  allowList: (uuid: string) => ['guards', uuid, 'allow-list'],
  health: ['policy-guard-health'],
  cache: ['verdict-cache'],
} as const;
