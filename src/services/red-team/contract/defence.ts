import { z } from 'zod';
import { storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';

const tag = 'Defence';
const byId = z.object({ result_id: z.string().min(1).max(100) });
const outcome = z.enum(['block', 'ask', 'warn', 'allow']).meta({
  description: '`warn`: the rule is likely broken, which does not block by itself.',
});
const RuleForm = z.record(z.string(), z.unknown()).meta({
  id: 'DefenceRuleForm',
  description: 'A rule of the action guard as a form; see `POST /api/v1/policies/rules/draft` there.',
});

const JudgedCall = z
  .object({
    tool: z.string(),
    input: z.record(z.string(), z.json()),
    outcome,
    reason: z.string().nullable(),
  })
  .meta({ id: 'DefenceJudgedCall' });

const Proposal = z
  .object({
    rule: RuleForm,
    canonical: z.string().meta({ description: 'The rule as a sentence, which is enforced.' }),
    why: z.string(),
    attack: JudgedCall.meta({ description: 'What the rule says of the call that carried out the attack.' }),
    stops_attack: z.boolean().meta({ description: '`block` or `ask`.' }),
    twins: z
      .array(
        z.object({
          task_id: z.string(),
          title: z.string(),
          is_own: z.boolean().meta({ description: 'The same work without the attack.' }),
          calls: z.int(),
          stopped: z.array(JudgedCall),
        }),
      )
      .meta({ description: 'Harmless tasks with the same environments, each call of them tried.' }),
    own_work_stopped: z.array(JudgedCall).meta({
      description: 'Calls of the recorded session, before the attack, that the rule would have stopped.',
    }),
    spares_work: z.boolean().meta({ description: 'Nothing of the harmless work is stopped.' }),
    recommended: z.boolean().meta({ description: 'The first that stops the attack and spares the work.' }),
  })
  .meta({ id: 'DefenceProposal' });

export const Defence = z
  .object({
    result_id: z.string(),
    decisive: z
      .object({ step: z.int(), tool: z.string(), input: z.record(z.string(), z.json()) })
      .nullable()
      .meta({ description: 'The call that carried out the attack, by its place in the trajectory, from 1.' }),
    proposals: z.array(Proposal).meta({ description: 'Recommended ones first.' }),
    settings: z.array(z.object({ setting: z.string(), value: z.string(), why: z.string() })).meta({
      description: 'Settings of a gateway that look at where the attack came in. They are not tried here.',
    }),
    note: z.string().nullable().meta({ description: 'Why there is no proposal, or what was not tried.' }),
  })
  .meta({ id: 'Defence' });

export const defenceOperations = {
  defendResult: defineOperation({
    method: 'POST',
    path: '/api/results/{result_id}/defend',
    tag,
    summary: 'Offers rules of the action guard that would have stopped an attack that succeeded',
    description:
      'Each rule is tried by the action guard on the recorded trajectory, on the same work without the attack, and on other ' +
      'harmless tasks with the same environments. Nothing is stored.',
    access: 'jwt_or_key',
    params: byId,
    response: Defence,
    errors: [404, 409, 503],
  }),
  saveDefence: defineOperation({
    method: 'POST',
    path: '/api/results/{result_id}/defend/save',
    tag,
    summary: 'Saves a rule in a policy of the action guard',
    description:
      'In the policy `policy_id`, else in a new one. With `policy_set_id` the policy is attached to that set, so that gateways ' +
      'and applications that use it enforce the rule.',
    access: 'jwt_or_key',
    params: byId,
    body: z.object({
      rule: RuleForm,
      description: storedText({ min: 1, max: 2000 }).optional().meta({
        description: 'The rule in own words; default: its sentence.',
      }),
      severity: z.enum(['Low', 'Medium', 'High']).default('High'),
      policy_id: z.string().min(1).max(100).optional(),
      policy_name: storedText({ min: 1, max: 255 }).default('Found by red teaming'),
      policy_set_id: z.string().min(1).max(100).optional(),
    }),
    response: z
      .object({
        policy_id: z.string(),
        rule_key: z.string(),
        policy_set_id: z.string().nullable(),
        message: z.string(),
      })
      .meta({ id: 'SavedDefence' }),
    errors: [403, 404, 409, 503],
  }),
};
