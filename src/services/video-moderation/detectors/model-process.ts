/** Runs image models in a process of their own: loading one and each inference block the event loop. Ends with ours. */
import { readFile } from 'node:fs/promises';
import * as ort from 'onnxruntime-web/wasm';
import { serveQuestions } from './helper-process.ts';
import type { ModelAnswer, ModelQuestion, ModelSpec } from './model-processes.ts';

ort.env.wasm.numThreads = 1;
ort.env.logLevel = 'error';

const sessions = new Map<string, Promise<ort.InferenceSession>>();

function sessionOf({ path }: ModelSpec): Promise<ort.InferenceSession> {
  const known =
    sessions.get(path) ??
    readFile(path).then((bytes) =>
      ort.InferenceSession.create(bytes, { executionProviders: ['wasm'], graphOptimizationLevel: 'all' }),
    );
  sessions.set(path, known);
  return known;
}

/** Nearest neighbour within a grid that is sampled twice in each direction: fast, and good enough for a small change of size. */
function resized(rgb: Uint8Array, from: ModelQuestion['size'], to: ModelQuestion['size']): Uint8Array {
  if (from.width === to.width && from.height === to.height) return rgb;
  const out = new Uint8Array(to.width * to.height * 3);
  for (let y = 0; y < to.height; y += 1) {
    const top = Math.min(from.height - 1, Math.floor(((y + 0.25) * from.height) / to.height));
    const bottom = Math.min(from.height - 1, Math.floor(((y + 0.75) * from.height) / to.height));
    for (let x = 0; x < to.width; x += 1) {
      const left = Math.min(from.width - 1, Math.floor(((x + 0.25) * from.width) / to.width));
      const right = Math.min(from.width - 1, Math.floor(((x + 0.75) * from.width) / to.width));
      for (let channel = 0; channel < 3; channel += 1) {
        const at = (row: number, column: number) => rgb[(row * from.width + column) * 3 + channel] ?? 0;
        out[(y * to.width + x) * 3 + channel] =
          (at(top, left) + at(top, right) + at(bottom, left) + at(bottom, right) + 2) >> 2;
      }
    }
  }
  return out;
}

function tensorOf(rgb: Uint8Array, { input }: ModelSpec): ort.Tensor {
  const { width, height, layout } = input;
  if (layout === 'bytes') return new ort.Tensor('uint8', rgb, [1, height, width, 3]);
  const pixels = width * height;
  const values = new Float32Array(pixels * 3);
  for (let i = 0; i < pixels; i += 1)
    for (let channel = 0; channel < 3; channel += 1) {
      const source = input.channels === 'bgr' ? 2 - channel : channel;
      const value =
        ((rgb[i * 3 + source] ?? 0) * input.scale - (input.mean[channel] ?? 0)) / (input.std[channel] ?? 1);
      values[layout === 'nchw' ? channel * pixels + i : i * 3 + channel] = value;
    }
  return new ort.Tensor('float32', values, layout === 'nchw' ? [1, 3, height, width] : [1, height, width, 3]);
}

function activated(values: readonly number[], { activation, temperature }: ModelSpec['output']): number[] {
  const scaled = values.map((value) => value / temperature);
  if (activation === 'none') return scaled;
  if (activation === 'sigmoid') return scaled.map((value) => 1 / (1 + Math.exp(-value)));
  const highest = Math.max(...scaled);
  const powers = scaled.map((value) => Math.exp(value - highest));
  const sum = powers.reduce((total, each) => total + each, 0);
  return powers.map((value) => value / sum);
}

async function answer({ spec, size, pictures }: ModelQuestion): Promise<ModelAnswer> {
  const session = await sessionOf(spec);
  const [inputName = ''] = session.inputNames;
  const [outputName = ''] = session.outputNames;
  const answers: number[][] = [];
  for (const rgb of pictures) {
    const found = await session.run({ [inputName]: tensorOf(resized(rgb, size, spec.input), spec) });
    const data = found[outputName]?.data as Float32Array | undefined;
    answers.push(activated([...(data ?? [])], spec.output));
  }
  return answers;
}

serveQuestions(answer);
