import type { z } from 'zod';
import { toIsoTime } from '#base/clock.ts';
import type { logOperations } from '../contract/logs.ts';
import { ThreatCategory } from '../contract/severity.ts';
import type { NameOf } from '#identity/users/user-names.ts';
import type { LogStats } from './stats.ts';
import type { HourCounts } from './stats-store.ts';
import type { LoggedFinding, LoggedFindings } from './log-entry.ts';
import type { LogEntry } from './store.ts';

type Answer = z.input<(typeof logOperations.listLogs)['response']>;
type Hours = z.input<(typeof logOperations.listLogHours)['response']>;

export interface LogNames {
  readonly set: ReadonlyMap<string, string>;
  readonly user: NameOf;
}

type Detail = z.input<(typeof logOperations.getLog)['response']>;

const none: LoggedFindings = { violations: [], warnings: [], observation: '', facts: [], approvedBy: [] };

const findingsOf = ({ findings }: LogEntry): LoggedFindings =>
  findings === null ? none : (JSON.parse(findings) as LoggedFindings);

/** An entry as lists have it. */
export function viewEntry(entry: LogEntry, names: LogNames): NonNullable<Answer['logs']>[number] {
  const found = findingsOf(entry);
  const [gravest] = [...found.violations, ...found.warnings];
  return {
    ...viewFields(entry, names),
    held: entry.held,
    approved_by: [...found.approvedBy],
    rule: gravest?.description ?? null,
    reason: gravest?.reason ?? null,
  };
}

const viewFinding = (found: LoggedFinding): Detail['violations'][number] => ({
  rule_id: found.ruleId,
  rule_key: found.ruleKey,
  description: found.description,
  canonical: found.canonical,
  severity: found.severity,
  policy_id: found.policyId,
  policy_name: found.policyName,
  action: found.action,
  certainty: found.certainty,
  confidence: found.confidence,
  reason: found.reason,
  threat_category: ThreatCategory.parse(found.threatCategory),
  also: found.also.map((each) => ({
    rule_id: each.ruleId,
    description: each.description,
    policy_name: each.policyName,
  })),
});

/** An entry with all that is kept of it. */
export function viewDetail(entry: LogEntry, names: LogNames): Detail {
  const found = findingsOf(entry);
  const { trace, actingUser } = entry;
  return {
    ...viewEntry(entry, names),
    violations: found.violations.map(viewFinding),
    warnings: found.warnings.map(viewFinding),
    observation: found.observation === '' ? null : found.observation,
    facts: [...found.facts],
    approval_id: found.approvalId ?? null,
    trace: typeof trace === 'string' ? (JSON.parse(trace) as Record<string, unknown>[]) : null,
    user: actingUser === null ? null : (JSON.parse(actingUser) as Detail['user']),
  };
}

const viewFields = (entry: LogEntry, names: LogNames) => ({
  id: entry.logId,
  session_id: entry.sessionId,
  gateway_id: entry.gatewayId === '' ? null : entry.gatewayId,
  gateway_name: entry.gatewayName,
  tool_name: entry.toolName,
  tool_params: JSON.parse(entry.toolParams) as Record<string, unknown>,
  ...(entry.toolOutput !== null && { tool_output: JSON.parse(entry.toolOutput) as unknown }),
  server_name: entry.serverName,
  allowed: entry.allowed,
  violations_count: entry.violationsCount,
  warnings_count: entry.warningsCount,
  threat_category: ThreatCategory.parse(entry.threatCategory),
  violation_categories: [...entry.violationCategories],
  rule_ids: [...entry.ruleIds],
  policy_id: entry.policySetId,
  policy_name: names.set.get(entry.policySetId) ?? null,
  user_id: entry.userId,
  user_name: names.user(entry.userId),
  service_status: entry.serviceStatus,
  latency_ms: entry.latencyMs,
  timestamp: toIsoTime(entry.at),
});

export const viewStats = (stats: LogStats): Answer['stats'] => ({
  total_evaluations: stats.totalEvaluations,
  total_violations: stats.totalViolations,
  total_held: stats.totalHeld,
  total_allowed: stats.totalAllowed,
  violations_last_day: stats.violationsLastDay,
  violations_last_hour: stats.violationsLastHour,
  unique_sessions: stats.uniqueSessions,
  active_sessions_last_hour: stats.activeSessionsLastHour,
  violation_categories: stats.violationCategories,
  threat_categories: stats.threatCategories,
  approval_rate: stats.totalEvaluations === 0 ? 0 : stats.totalAllowed / stats.totalEvaluations,
  evaluations_last_hour: stats.evaluationsLastHour,
  evaluations_last_day: stats.evaluationsLastDay,
});

export const viewHour = ({
  hour,
  evaluations,
  allowed,
  held,
  latencyMsSum,
}: HourCounts): Hours['hours'][number] => ({
  hour: toIsoTime(hour),
  evaluations,
  violations: evaluations - allowed,
  held,
  latency_ms_avg: latencyMsSum === null ? null : latencyMsSum / evaluations,
});
