/** What of a verdict and its trace stays in the log, so that it can be explained later. */
import type { TraceStep } from '#engine/actions/types.ts';
import type { KnownUser } from '#engine/rules/matching/judged-call.ts';
import type { LoggedFinding, LoggedFindings } from '../logs/log-entry.ts';
import { canonicalOf } from '../rules/rule.ts';
import type { Violation } from './one-per-cause.ts';
import type { Verdict } from './evaluation.ts';

const most = 20;
const [longestSentence, longestReason, longestSummary] = [2000, 1000, 1000];

const cut = (text: string, limit: number) => text.slice(0, limit).toWellFormed();

const loggedFinding = ({ rule, policy, finding, action, also }: Violation): LoggedFinding => ({
  ruleId: rule.ruleId,
  ruleKey: rule.key,
  description: cut(rule.description, longestSentence),
  canonical: cut(canonicalOf(rule), longestSentence),
  severity: rule.severity,
  policyId: policy.policyId,
  policyName: policy.name,
  action,
  certainty: finding.certainty,
  confidence: finding.confidence,
  reason: cut(finding.reason, longestReason),
  threatCategory: finding.threatCategory,
  also: also.slice(0, most).map((each) => ({
    ruleId: each.rule.ruleId,
    description: cut(each.rule.description, longestSentence),
    policyName: each.policy.name,
  })),
});

/** Undefined where nothing was found, all was read, and nobody had to approve: most actions. */
export function loggedFindings({
  violations,
  warnings,
  observation,
  facts,
  unread,
  approvedBy,
  held,
  usedApprovalId,
}: Verdict): LoggedFindings | undefined {
  if (violations.length + warnings.length + approvedBy.length + unread.length === 0) return undefined;
  return {
    violations: violations.slice(0, most).map(loggedFinding),
    warnings: warnings.slice(0, most).map(loggedFinding),
    observation: cut(observation, longestSummary),
    facts: facts.slice(0, most).map((fact) => cut(fact, longestSummary)),
    approvedBy,
    approvalId: held?.approvalId ?? usedApprovalId,
  };
}

const wireStep = (step: TraceStep) => ({
  role: step.role,
  ...(step.content !== undefined && { content: step.content }),
  ...(step.action !== undefined && { action: step.action }),
  ...(step.stepId !== undefined && { step_id: step.stepId }),
  ...(step.toolName !== undefined && {
    metadata: {
      tool_name: step.toolName,
      ...(step.toolParams !== undefined && { tool_params: step.toolParams }),
      ...(step.toolDescription !== undefined && { tool_description: step.toolDescription }),
      ...(step.serverName !== undefined && { server_name: step.serverName }),
      ...(step.serverId !== undefined && { server_id: step.serverId }),
      ...(step.toolOutput !== undefined && { tool_output: step.toolOutput }),
    },
  }),
});

/** The user as they may be sent again, as JSON text; without attributes that are too large. */
export function loggedUser({ id, roles, attributes = {} }: KnownUser, limitBytes: number): string {
  const isLarge = Buffer.byteLength(JSON.stringify(attributes)) > limitBytes;
  return JSON.stringify({ id, roles, attributes: isLarge ? {} : attributes });
}

/**
 * The trace as it may be sent again, as JSON text. Of one that is too large the latest steps stay; where even the judged
 * step is, nothing does.
 */
export function loggedTrace(steps: readonly TraceStep[], limitBytes: number): string | null {
  const judged = steps.findLastIndex(({ role }) => role === 'agent');
  const kept: string[] = [];
  let bytes = 2;
  for (const step of steps.slice(0, judged + 1).toReversed()) {
    const text = JSON.stringify(wireStep(step));
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > limitBytes) break;
    kept.push(text);
  }
  return kept.length === 0 ? null : `[${kept.toReversed().join(',')}]`;
}
