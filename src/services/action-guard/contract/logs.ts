import { z } from 'zod';
import { isoTime, queryBoolean, queryInteger, queryTime } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { userName } from '#identity/contract/sharing.ts';
import { Severity, ThreatCategory } from './severity.ts';

const LogEntry = z
  .object({
    id: z.string(),
    session_id: z.string(),
    gateway_id: z.string().nullable(),
    gateway_name: z.string().nullable(),
    tool_name: z.string().nullable(),
    tool_params: z.record(z.string(), z.unknown()).meta({
      description:
        'As sent. Above `action_guard.log_params_bytes` only `{_truncated, _bytes, _preview}` is kept.',
    }),
    tool_output: z
      .unknown()
      .optional()
      .meta({ description: 'Only where `action_guard.log_tool_outputs` is on.' }),
    server_name: z.string().nullable(),
    allowed: z.boolean(),
    held: z.boolean().meta({
      description:
        'Not allowed, and only for want of a person’s approval: of those that block, this one waited.',
    }),
    approved_by: z
      .array(z.string())
      .meta({ description: 'Of an action that was allowed only because they approved it.' }),
    violations_count: z.int(),
    warnings_count: z.int(),
    threat_category: ThreatCategory,
    violation_categories: z.array(z.string()),
    rule_ids: z.array(z.string()).meta({ description: 'Of blocking violations.' }),
    rule: z
      .string()
      .nullable()
      .meta({ description: 'The gravest rule that was broken or come near to, as it was worded then.' }),
    reason: z.string().nullable().meta({ description: 'What in the action broke it.' }),
    policy_id: z.string().meta({ description: 'The policy set.' }),
    policy_name: z
      .string()
      .nullable()
      .meta({ description: 'Of the policy set; kept when the set is deleted.' }),
    user_id: z.string(),
    user_name: userName(),
    service_status: z.string(),
    latency_ms: z.number(),
    timestamp: isoTime(),
  })
  .meta({ id: 'LogEntry' });

const Finding = z
  .object({
    rule_id: z.string(),
    rule_key: z.string(),
    description: z.string().meta({ description: 'The rule’s sentence, as it was then.' }),
    canonical: z.string().meta({ description: 'Its form as a sentence, as it was then; empty without one.' }),
    severity: Severity,
    policy_id: z.string(),
    policy_name: z.string(),
    action: z.enum(['deny', 'ask', 'allow']),
    certainty: z.enum(['sure', 'grey']),
    confidence: z.number(),
    reason: z.string().meta({ description: 'What in the action broke it.' }),
    threat_category: ThreatCategory,
    also: z
      .array(z.object({ rule_id: z.string(), description: z.string(), policy_name: z.string() }))
      .meta({ description: 'Other rules with the same cause.' }),
  })
  .meta({ id: 'LoggedFinding' });

const LogDetail = LogEntry.extend({
  violations: z.array(Finding),
  warnings: z.array(Finding),
  observation: z.string().nullable().meta({ description: 'What the user asked for, in short.' }),
  facts: z.array(z.string()).meta({ description: 'What was seen in the trace.' }),
  approval_id: z
    .string()
    .nullable()
    .meta({ description: 'Of the approval that it waits or waited for, or was allowed for.' }),
  trace: z.array(z.record(z.string(), z.unknown())).nullable().meta({
    description:
      'As it was judged, where `action_guard.log_traces` keeps it: it can be sent to `POST /api/v1/guard_actions` again.',
  }),
  user: z
    .object({
      id: z.string(),
      roles: z.array(z.string()),
      attributes: z.record(z.string(), z.unknown()),
    })
    .nullable()
    .meta({
      id: 'LoggedUser',
      description:
        'Whom the agent acted for, with the roles that the policy set gave, as the rules saw it. Kept with the trace, to be ' +
        'sent again as `session_history.session_info.user`; attributes above `action_guard.log_params_bytes` are left out.',
    }),
}).meta({ id: 'LogDetail' });

const timeForms = 'ISO 8601; without an offset it is UTC.';

/** Whose entries, and through which gateways. */
const scope = {
  gateway_ids: z.string().max(10_000).optional().meta({ description: 'Separated by commas.' }),
  user_id: z.string().max(100).optional(),
};

const counts = (description: string) => z.record(z.string(), z.int()).meta({ description });

const LogStats = z
  .object({
    total_evaluations: z.int(),
    total_violations: z.int().meta({ description: 'Evaluations that blocked an action.' }),
    total_held: z.int().meta({
      description:
        'Those of `total_violations` that were held for a person’s approval, and not blocked for good.',
    }),
    total_allowed: z.int(),
    violations_last_day: z.int(),
    violations_last_hour: z.int(),
    unique_sessions: z.int().meta({ description: 'A session id counts once for each user.' }),
    active_sessions_last_hour: z.int(),
    violation_categories: counts('Category of the violated policy → blocking violations.'),
    threat_categories: counts('Threat category → blocked evaluations.'),
    approval_rate: z.number().meta({ description: 'total_allowed / total_evaluations; 0 before the first.' }),
    evaluations_last_hour: z.int(),
    evaluations_last_day: z.int(),
  })
  .meta({ id: 'LogStats' });

export const logOperations = {
  listLogs: defineOperation({
    method: 'GET',
    path: '/api/v1/logs',
    tag: 'Logs',
    summary: 'Evaluations, newest first, with statistics',
    description:
      'A member always sees their own entries alone, whatever `user_id` says; an administrator sees the tenant’s, or ' +
      'those of `user_id`. All statistics are of the entries that the filter lets through; those of the last hour and ' +
      'the last day are of that part of them. With `stats_only=true` the answer is `{stats, timestamp}`.',
    access: 'jwt',
    query: z.object({
      start_date: queryTime('start')
        .optional()
        .meta({ description: 'At or after. ' + timeForms }),
      end_date: queryTime('end')
        .optional()
        .meta({ description: 'At or before; a day counts to its end. ' + timeForms }),
      limit: queryInteger({ min: 0, max: 1_000_000_000, preset: 100 }).meta({ description: '0: no limit.' }),
      offset: queryInteger({ min: 0, max: 1_000_000_000, preset: 0 }),
      stats_only: queryBoolean(false),
      session_id: z.string().max(256).optional(),
      ...scope,
    }),
    response: z.object({
      logs: z.array(LogEntry).optional(),
      stats: LogStats,
      total: z.int().optional().meta({ description: 'Of all pages.' }),
      timestamp: isoTime(),
    }),
  }),
  listBlocked: defineOperation({
    method: 'GET',
    path: '/api/v1/logs/blocked',
    tag: 'Logs',
    summary: 'Evaluations that blocked an action, newest first',
    description: 'Without statistics. A member sees their own alone; an administrator the tenant’s.',
    access: 'jwt',
    query: z.object({
      start_date: queryTime('start')
        .optional()
        .meta({ description: 'At or after. ' + timeForms }),
      limit: queryInteger({ min: 1, max: 1000, preset: 100 }),
    }),
    response: z.object({ logs: z.array(LogEntry) }),
  }),
  getLog: defineOperation({
    method: 'GET',
    path: '/api/v1/logs/{log_id}',
    tag: 'Logs',
    summary: 'One evaluation, with why it ended as it did',
    description: 'A member sees their own alone; an administrator the tenant’s. Others: 404.',
    access: 'jwt',
    params: z.object({ log_id: z.string() }),
    response: LogDetail,
    errors: [404],
  }),
  listLogHours: defineOperation({
    method: 'GET',
    path: '/api/v1/logs/hours',
    tag: 'Logs',
    summary: 'Evaluations and blocked actions, hour by hour',
    description:
      'Every hour is there, those without an evaluation too; the last one is still going on. A member always sees their ' +
      'own alone; an administrator sees the tenant’s, or those of `user_id`.',
    access: 'jwt',
    query: z.object({ hours: queryInteger({ min: 1, max: 168, preset: 24 }), ...scope }),
    response: z
      .object({
        hours: z.array(
          z
            .object({
              hour: isoTime().meta({ description: 'Its first moment.' }),
              evaluations: z.int(),
              violations: z.int().meta({ description: 'Evaluations that blocked an action.' }),
              held: z.int().meta({ description: 'Those of them that were held for a person’s approval.' }),
              latency_ms_avg: z.number().nullable().meta({ description: 'Null where it was not kept.' }),
            })
            .meta({ id: 'LogHour' }),
        ),
        timestamp: isoTime(),
      })
      .meta({ id: 'LogHours' }),
  }),
};
