import { z } from 'zod';
import { isoTime, storedText, unitInterval } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { Deleted } from './policies.ts';

/** Examples of one policy in one adaptation. */
export const fewestExamples = 8;
export const mostExamples = 500;
/** Examples of all policies together, and their characters. */
export const mostExamplesTogether = 5_000;
export const mostCharactersTogether = 2_000_000;
/** Maximum adaptations of a guard. */
export const mostAdaptations = 20;

const tag = 'Adaptations';
const number = (count: number) => count.toLocaleString('en');

const groupUuidOfPolicy = () =>
  z.string().min(1).max(100).meta({ description: 'Needed where two groups of the guard have the name.' });

const ExampleInput = z
  .object({
    text: storedText({ min: 1, max: 8_000 }).meta({
      description: 'As it is sent to the guard. At most 8,000 characters.',
    }),
    policy: z
      .string()
      .min(1)
      .max(255)
      .meta({ description: 'The name of an enabled policy in one of the guard’s groups, built-in or own.' }),
    policy_group_uuid: groupUuidOfPolicy().optional(),
    label: z.boolean().meta({ description: 'Whether the text violates the policy.' }),
  })
  .meta({ id: 'AdaptationExampleInput' });

const Measures = z
  .object({
    f1: unitInterval().meta({ description: 'At the guard’s threshold and strictness.' }),
    recall: unitInterval(),
    false_positive_rate: unitInterval(),
    auroc: unitInterval().meta({
      description:
        'Area under the receiver operating curve; 0.5 is chance. The threshold does not matter to it.',
    }),
  })
  .meta({ id: 'AdaptationMeasures' });

const adaptation = {
  adaptation_id: z.string(),
  version: z.int().meta({ description: 'Counts up in each guard, from 1.' }),
  policies: z.array(
    z
      .object({
        policy: z.string().meta({ description: 'Its name when the adaptation was made.' }),
        policy_group_uuid: z.string(),
        policy_group_name: z.string().nullable(),
        examples: z.int().meta({ description: 'How many it has learned from.' }),
        before: Measures.meta({ description: 'On the same examples, without any adaptation.' }),
        after: Measures.nullable().meta({
          description:
            'By cross-validation in up to five folds: each example is judged by what was learned from the others. ' +
            'Null where there is only one example of a kind.',
        }),
      })
      .meta({ id: 'AdaptedPolicy' }),
  ),
  active: z.boolean().meta({ description: 'Whether the guard judges by it now.' }),
  created_at: isoTime(),
};

const Adaptation = z.object(adaptation).meta({ id: 'Adaptation' });

const AdaptationDetail = z
  .object({
    ...adaptation,
    examples: z.array(
      z
        .object({ text: z.string(), policy: z.string(), policy_group_uuid: z.string(), label: z.boolean() })
        .meta({ id: 'AdaptationExample' }),
    ),
  })
  .meta({ id: 'AdaptationDetail' });

const ofGuard = z.object({ guard_uuid: z.string().min(1).max(100) });
const one = z.object({
  guard_uuid: z.string().min(1).max(100),
  adaptation_id: z.string().min(1).max(100),
});

const whose =
  'For the owner of the guard and administrators; one that is only shared with the caller answers 403, any other 404.';

/** Teaching a guard by examples of its own traffic. */
export const adaptationOperations = {
  createAdaptation: defineOperation({
    method: 'POST',
    path: '/api/guards/{guard_uuid}/adaptations',
    tag,
    summary: 'Adapt a guard to labelled examples',
    description:
      'Learns a correction of each policy named in the examples, upon what it has learned from exemplars and from the ' +
      'optimisation lab, built-in detectors and own policies alike, and says ' +
      `how much it helps. Each policy needs ${fewestExamples}–${mostExamples} different texts (case and white space apart) with at least one of each ` +
      `label; ${number(mostExamplesTogether)} examples and ${number(mostCharactersTogether)} characters together. The same ` +
      'text with both labels for one policy: 422. The guard judges by it at once, unless `activate` is false; other ' +
      'guards on the same groups do not. It replaces the adaptation that was active, which is kept and can be ' +
      `activated again. ${number(mostAdaptations)} are kept; one more: 409. The examples are stored, so that the guard ` +
      `can learn from them again when the engine changes, until the adaptation is deleted. ${whose}`,
    access: 'jwt',
    params: ofGuard,
    body: z
      .object({
        examples: z
          .array(ExampleInput)
          .max(mostExamplesTogether)
          .meta({ description: 'At least one, unless `include_labels` is true.' }),
        include_labels: z
          .boolean()
          .default(false)
          .meta({
            description:
              'Learn from the labelled queries of the guard too (POST /api/queries/{query_id}/label); a text that is sent ' +
              'has its label from here. Policies that the guard no longer has are left out.',
          }),
        extend: z
          .boolean()
          .default(false)
          .meta({
            description:
              'Learn from the examples of the active adaptation too; a text that is sent again has its new label. ' +
              'Policies that the guard no longer has are left out.',
          }),
        activate: z.boolean().default(true).meta({ description: 'Judge by it at once.' }),
      })
      .refine(({ examples, include_labels }) => include_labels || examples.length > 0, {
        path: ['examples'],
        error: 'must have at least 1 item, unless include_labels is true',
      })
      .meta({ id: 'AdaptationRequest' }),
    status: 201,
    response: Adaptation,
    errors: [403, 404, 409],
  }),
  listAdaptations: defineOperation({
    method: 'GET',
    path: '/api/guards/{guard_uuid}/adaptations',
    tag,
    summary: 'The adaptations of a guard, newest first',
    description: whose,
    access: 'jwt',
    params: ofGuard,
    response: z.object({ adaptations: z.array(Adaptation), total: z.int() }).meta({ id: 'AdaptationList' }),
    errors: [403, 404],
  }),
  getAdaptation: defineOperation({
    method: 'GET',
    path: '/api/guards/{guard_uuid}/adaptations/{adaptation_id}',
    tag,
    summary: 'One adaptation, with its examples',
    description: whose,
    access: 'jwt',
    params: one,
    response: AdaptationDetail,
    errors: [403, 404],
  }),
  activateAdaptation: defineOperation({
    method: 'POST',
    path: '/api/guards/{guard_uuid}/adaptations/{adaptation_id}/activate',
    tag,
    summary: 'Judge by this adaptation',
    description: `An older one too; nothing is retrained. The guard’s \`version\` rises. ${whose}`,
    access: 'jwt',
    params: one,
    response: Adaptation,
    errors: [403, 404],
  }),
  deactivateAdaptation: defineOperation({
    method: 'DELETE',
    path: '/api/guards/{guard_uuid}/adaptations/active',
    tag,
    summary: 'Judge without adaptation',
    description: `The adaptation itself is kept. ${whose}`,
    access: 'jwt',
    params: ofGuard,
    response: Deleted,
    errors: [403, 404],
  }),
  deleteAdaptation: defineOperation({
    method: 'DELETE',
    path: '/api/guards/{guard_uuid}/adaptations/{adaptation_id}',
    tag,
    summary: 'Delete an adaptation with its examples',
    description: `409 while the guard judges by it: activate another first, or none. ${whose}`,
    access: 'jwt',
    params: one,
    response: Deleted,
    errors: [403, 404, 409],
  }),
};
