import type { z } from 'zod';
import { toIsoTime } from '#base/clock.ts';
import type { TraceStep } from '#engine/actions/types.ts';
import type { evaluateOperations } from '../contract/evaluate.ts';
import { readBlockingConfig } from '../sets/view.ts';
import type { Violation } from './decide.ts';
import type { Evaluation, Question } from './evaluation.ts';
import { display, explain } from './explain.ts';

type Body = z.output<(typeof evaluateOperations.guardActions)['body']>;
type WireStep = NonNullable<Body['session_history']['trace']>[number];

/** Clients in many languages send null for what they do not have. */
const sent = <T>(value: T | null | undefined): T | undefined => value ?? undefined;

const readStep = ({ role, content, action, step_id, metadata }: WireStep): TraceStep => ({
  role,
  content: sent(content),
  action: sent(action),
  stepId: sent(step_id),
  toolName: sent(metadata?.tool_name),
  toolDescription: sent(metadata?.tool_description),
  toolParams: sent(metadata?.tool_params),
  serverName: sent(metadata?.server_name),
  serverId: sent(metadata?.server_id),
  toolOutput: sent(metadata?.tool_output),
});

export const readQuestion = (body: Body): Question => ({
  steps: (body.session_history.trace ?? []).map(readStep),
  sessionId: body.session_id,
  gatewayId: sent(body.session_history.session_info?.gateway_id),
  policySetId: body.policy_id,
  fastMode: body.fast_mode ?? false,
  blockingConfig: readBlockingConfig(body.blocking_config),
});

const viewDetail = (
  { rule, policy, finding, action }: Violation,
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
  confidence: Math.round(finding.confidence * 1000) / 1000,
  certainty: finding.certainty,
  reason: finding.reason,
  threat_category: finding.threatCategory,
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
    explanation: explain(verdict, liveSet.rules.length),
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
    fast_mode: question.fastMode,
    total_enabled_rules: liveSet.rules.length,
    active_policies: [...liveSet.activePolicies],
  };
}
