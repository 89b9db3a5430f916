import { createClient } from '#base/contract/client.ts';
import { approvalOperations } from '#services/action-guard/contract/approvals.ts';
import { evaluateOperations } from '#services/action-guard/contract/evaluate.ts';
import { extractionOperations } from '#services/action-guard/contract/extraction.ts';
import { logOperations } from '#services/action-guard/contract/logs.ts';
import { policyOperations } from '#services/action-guard/contract/policies.ts';
import { ruleOperations } from '#services/action-guard/contract/rules.ts';
import { setOperations } from '#services/action-guard/contract/sets.ts';
import { templateOperations } from '#services/action-guard/contract/templates.ts';
import { tryOperations } from '#services/action-guard/contract/trying.ts';
import { authorisedFetch } from '../session/session.ts';

export const actionGuard = createClient(
  {
    ...evaluateOperations,
    ...approvalOperations,
    ...ruleOperations,
    ...tryOperations,
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
export type RuleDraft = Answered<'draftRule'>;
export type PredicateKind = Answered<'listPredicates'>['predicates'][number];
export type PredicateField = PredicateKind['fields'][number];
export type TriedRule = Answered<'tryRule'>;
export type ActionApproval = Answered<'getActionApproval'>;
export type LogDetail = Answered<'getLog'>;
export type LogEntry = NonNullable<Answered<'listLogs'>['logs']>[number];
export type LogStats = Answered<'listLogs'>['stats'];
export type ActionHours = Answered<'listLogHours'>;
export type Verdict = Answered<'guardActions'>;
type SessionHistory = Parameters<typeof actionGuard.guardActions>[0]['body']['session_history'];
export type Trace = NonNullable<SessionHistory['trace']>;
export type SentUser = NonNullable<NonNullable<SessionHistory['session_info']>['user']>;

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
  log: (id: string) => ['action-logs', 'one', id],
  approvals: ['action-approvals'],
  predicates: ['action-predicates'],
  draft: (asked: unknown) => ['action-rule-draft', asked],
} as const;
