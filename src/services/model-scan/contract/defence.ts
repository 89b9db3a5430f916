import { z } from 'zod';
import { storedText, unitInterval } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { scanId } from './fields.ts';

const tag = 'Defence';
const byTest = z.object({
  scan_id: scanId,
  number: z.coerce.number().int().min(1).max(2_147_483_647).meta({ description: 'Of the test.' }),
});

const place = () =>
  z.enum(['request', 'reply']).meta({
    description: 'What a guard with the policy is to judge: what users send, or what the model answers.',
  });
const strictness = () => z.enum(['low', 'medium', 'high']);
const activities = () => z.array(storedText({ min: 1, max: 1000 })).max(100);

/** A policy of the policy guard. */
const DefencePolicy = z
  .object({
    name: storedText({ min: 1, max: 255 }),
    description: storedText({ max: 10_000 }).default(''),
    block_activities: activities().default([]),
    safe_activities: activities().default([]),
  })
  .meta({ id: 'DefencePolicy' });

const Template = z
  .object({
    group_uuid: z.string().min(1).max(100),
    group_name: z.string().max(255).optional(),
    policy_id: z.string().min(1).max(255),
  })
  .meta({ id: 'DefenceTemplate', description: 'A policy of a template that ships with the policy guard.' });

const TriedText = z
  .object({
    number: z.int().nullable().meta({ description: 'The test in this scan; null if it has none.' }),
    case_id: z.string(),
    text: z.string().meta({ description: 'Its first 300 characters.' }),
    is_twin: z.boolean().meta({ description: 'Of the case with the same words and the opposite intent.' }),
    probability: z.number(),
  })
  .meta({ id: 'DefenceTriedText' });

const Proposal = z
  .object({
    place: place(),
    template: Template.nullable().meta({ description: 'Null for a policy that was written from the case.' }),
    policy: DefencePolicy,
    threshold: z.number(),
    strictness_level: strictness(),
    why: z.string(),
    probability: z.number().meta({ description: 'Of the recorded case, by the policy guard.' }),
    stops_case: z.boolean(),
    harmless: z
      .object({
        tried: z.int(),
        stopped: z.array(TriedText),
        twin: z.enum(['spared', 'stopped', 'none']).meta({
          description: 'The harmless twin of the case; `none`: it has none, or no reply of its own yet.',
        }),
      })
      .meta({ description: 'Harmless requests of the same data sets, or the replies to them.' }),
    alike: z
      .object({ tried: z.int(), stopped: z.int() })
      .meta({ description: 'Other failures of the scan in the same subcategory or under the same attack.' }),
    spares_harmless: z
      .boolean()
      .meta({ description: 'Something harmless was tried, and none of it is stopped.' }),
    recommended: z.boolean().meta({
      description: 'The first of those that stop the case and spare what is harmless.',
    }),
  })
  .meta({ id: 'ModelDefenceProposal' });

const Setting = z
  .object({
    setting: z.string(),
    value: z.record(z.string(), z.json()),
    why: z.string(),
    score_before: z.number().nullable(),
    score_after: z.number().nullable().meta({ description: 'Of the redacted reply, by the same judge.' }),
    harmless: z.object({ tried: z.int(), changed: z.int() }),
  })
  .meta({ id: 'ModelDefenceSetting' });

export const ModelDefence = z
  .object({
    scan_id: z.string(),
    number: z.int(),
    case_id: z.string(),
    proposals: z.array(Proposal).meta({ description: 'The best first.' }),
    settings: z
      .array(Setting)
      .meta({ description: 'Settings of a guard, tried on the recorded reply, which is judged again.' }),
    note: z.string().nullable().meta({ description: 'Why there is no proposal, or what was not tried.' }),
  })
  .meta({ id: 'ModelDefence' });

/** From a failure to a defence. */
export const defenceOperations = {
  defendResult: defineOperation({
    method: 'POST',
    path: '/v1/scan/{scan_id}/results/{number}/defend',
    tag,
    summary: 'Offers policies and settings of the policy guard that would have stopped a failed case',
    description:
      'For a test with 0 or 50 points. Shipped policies, and one written from the case, are tried by the policy guard on ' +
      'what was sent and on the reply, on the harmless twin of the case, on other harmless cases of the scan, and on other ' +
      'failures like it. The model under test is not asked, and nothing is stored. Another test: 400.',
    access: 'jwt_or_key',
    params: byTest,
    badRequestsAre400: true,
    response: ModelDefence,
    errors: [404, 503],
  }),
  saveDefence: defineOperation({
    method: 'POST',
    path: '/v1/scan/{scan_id}/results/{number}/defend/save',
    tag,
    summary: 'Saves a proposed policy in a policy group of the caller',
    description:
      'A proposal as it is, or a `policy` that was edited without `template`. The group has this policy alone, with the ' +
      'threshold given. With `guard_uuid` it is attached to that guard, which enforces it from then on. Saving the same policy for ' +
      'the same test again gives the group that there is.',
    access: 'jwt',
    keyScope: 'policies',
    params: byTest,
    body: z
      .object({
        place: place(),
        template: Template.nullish(),
        policy: DefencePolicy.nullish(),
        threshold: unitInterval().default(0.5),
        strictness_level: strictness().default('medium'),
        group_name: storedText({ min: 1, max: 255 })
          .refine((name) => name.trim() !== '', { error: 'must not be blank' })
          .optional()
          .meta({ description: 'Default: the name of the policy.' }),
        guard_uuid: z.string().min(1).max(100).optional(),
      })
      .meta({ id: 'ModelDefenceToSave' }),
    badRequestsAre400: true,
    response: z
      .object({
        group_uuid: z.string(),
        policy_id: z.string(),
        guard_uuid: z.string().nullable(),
        created: z.boolean().meta({ description: 'False where the group was there already.' }),
        message: z.string(),
      })
      .meta({ id: 'SavedModelDefence' }),
    errors: [403, 404, 503],
  }),
};
