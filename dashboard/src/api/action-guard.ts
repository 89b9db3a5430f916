import { createClient } from '#base/contract/client.ts';
import { evaluateOperations } from '#services/action-guard/contract/evaluate.ts';
import { extractionOperations } from '#services/action-guard/contract/extraction.ts';
import { logOperations } from '#services/action-guard/contract/logs.ts';
import { policyOperations } from '#services/action-guard/contract/policies.ts';
import { setOperations } from '#services/action-guard/contract/sets.ts';
import { templateOperations } from '#services/action-guard/contract/templates.ts';
import { authorisedFetch } from '../session/session.ts';

export const actionGuard = createClient(
  {
    ...evaluateOperations,
    ...logOperations,
    ...setOperations,
    ...policyOperations,
    ...templateOperations,
    ...extractionOperations,
  },
  { baseUrl: '/services/action-guard', fetch: authorisedFetch },
);

type Answered<Name extends keyof typeof actionGuard> = Awaited<ReturnType<(typeof actionGuard)[Name]>>;

export type PolicySet = Answered<'getPolicySet'>;
export type ActionPolicy = Answered<'getPolicy'>;
export type Rule = ActionPolicy['rules'][string];
export type Severity = Rule['severity'];
export type LogEntry = NonNullable<Answered<'listLogs'>['logs']>[number];
export type LogStats = Answered<'listLogs'>['stats'];
export type ActionHours = Answered<'listLogHours'>;
export type Verdict = Answered<'guardActions'>;
export type Trace = NonNullable<
  Parameters<typeof actionGuard.guardActions>[0]['body']['session_history']['trace']
>;

export const actionKeys = {
  sets: ['action-sets'],
  setLists: ['action-sets', 'list'],
  setList: (owner: 'me' | 'all') => ['action-sets', 'list', owner],
  set: (id: string) => ['action-sets', id],
  policies: ['action-policies'],
  policyLists: ['action-policies', 'list'],
  policyList: (owner: 'me' | 'all') => ['action-policies', 'list', owner],
  policy: (id: string) => ['action-policies', id],
  templates: ['action-templates'],
  template: (id: string) => ['action-templates', id],
  logs: ['action-logs'],
} as const;
