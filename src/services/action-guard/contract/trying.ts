import { z } from 'zod';
import { isoTime } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { ruleText } from './policies.ts';
import { reading, refineSource, RuleForm } from './rule-form.ts';
import { SessionHistory } from './trace.ts';

const outcome = z.enum(['block', 'ask', 'warn', 'allow']).meta({
  description: '`warn`: the rule is likely broken, which does not block by itself.',
});

const call = {
  tool_name: z.string(),
  tool_params: z.record(z.string(), z.unknown()),
  outcome,
  reason: z.string().optional().meta({ description: 'What in the call breaks the rule.' }),
};

const LoggedCall = z
  .object({
    ...call,
    log_id: z.string(),
    session_id: z.string(),
    timestamp: isoTime(),
    was_allowed: z.boolean(),
  })
  .meta({ id: 'TriedLoggedCall' });

const TriedNeighbour = z
  .object({ ...call, change: z.string().meta({ description: 'What is different from `example`.' }) })
  .meta({ id: 'TriedNeighbour' });

export const tryOperations = {
  tryRule: defineOperation({
    method: 'POST',
    path: '/api/v1/policies/rules/try',
    tag: 'Rules',
    summary: 'What a rule would have done, before it is saved',
    description:
      'Judges the latest logged actions by the rule alone, and calls that differ from an example in one value. A member ' +
      'tries it on their own actions, an administrator on those of the tenant. The log keeps calls, not what came before ' +
      'them, and whom the agent acted for only where `action_guard.log_traces` does: predicates in `not_tried` look at more ' +
      'than the call. No language model takes part, and nothing is stored.',
    access: 'jwt_or_key',
    body: z
      .object({
        text: ruleText().optional(),
        rule: RuleForm.nullish(),
        days: z.int().min(1).max(31).default(7).meta({ description: 'How far back.' }),
        most: z
          .int()
          .min(1)
          .max(5000)
          .default(1000)
          .meta({ description: 'How many logged actions, newest first.' }),
        trace: SessionHistory.shape.trace.meta({
          description: 'Its last `agent` step is judged with all before it, and is the example.',
        }),
      })
      .superRefine(refineSource)
      .meta({ id: 'TryRuleRequest' }),
    response: z
      .object({
        ...reading,
        logged: z.object({
          tried: z.int(),
          skipped: z.int().meta({ description: 'Logged without all of their parameters.' }),
          blocked: z.int(),
          asked: z.int(),
          warned: z.int(),
          allowed: z.int(),
          more: z.boolean().meta({ description: 'There are older ones in these days.' }),
          broken: z
            .array(LoggedCall)
            .meta({ description: 'Those that break the rule, newest first, at most 100.' }),
          kept: z.array(LoggedCall).meta({ description: 'Allowed ones that come near, at most 20.' }),
        }),
        example: z
          .object({ ...call, from: z.enum(['trace', 'log', 'rule']) })
          .optional()
          .meta({
            description:
              'What was sent, else a logged call that breaks the rule, else one made from the rule.',
          }),
        neighbours: z.array(TriedNeighbour),
        not_tried: z.array(z.string()).meta({
          description: 'Predicates that look at more than a call: earlier steps, the user, counts.',
        }),
      })
      .meta({ id: 'TriedRule' }),
  }),
} as const;
