import { z } from 'zod';
import { isoTime, storedText, unitInterval } from '#base/contract/fields.ts';
import { defineOperation } from '#base/contract/operation.ts';
import { ownerFilter, userName, visibilityField } from '#identity/contract/sharing.ts';
import { categoryId, Coverage, CoveredBy } from './fields.ts';
import { detectorNames } from './names.ts';

const tag = 'Deployments';
const byId = z.object({ deployment_id: z.string().min(1).max(100) });

const on = (preset: boolean, description: string) =>
  z
    .object({ enabled: z.boolean().default(preset) })
    .prefault({})
    .meta({ description });

const CategorySettings = z
  .object({
    id: categoryId().meta({ description: 'One of the eleven that ship with us, or a name of your own.' }),
    threshold: unitInterval().default(0.5),
    description: storedText({ max: 2000 }).default('').meta({
      description:
        'What belongs to it, in sentences: vision models and the policy guard judge by it. Needed for a category of your own.',
    }),
  })
  .meta({ id: 'VideoCategory' });

const labels = z
  .record(storedText({ min: 1, max: 200 }), categoryId())
  .refine((map) => Object.keys(map).length <= 200, { error: 'must have at most 200 entries' });

export const DetectorSettings = z
  .object({
    nsfw: on(true, 'The embedded image model for sexual content.'),
    flash: on(true, 'Flashes that can trigger seizures, by the rule of WCAG 2.2 (general and red).'),
    heuristics: on(
      true,
      'Bursts of motion, flickering fire and storms of cuts; their probabilities are capped, as they are only hints.',
    ),
    text: z
      .object({
        enabled: z.boolean().default(true),
        guard_uuid: z.string().min(1).max(100).nullable().default(null).meta({
          description: 'A guard that judges the words; null: policies made from the categories.',
        }),
        policies: labels.default({}).meta({
          description: 'Policy of the guard → category; those of the built-in group are known.',
        }),
        languages: z
          .array(z.string().regex(/^[a-z_]{2,20}$/, 'must be the code of a language, such as eng'))
          .min(1)
          .max(8)
          .default(['eng'])
          .meta({ description: 'Languages of text in the picture, by the codes of Tesseract.' }),
        every_seconds: z.number().min(0.5).max(60).default(2),
      })
      .prefault({})
      .meta({ description: 'Words in the picture are read, and judged by the policy guard.' }),
    subtitles: on(true, 'Subtitles in the file are judged by the policy guard.'),
    metadata: on(true, 'Marks of generated content in the container: C2PA, generator tags.'),
    vision: z
      .object({
        enabled: z.boolean().default(true),
        clips: z.enum(['uncertain', 'all']).default('uncertain'),
        random_share: unitInterval().default(0.02).meta({ description: 'Of clips that are not uncertain.' }),
        heartbeat_seconds: z.number().min(1).max(3600).default(30).meta({
          description: 'At least one clip in this time, whatever the others say.',
        }),
        max_calls: z.int().min(0).max(1000).default(20).meta({ description: 'Requests for one video.' }),
      })
      .prefault({})
      .meta({
        description: 'A vision language model, where one is configured (`video_moderation.vision_model`).',
      }),
    onnx: z
      .object({
        model: storedText({ min: 1, max: 200 }).nullable().default(null).meta({
          description:
            'Name of a folder in `video_moderation.models_folder` with model.onnx and labels.json.',
        }),
      })
      .prefault({}),
    http: z
      .object({
        url: z.string().max(2048).nullable().default(null).meta({
          description: 'Address of a detector of your own; it gets frames as PNG and answers probabilities.',
        }),
        categories: z.array(categoryId()).max(100).default([]),
      })
      .prefault({}),
  })
  .meta({ id: 'VideoDetectors' });

const settings = {
  name: storedText({ min: 1, max: 200 }),
  categories: z.array(CategorySettings).min(1).max(100).optional().meta({
    description: 'Those that are judged; default: the eleven that ship with us.',
  }),
  detectors: DetectorSettings.prefault({}),
};

const DeploymentInput = z
  .object({ ...settings, visibility: visibilityField().default('private') })
  .meta({ id: 'VideoDeploymentInput' });

export const Deployment = z
  .object({
    deployment_id: z.string(),
    name: z.string(),
    categories: z.array(CategorySettings),
    detectors: DetectorSettings,
    visibility: visibilityField(),
    owner_id: z.string(),
    owner_name: userName(),
    created_at: isoTime(),
    updated_at: isoTime(),
  })
  .meta({ id: 'VideoDeployment' });

const Capabilities = z
  .object({
    deployment_id: z.string().nullable(),
    categories: z.array(CategorySettings),
    coverage: Coverage,
    covered_by: CoveredBy,
    detectors: z.array(
      z.object({
        detector: z.enum(detectorNames),
        available: z.boolean(),
        enabled: z.boolean(),
        message: z.string().meta({ description: 'What it is, or what is missing and how to add it.' }),
      }),
    ),
    decoder: z.object({
      available: z.boolean(),
      version: z.string().nullable(),
      sandbox: z.string().nullable().meta({ description: 'How the decoder is confined; null: it is not.' }),
      message: z.string(),
    }),
    limits: z.object({
      url_bytes: z.int(),
      url_seconds: z.int(),
      base64_bytes: z.int(),
      upload_bytes: z.int(),
      deadline_seconds: z.int(),
      streams_per_key: z.int(),
      streams: z.int(),
      session_seconds: z.int(),
      idle_seconds: z.int(),
    }),
    not_covered: z.array(z.string()).meta({ description: 'What no detector here looks at, in sentences.' }),
  })
  .meta({ id: 'VideoCapabilities' });

export const deploymentOperations = {
  getCapabilities: defineOperation({
    method: 'GET',
    path: '/api/videomoderation/capabilities',
    tag,
    summary: 'What is looked for, how, and what is not',
    access: 'jwt_or_key',
    query: z.object({ deployment_id: z.string().min(1).max(100).optional() }),
    response: Capabilities,
    errors: [404],
  }),
  listDeployments: defineOperation({
    method: 'GET',
    path: '/api/videomoderation/deployments',
    tag,
    summary: 'Deployments that the caller may use',
    access: 'jwt_or_key',
    query: z.object({ owner: ownerFilter('all') }),
    response: z.object({ deployments: z.array(Deployment), total: z.int() }),
  }),
  createDeployment: defineOperation({
    method: 'POST',
    path: '/api/videomoderation/deployments',
    tag,
    summary: 'Stores categories, thresholds and detectors under a name',
    access: 'jwt_or_key',
    body: DeploymentInput,
    status: 201,
    response: Deployment,
    errors: [404, 409],
  }),
  getDeployment: defineOperation({
    method: 'GET',
    path: '/api/videomoderation/deployments/{deployment_id}',
    tag,
    summary: 'One deployment',
    access: 'jwt_or_key',
    params: byId,
    response: Deployment,
    errors: [404],
  }),
  updateDeployment: defineOperation({
    method: 'PUT',
    path: '/api/videomoderation/deployments/{deployment_id}',
    tag,
    summary: 'Replaces its settings',
    access: 'jwt_or_key',
    params: byId,
    body: DeploymentInput,
    response: Deployment,
    errors: [403, 404, 409],
  }),
  deleteDeployment: defineOperation({
    method: 'DELETE',
    path: '/api/videomoderation/deployments/{deployment_id}',
    tag,
    summary: 'Deletes it; running streams keep the settings they began with',
    access: 'jwt_or_key',
    params: byId,
    response: z.object({ message: z.string() }),
    errors: [403, 404],
  }),
  testDetector: defineOperation({
    method: 'POST',
    path: '/api/videomoderation/detectors/test',
    tag,
    summary: 'Runs one detector on a test picture, to check its set-up',
    access: 'jwt_or_key',
    body: z
      .object({
        detector: z.enum(detectorNames),
        detectors: DetectorSettings.prefault({}).meta({ description: 'Settings to try, saved or not.' }),
      })
      .meta({ id: 'DetectorTest' }),
    response: z
      .object({
        ok: z.boolean(),
        message: z.string(),
        latency_ms: z.number(),
        probs: z.record(z.string(), z.number()),
      })
      .meta({ id: 'DetectorTestResult' }),
  }),
};
