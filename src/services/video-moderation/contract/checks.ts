import { z } from 'zod';
import { defineOperation } from '#base/contract/operation.ts';
import { Coverage, CoveredBy, Finding, flags, Note, probs, Sampling } from './fields.ts';

const tag = 'Videos';

const seconds = () => z.number().min(0);

const Frame = z
  .object({
    timestamp_seconds: seconds(),
    categories: flags(),
    probs: probs(),
    is_extra: z.boolean().meta({ description: 'Sampled in addition, close to a first hit.' }),
    thumbnail: z.string().optional().meta({
      description: 'A PNG as a data URI; of flagged frames, where thumbnails are asked for.',
    }),
  })
  .meta({ id: 'VideoFrame' });

const Clip = z
  .object({
    start_seconds: seconds(),
    end_seconds: seconds(),
    categories: flags(),
    probs: probs(),
  })
  .meta({ id: 'VideoClip' });

export const VideoResult = z
  .object({
    flag: z.boolean().meta({ description: 'Whether any frame or clip is flagged.' }),
    duration_seconds: seconds(),
    summary: z.object({ categories: flags(), probs: probs() }).meta({
      description: 'The worst case over the video.',
    }),
    frames: z.array(Frame),
    clips: z.array(Clip),
    latency_ms: z.number(),
    coverage: Coverage,
    covered_by: CoveredBy,
    findings: z.array(Finding).meta({ description: 'What detectors saw, strongest first; 200 at most.' }),
    notes: z.array(Note),
    media: z
      .object({
        container: z.string(),
        codec: z.string(),
        width: z.int(),
        height: z.int(),
        frame_rate: z.number().nullable(),
        size_bytes: z.int(),
        has_audio: z.boolean(),
        subtitle_streams: z.int(),
      })
      .meta({ id: 'VideoMedia' }),
    deployment_id: z.string().nullable().meta({ description: 'Null: the preset of this installation.' }),
  })
  .meta({ id: 'VideoResult' });

const options = {
  sampling: Sampling.prefault({}),
  deployment_id: z.string().min(1).max(100).optional().meta({
    description: 'Categories, thresholds and detectors to use; default: the preset of this installation.',
  }),
  thumbnails: z
    .boolean()
    .default(false)
    .meta({ description: 'Add a small picture of each flagged frame, 40 at most.' }),
};

const VideoRequest = z
  .object({
    video_url: z
      .string()
      .min(1)
      .max(8192)
      .optional()
      .meta({ description: 'Address of an MP4, WebM or MOV file. Exactly one of the two must be there.' }),
    video_b64: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'The file in base64, for short clips: 25 MB decoded.' }),
    ...options,
  })
  .meta({ id: 'VideoRequest' });

/** Of a form, where everything is text. */
const UploadOptions = z.object({
  fps: z.coerce.number().pipe(Sampling.shape.fps.unwrap()).optional(),
  clip_seconds: z.coerce.number().pipe(Sampling.shape.clip_seconds.unwrap()).optional(),
  deployment_id: options.deployment_id,
  thumbnails: z.stringbool().default(false),
});

const limits =
  'Larger or longer than the limits of this installation: 413. No MP4, WebM or MOV, or a codec that is not read: 415. A ' +
  'broken file, or an address that must not be contacted: 422. Too many videos at once: 429. An address that cannot be ' +
  'reached: 502; the decoder is not installed: 503; too slow, the address or the analysis: 504.';

const asEvents =
  'Server-sent events: `progress` `{analyzed_seconds, duration_seconds}`, `finding` as in the result, then `result`, or ' +
  '`failed` `{status, detail}`. What is wrong with the request itself is answered by its status.';

export const checkOperations = {
  moderateVideo: defineOperation({
    method: 'POST',
    path: '/api/videomoderation',
    tag,
    summary: 'Judges a video by its address or its content',
    description: limits,
    access: 'jwt_or_key',
    body: VideoRequest,
    response: VideoResult,
    errors: [404, 413, 415, 502, 503, 504],
  }),
  watchVideo: defineOperation({
    method: 'POST',
    path: '/api/videomoderation/progress',
    tag,
    summary: 'The same, with progress while it is judged',
    description: asEvents,
    access: 'jwt_or_key',
    body: VideoRequest,
    response: z.string(),
    contentType: 'text/event-stream',
    errors: [404, 413, 503],
  }),
  uploadVideo: defineOperation({
    method: 'POST',
    path: '/api/videomoderation/files',
    tag,
    summary: 'The same for a file that is uploaded as a form',
    description: asEvents,
    access: 'jwt_or_key',
    form: true,
    body: UploadOptions.extend({ file: z.file() }).meta({ id: 'VideoUpload' }),
    response: z.string(),
    contentType: 'text/event-stream',
    errors: [404, 413, 503],
  }),
};
