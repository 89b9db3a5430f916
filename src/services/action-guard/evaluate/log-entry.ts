import { threeDecimals } from '#base/three-decimals.ts';
import type { NewLogEntry } from '../logs/log-entry.ts';
import { boundedJson } from './bounded-json.ts';
import { actingUser } from './held-call.ts';
import { loggedFindings, loggedTrace, loggedUser } from './logged-findings.ts';
import type { Evaluation } from './evaluation.ts';

/** What of a call goes into its log entry. */
export interface LoggedFields {
  /** Larger parameters and outputs are cut to a preview. */
  readonly paramsBytes: number;
  readonly toolOutputs: boolean;
  /** Of which actions the trace is kept. */
  readonly traces: 'off' | 'blocked' | 'all';
  /** Of a larger trace the latest steps are kept. */
  readonly traceBytes: number;
}

/** The entry of one evaluation. */
export function logEntryOf(evaluation: Evaluation, logged: LoggedFields): NewLogEntry {
  const { callId, question, verdict, caller, liveSet, at, latencyMs } = evaluation;
  const step = question.steps.findLast(({ role }) => role === 'agent');
  return {
    logId: callId,
    tenantId: caller.tenantId,
    userId: caller.userId,
    at,
    sessionId: question.sessionId,
    gatewayId: question.gatewayId ?? '',
    gatewayName: question.gatewayName ?? null,
    policySetId: liveSet.policySetId,
    toolName: cut(step?.toolName),
    toolParams: boundedJson(step?.toolParams ?? {}, logged.paramsBytes),
    toolOutput:
      logged.toolOutputs && step?.toolOutput !== undefined
        ? boundedJson(step.toolOutput, logged.paramsBytes)
        : null,
    serverName: cut(step?.serverName),
    allowed: verdict.allowed,
    held: !verdict.allowed && verdict.held?.status === 'pending',
    violationsCount: verdict.violations.length,
    warningsCount: verdict.warnings.length,
    threatCategory: verdict.threatCategory,
    violationCategories: verdict.violations.map(({ policy }) => policy.category),
    ruleIds: verdict.violations.flatMap(({ rule, also }) => [
      rule.ruleId,
      ...also.map((each) => each.rule.ruleId),
    ]),
    serviceStatus: verdict.serviceStatus,
    latencyMs: threeDecimals(latencyMs),
    ...whyOf(evaluation, logged),
  };
}

function whyOf(
  { question, verdict, caller, liveSet }: Evaluation,
  { traces, traceBytes, paramsBytes }: LoggedFields,
): Pick<NewLogEntry, 'findings' | 'trace' | 'actingUser'> {
  const findings = loggedFindings(verdict);
  const keepsTrace = traces === 'all' || (traces === 'blocked' && !verdict.allowed);
  return {
    findings: findings === undefined ? null : JSON.stringify(findings),
    trace: keepsTrace ? loggedTrace(question.steps, traceBytes) : null,
    actingUser: keepsTrace ? loggedUser(actingUser(question, caller, liveSet), paramsBytes) : null,
  };
}

const maxNameCharacters = 1000;

const cut = (name: string | undefined) => name?.slice(0, maxNameCharacters) ?? null;
