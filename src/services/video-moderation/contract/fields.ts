import { z } from 'zod';
import { unitInterval } from '#base/contract/fields.ts';
import { coverageLevels, detectorNames } from './names.ts';

export const presetFps = 1;
export const presetClipSeconds = 4;

export const Sampling = z
  .object({
    fps: z.number().min(0.05).max(30).default(presetFps).meta({
      description: 'Frames for each second of video that are analysed one by one.',
    }),
    clip_seconds: z.number().min(0.5).max(60).default(presetClipSeconds).meta({
      description: 'Length of a clip; clips follow each other without overlap.',
    }),
  })
  .meta({
    id: 'Sampling',
    description: 'By time, never by key frames alone: whoever uploads a video chooses those.',
  });

/** A category of ours, or one of a deployment. */
export const categoryId = () =>
  z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,63}$/, 'must be a letter, then letters, digits or _, 64 at most');

export const probs = () =>
  z.record(z.string(), unitInterval()).meta({
    description: 'Category → the strongest probability, as detected, before corroboration.',
  });

export const flags = () =>
  z.record(z.string(), z.boolean()).meta({
    description:
      'Category → whether it is flagged: its threshold is reached in two of three neighbouring samples, or once with ' +
      'a probability of .95 or more.',
  });

const level = z.enum(coverageLevels).meta({
  description:
    '`model`: a model looks for it; `heuristic`: a rule or measurement; `text`: only in words, in the picture or in ' +
    'subtitles; `none`: nothing looks for it, so its probability of 0 means nothing.',
});

export const Coverage = z.record(z.string(), level).meta({
  id: 'VideoCoverage',
  description: 'Category → the strongest way in which it was looked for in this very video.',
});

export const CoveredBy = z
  .record(
    z.string(),
    z.array(z.object({ detector: z.enum(detectorNames), level, note: z.string().optional() })),
  )
  .meta({ id: 'VideoCoveredBy', description: 'Category → the detectors that looked for it.' });

export const Finding = z
  .object({
    category: z.string(),
    detector: z.enum(detectorNames),
    level,
    start_seconds: z.number(),
    end_seconds: z.number(),
    probability: unitInterval(),
    explanation: z.string().meta({ description: 'A sentence for people.' }),
  })
  .meta({ id: 'VideoFinding' });

export const Note = z
  .object({
    code: z.string().meta({ description: 'Such as `audio_not_judged`.' }),
    message: z.string(),
  })
  .meta({ id: 'VideoNote', description: 'Something that was not looked at, or not as well as it could be.' });
