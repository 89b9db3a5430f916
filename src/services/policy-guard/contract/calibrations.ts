import { z } from 'zod';
import { isoTime, queryInteger, storedText } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';

const tag = 'Judge calibrations';

/** With fewer labelled examples nothing can be fitted. */
export const fewestExamples = 20;
const mostExamples = 500;

const Calibration = z
  .object({
    calibration_id: z.string(),
    policy: z.string().meta({ description: 'The policy’s name when it was made.' }),
    model: z.string(),
    prompt_version: z.int(),
    version: z.int().meta({ description: 'Counts up for each policy text and model, from 1.' }),
    in_force: z.boolean(),
    method: z.enum(['platt', 'temperature', 'contextual']).meta({
      description:
        '`platt` from 50 examples on, `temperature` with fewer, `contextual` without any: by texts that say nothing.',
    }),
    temperature: z.number(),
    bias: z.number().meta({ description: 'p′ = sigmoid((logit p − bias) / temperature).' }),
    examples: z.int(),
    error_before: z.number().nullable().meta({
      description: 'Expected calibration error on the examples, 0..1; null without examples.',
    }),
    error_after: z.number().nullable(),
    created_at: isoTime(),
  })
  .meta({ id: 'JudgeCalibration' });

const params = z.object({ calibration_id: z.string().min(1).max(100) });
const whoMay =
  'For administrators of the tenant, since policies of the same text share it. Kept for the text of the policy, the ' +
  'model and the prompt: another of these begins without.';

export const calibrationOperations = {
  createCalibration: defineOperation({
    method: 'POST',
    path: '/api/judge/calibrations',
    tag,
    summary: 'Calibrate the language model for a policy',
    description:
      `The model judges the examples now, and what it says is fitted to what is so; in force at once. ${whoMay} ` +
      '409 where no language model is configured, 502 where it does not answer.',
    access: 'jwt',
    body: z
      .object({
        policy_group_uuid: z.string().min(1).max(100),
        policy_id: z.string().min(1).max(100),
        examples: z
          .array(z.object({ text: storedText({ min: 1, max: 8000 }), violates: z.boolean() }))
          .max(mostExamples)
          .default([])
          .meta({
            description: `None, or ${fewestExamples}–${mostExamples} with both kinds among them.`,
          }),
      })
      .meta({ id: 'JudgeCalibrationCreate' }),
    status: 201,
    response: Calibration,
    errors: [403, 404, 409, 502, 504],
  }),
  listCalibrations: defineOperation({
    method: 'GET',
    path: '/api/judge/calibrations',
    tag,
    summary: 'Calibrations of the caller’s tenant, newest first',
    access: 'jwt',
    query: z.object({
      limit: queryInteger({ min: 1, max: 1000, preset: 100 }),
      offset: queryInteger({ min: 0, max: 1_000_000, preset: 0 }),
    }),
    response: z
      .object({ calibrations: z.array(Calibration), total: z.int() })
      .meta({ id: 'JudgeCalibrationList' }),
  }),
  activateCalibration: defineOperation({
    method: 'POST',
    path: '/api/judge/calibrations/{calibration_id}/activate',
    tag,
    summary: 'Put a calibration in force in the place of others for the same',
    description: whoMay,
    access: 'jwt',
    params,
    response: Calibration,
    errors: [403, 404],
  }),
  deactivateCalibration: defineOperation({
    method: 'POST',
    path: '/api/judge/calibrations/{calibration_id}/deactivate',
    tag,
    summary: 'Judge without a calibration again',
    description: whoMay,
    access: 'jwt',
    params,
    response: Calibration,
    errors: [403, 404],
  }),
};
