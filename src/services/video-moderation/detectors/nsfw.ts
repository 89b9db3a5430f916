/** The embedded image model for sexual content: `data/models/nsfw.onnx`, see the card in `data/models/README.md`. */
import { join } from 'node:path';
import { embeddedCovering } from '#engine/video/coverage.ts';
import { sampleSize } from '../decoding/decode.ts';
import type { FrameDetector } from './detector.ts';
import type { ModelSpec, ModelThreads } from './model-threads.ts';

const spec: ModelSpec = {
  path: join(import.meta.dirname, '../../../../data/models/nsfw.onnx'),
  input: { ...sampleSize, layout: 'bytes', channels: 'rgb', scale: 1, mean: [0, 0, 0], std: [1, 1, 1] },
  output: { activation: 'none', temperature: 1 },
};

/** In the order of the model’s outputs. */
const classes = ['drawing', 'hentai', 'neutral', 'porn', 'sexy'] as const;

/** `sexy` is what the training data calls clothed and suggestive; it is harmless in most places, and not counted. */
const sexual = (outputs: readonly number[]): number =>
  Math.min(1, (outputs[classes.indexOf('hentai')] ?? 0) + (outputs[classes.indexOf('porn')] ?? 0));

export const createNsfw = (threads: ModelThreads): FrameDetector => ({
  name: 'nsfw',
  covering: embeddedCovering.filter(({ detector }) => detector === 'nsfw'),
  async detect(pictures, signal) {
    const outputs = await threads.run(spec, pictures, signal);
    return outputs.map((each) => ({ Sexual: sexual(each) }));
  },
});
