import { z } from 'zod';
import { isoTime, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { Held } from './approvals.ts';
import { BlockingConfig, BlockingMode } from './blocking.ts';
import { Severity, ThreatCategory } from './severity.ts';
import { SessionHistory } from './trace.ts';

const Detail = z
  .object({
    rule_id: z.string().meta({ example: 'rul_…' }),
    rule_key: z.string().meta({ description: 'The rule’s key in its policy.' }),
    description: z.string(),
    severity: Severity,
    category: z.string().meta({ description: 'The policy’s category.' }),
    policy_set: z.string().meta({ description: 'The policy set’s name.' }),
    policy_id: z.string(),
    policy_name: z.string(),
    action: z.enum(['deny', 'ask', 'allow']).meta({
      description: '`deny` blocks; `ask` blocks until a person confirms; `allow` is a warning.',
    }),
    notify_emails: z.array(z.string()),
    confidence: z.number().meta({ description: '0.0 to 1.0.' }),
    certainty: z.enum(['sure', 'grey']).meta({
      description: '`grey`: likeness or weak evidence; it warns and never blocks by itself.',
    }),
    reason: z.string().meta({ description: 'What in the action breaks the rule.' }),
    threat_category: ThreatCategory,
    also: z
      .array(
        z
          .object({
            rule_id: z.string(),
            description: z.string(),
            policy_id: z.string(),
            policy_name: z.string(),
          })
          .meta({ id: 'AlsoBroken' }),
      )
      .optional()
      .meta({ description: 'Other rules that the same thing in the trace breaks.' }),
  })
  .meta({ id: 'ViolationDetail' });

const Verdict = z
  .object({
    allowed: z.boolean(),
    violations: z.array(z.string()).meta({ description: 'Blocking violations, in words.' }),
    warnings: z.array(z.string()).meta({ description: 'Violations that do not block, in words.' }),
    violations_detail: z.array(Detail),
    warnings_detail: z.array(Detail),
    violations_count: z.int(),
    warnings_count: z.int(),
    threat_category: ThreatCategory.meta({ description: '`none` when allowed.' }),
    explanation: z.string(),
    approval: Held.optional(),
    approved_by: z
      .array(z.string())
      .optional()
      .meta({ description: 'Who approved the call, where it is allowed for that reason.' }),
    blocking_mode: BlockingMode,
    blocking_metadata: z.object({
      blocking_mode: BlockingMode,
      blocking_level: Severity,
      blocking_threshold: z.number(),
      highest_violation_severity: Severity.nullable().meta({
        description: 'Of all rules that are surely violated, blocking or not; null when none is.',
      }),
      violated_share: z.number().meta({ description: 'Violated rules / `total_enabled_rules`.' }),
      engine: z.string().meta({ description: 'Version of the engine that judged.' }),
    }),
    session_id: z.string(),
    timestamp: isoTime(),
    service_status: z.enum(['ok', 'degraded']).meta({
      description: '`degraded`: the language model did not answer and the embedded engine judged alone.',
    }),
    user_id: z.string(),
    observation: z.string().meta({ description: 'What the user asked for, in short.' }),
    action: z.string().meta({ description: 'The action that was judged.' }),
    facts: z.array(z.string()).meta({ description: 'What was seen in the trace.' }),
    not_read: z
      .array(
        z.object({
          what: z.enum(['text', 'values', 'command', 'code', 'folder', 'number']).meta({
            description:
              '`text`: the middle of a long text; `values`: arguments that are too many or lie too deep; `command`: part of a command line; `code`: a program that it runs; `folder`: which folder it changes; `number`: what should be a number.',
          }),
          path: z.string().meta({ description: 'Where among the arguments; of several the first.' }),
          size: z.int().meta({ description: 'Characters of the text or the command line, else values.' }),
          read: z.int().meta({ description: 'How much of it was read.' }),
        }),
      )
      .optional()
      .meta({
        description:
          'What of the action was not read, where that is so. Rules that it may break hold the action for a person.',
      }),
    fast_mode: z.boolean(),
    trial: z.literal(true).optional().meta({ description: 'Set for a trial.' }),
    total_enabled_rules: z.int(),
    rules_not_understood: z
      .array(
        z
          .object({
            rule_id: z.string(),
            rule_key: z.string(),
            description: z.string(),
            policy_id: z.string(),
            policy_name: z.string(),
          })
          .meta({ id: 'RuleNotUnderstood' }),
      )
      .optional()
      .meta({
        description:
          'Enabled rules of which nothing was understood, at most 20: they are compared with the action by words and may ' +
          'only warn. Rules that were understood in part and that nobody has confirmed ask where the action may be meant.',
      }),
    active_policies: z.array(z.string()).meta({ description: 'Names of the enabled policies.' }),
  })
  .meta({ id: 'ActionVerdict' });

export const evaluateOperations = {
  guardActions: defineOperation({
    method: 'POST',
    path: '/api/v1/guard_actions',
    tag: 'Evaluation',
    summary: 'Judge an agent’s action by a policy set',
    description:
      'The last `agent` step of the trace is judged in the light of all before it. Every user and API key of the tenant ' +
      'may ask its policy sets, and the built-in set `agp_default`; to other tenants a set does not exist (404). ' +
      'One log entry is written, and is durable before the answer comes.',
    access: 'jwt_or_key',
    body: z
      .object({
        session_history: SessionHistory,
        session_id: storedText({ min: 1, max: 256 }),
        policy_id: z
          .string()
          .min(1)
          .max(100)
          .meta({ description: 'The policy set.', example: 'agp_default' }),
        fast_mode: z
          .boolean()
          .nullish()
          .meta({ description: 'Less of the history, less certainty. Default false.' }),
        call_id: storedText({ min: 1, max: 128 })
          .nullish()
          .meta({
            description:
              'The caller’s id of this call. A call that is judged twice with the same id is one call: an approval is used ' +
              'up by one. Default: each request is a call.',
          }),
        hold: z
          .enum(['always', 'checked', 'never'])
          .nullish()
          .meta({
            description:
              'Whether a call that lacks nothing but an approval is kept for a person to decide. `checked`: only where a ' +
              'rule wants the approval of a role or of another person, for callers that ask whoever is signed in ' +
              'themselves otherwise. Default `always`.',
          }),
        trial: z
          .boolean()
          .nullish()
          .meta({
            description:
              'A trial, as in a playground: judged like any other, but not logged, not counted by statistics and rules, and told ' +
              'to nobody; approvals are neither asked for nor used. For access tokens only (403). Default false.',
          }),
        blocking_config: BlockingConfig.nullish().meta({
          description: 'Overrides the policy set’s for this call, field by field.',
        }),
      })
      .meta({ id: 'GuardActionsRequest' }),
    response: Verdict,
    errors: [403, 404],
  }),
};
