/** An image model of the operator’s own: a folder with `model.onnx`, and `labels.json` that says what goes in and what comes out. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '#base/errors.ts';
import type { FrameDetector } from './detector.ts';
import type { ModelSpec, ModelProcesses } from './model-processes.ts';

const three = (preset: number) => z.array(z.number()).length(3).default([preset, preset, preset]);

const LabelsFile = z.object({
  input: z
    .object({
      width: z.int().min(16).max(1024).default(224),
      height: z.int().min(16).max(1024).default(224),
      layout: z.enum(['bytes', 'nchw', 'nhwc']).default('nchw'),
      channels: z.enum(['rgb', 'bgr']).default('rgb'),
      scale: z.number().default(1 / 255),
      mean: three(0),
      std: three(1),
    })
    .prefault({}),
  activation: z.enum(['none', 'softmax', 'sigmoid']).default('softmax'),
  temperature: z.number().positive().default(1),
  /** In the order of the outputs; null: this output counts for nothing. */
  labels: z
    .array(z.object({ name: z.string(), category: z.string().nullable() }))
    .min(1)
    .max(10_000),
});

const missing = (detail: string, cause?: unknown) => new AppError(422, 'model_missing', detail, { cause });

/**
 * What a model's folder says of it.
 * @throws AppError 422 that says what is missing or wrong
 */
export async function findOwnModel(modelsFolder: string | undefined, name: string) {
  if (modelsFolder === undefined)
    throw missing('Models of your own need the setting video_moderation.models_folder.');
  if (!/^[\w.-]+$/.test(name) || name.startsWith('.'))
    throw missing("'detectors.onnx.model' must be the name of a folder: letters, digits, dots and dashes.");
  const folder = join(modelsFolder, name);
  const path = join(folder, 'model.onnx');
  const text = await readFile(join(folder, 'labels.json'), 'utf8').catch((cause: unknown) => {
    throw missing(`The model ${name} has no labels.json in its folder.`, cause);
  });
  await stat(path).catch((cause: unknown) => {
    throw missing(`The model ${name} has no model.onnx in its folder.`, cause);
  });
  const read = LabelsFile.safeParse(parsed(text));
  if (!read.success)
    throw missing(
      `labels.json of the model ${name} is not valid: ${read.error.issues
        .slice(0, 3)
        .map(({ path: at, message }) => `${at.join('.')} ${message}`)
        .join('; ')}`,
    );
  return { path, ...read.data };
}

/** @throws AppError 422 that says what is missing or wrong */
export async function openOwnModel(
  threads: ModelProcesses,
  modelsFolder: string | undefined,
  name: string,
): Promise<FrameDetector> {
  const { path, input, activation, temperature, labels } = await findOwnModel(modelsFolder, name);
  const spec: ModelSpec = { path, input, output: { activation, temperature } };
  const categories = [...new Set(labels.flatMap(({ category }) => category ?? []))];
  return {
    name: 'onnx',
    covering: categories.map((category) => ({ detector: 'onnx', level: 'model', category, note: name })),
    async detect(pictures, signal) {
      const outputs = await threads.run(spec, pictures, signal);
      return outputs.map((each) => {
        const probs: Record<string, number> = {};
        labels.forEach(({ category }, i) => {
          if (category !== null)
            probs[category] = Math.min(1, Math.max(0, (probs[category] ?? 0) + (each[i] ?? 0)));
        });
        return probs;
      });
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
