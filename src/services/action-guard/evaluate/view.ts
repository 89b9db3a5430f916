import { threeDecimals } from '#base/three-decimals.ts';
import type { z } from 'zod';
import type { Unread } from '#engine/actions/calls/reach.ts';
import { toIsoTime } from '#base/clock.ts';
import type { evaluateOperations } from '../contract/evaluate.ts';
import type { KnownUser } from '#engine/rules/matching/judged-call.ts';
import { viewHeld } from '../approvals/view.ts';
import { readBlockingConfig } from '../sets/view.ts';
import type { Violation } from './one-per-cause.ts';
import type { Evaluation, Question } from './evaluation.ts';
import { display, explain } from './explain.ts';
import { readSteps, type ReadSteps } from './read-steps.ts';
import { sent } from './trace-step.ts';

type Body = z.output<(typeof evaluateOperations.guardActions)['body']>;

type SentUser = NonNullable<Body['session_history']['session_info']>['user'];

const readUser = (user: SentUser): KnownUser | undefined =>
  user === null || user === undefined
    ? undefined
    : { id: user.id ?? '', roles: user.roles ?? [], attributes: user.attributes ?? {} };

export const readQuestion = (body: Body, read: ReadSteps = readSteps): Question => ({
  steps: read(body.session_id, body.session_history.trace ?? []),
  sessionId: body.session_id,
  gatewayId: sent(body.session_history.session_info?.gateway_id),
  gatewayName: sent(body.session_history.session_info?.gateway_name),
  user: readUser(body.session_history.session_info?.user),
  callId: sent(body.call_id),
  hold: body.hold ?? 'always',
  isTrial: body.trial ?? false,
  policySetId: body.policy_id,
  fastMode: body.fast_mode ?? false,
  blockingConfig: readBlockingConfig(body.blocking_config),
});

const viewDetail = (
  { rule, policy, finding, action, also }: Violation,
  { name, notifyEmails }: Evaluation['liveSet'],
) => ({
  rule_id: rule.ruleId,
  rule_key: rule.key,
  description: rule.description,
  severity: rule.severity,
  category: policy.category,
  policy_set: name,
  policy_id: policy.policyId,
  policy_name: policy.name,
  action,
  notify_emails: [...notifyEmails],
  confidence: threeDecimals(finding.confidence),
  certainty: finding.certainty,
  reason: finding.reason,
  threat_category: finding.threatCategory,
  ...(also.length > 0 && {
    also: also.map((each) => ({
      rule_id: each.rule.ruleId,
      description: each.rule.description,
      policy_id: each.policy.policyId,
      policy_name: each.policy.name,
    })),
  }),
});

const [mostNotUnderstood, mostUnread] = [20, 20];
const longestPath = 1000;

const viewUnread = ({ what, path, size, read }: Unread) => ({
  what,
  path: path.slice(0, longestPath).toWellFormed(),
  size,
  read,
});

export function viewEvaluation(
  { verdict, question, caller, liveSet, at }: Evaluation,
  engineVersion: string,
): z.input<(typeof evaluateOperations.guardActions)['response']> {
  const { violations, warnings, blocking } = verdict;
  return {
    allowed: verdict.allowed,
    violations: violations.map(display),
    warnings: warnings.map(display),
    violations_detail: violations.map((each) => viewDetail(each, liveSet)),
    warnings_detail: warnings.map((each) => viewDetail(each, liveSet)),
    violations_count: violations.length,
    warnings_count: warnings.length,
    threat_category: verdict.threatCategory,
    explanation: explain(verdict, liveSet),
    ...(verdict.held !== undefined && { approval: viewHeld(verdict.held) }),
    ...(verdict.approvedBy.length > 0 && { approved_by: [...verdict.approvedBy] }),
    blocking_mode: blocking.mode,
    blocking_metadata: {
      blocking_mode: blocking.mode,
      blocking_level: blocking.level,
      blocking_threshold: blocking.threshold,
      highest_violation_severity: verdict.highestSeverity,
      violated_share: verdict.violatedShare,
      engine: engineVersion,
    },
    session_id: question.sessionId,
    timestamp: toIsoTime(at),
    service_status: verdict.serviceStatus,
    user_id: caller.userId,
    observation: verdict.observation,
    action: verdict.action,
    facts: [...verdict.facts],
    ...(verdict.unread.length > 0 && { not_read: verdict.unread.slice(0, mostUnread).map(viewUnread) }),
    fast_mode: question.fastMode,
    ...(question.isTrial === true && { trial: true as const }),
    total_enabled_rules: liveSet.rules.length,
    ...(liveSet.notUnderstood.length > 0 && {
      rules_not_understood: liveSet.notUnderstood.slice(0, mostNotUnderstood).map(({ rule, policy }) => ({
        rule_id: rule.ruleId,
        rule_key: rule.key,
        description: rule.description,
        policy_id: policy.policyId,
        policy_name: policy.name,
      })),
    }),
    active_policies: [...liveSet.activePolicies],
  };
}
