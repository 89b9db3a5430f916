import { readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { StartupError } from '#base/errors.ts';
import { detectorSlugs } from '#engine/text/engine.ts';
import type { DetectorSlug, PolicySource } from '#engine/text/types.ts';
import type { Answer, Backend, Material } from './backend.ts';
import { shifted } from './probabilities.ts';

/** What is used of `@huggingface/transformers`, which operators install themselves. */
interface Transformers {
  readonly env: { allowRemoteModels: boolean; localModelPath: string };
  pipeline(
    task: 'text-classification',
    model: string,
    options: { dtype: string },
  ): Promise<(texts: string[], options: { top_k: null }) => Promise<unknown>>;
}

const packageName = '@huggingface/transformers';
const manifestName = 'bulwark.json';

const manifestSchema = z.strictObject({
  /** The detector of each label of the model; labels that are not named are ignored. */
  labels: z.record(z.string(), z.array(z.enum(detectorSlugs)).min(1)),
  /** As the files in `onnx/` are named: `q8`, `fp32`, … */
  dtype: z.string().default('q8'),
});
type Manifest = z.infer<typeof manifestSchema>;

const scoresSchema = z.array(z.array(z.object({ label: z.string(), score: z.number().min(0).max(1) })));

/** About 512 tokens, with overlap. */
const windowLength = 1800;
const overlap = 270;
/** Of one text; a longer one is read at its beginning, its end and evenly between. */
const mostWindows = 64;

function readManifest(folder: string): Manifest {
  const path = join(folder, manifestName);
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (cause) {
    throw new StartupError(
      `policy_guard_judge.onnx_folder names ${folder}, but ${path} cannot be used: ${(cause as Error).message}\n` +
        'It must say which detectors the labels of the model stand for, such as {"labels": {"LABEL_1": ["prompt-injection"]}}. ' +
        `Detectors: ${detectorSlugs.join(', ')}.`,
      { cause },
    );
  }
}

async function loadTransformers(): Promise<Transformers> {
  try {
    return (await import(packageName)) as Transformers;
  } catch (cause) {
    throw new StartupError(
      `policy_guard_judge.onnx_folder needs the package ${packageName}, which is not installed: npm install ${packageName}`,
      { cause },
    );
  }
}

/**
 * A text classifier in ONNX files on this machine, as a judge of the detectors that its manifest names. Nothing is
 * downloaded.
 * @throws StartupError where the package or the manifest is missing, or the model cannot be opened
 */
export async function openOnnxBackend(folder: string): Promise<Backend> {
  const path = resolve(folder);
  const { labels, dtype } = readManifest(path);
  const transformers = await loadTransformers();
  transformers.env.allowRemoteModels = false;
  transformers.env.localModelPath = dirname(path);
  let classify: Awaited<ReturnType<Transformers['pipeline']>>;
  try {
    classify = await transformers.pipeline('text-classification', basename(path), { dtype });
  } catch (cause) {
    throw new StartupError(`The model in ${path} cannot be opened: ${(cause as Error).message}`, { cause });
  }
  const covered = new Set<DetectorSlug>(Object.values(labels).flat());

  async function strongest({ text, readings }: Material): Promise<ReadonlyMap<DetectorSlug, number>> {
    const pieces = [...piecesOf(text), ...readings.flatMap(piecesOf)].slice(0, 2 * mostWindows);
    const found = scoresSchema.parse(await classify(pieces, { top_k: null }));
    const scores = new Map<DetectorSlug, number>();
    for (const { label, score } of found.flat())
      for (const slug of labels[label] ?? []) scores.set(slug, Math.max(score, scores.get(slug) ?? 0));
    return scores;
  }

  return {
    engine: 'onnx',
    version: () => Promise.resolve(`${path} ${dtype} ${JSON.stringify(labels)}`),
    covers: ({ detector }) => detector !== undefined && covered.has(detector),
    async judge(material, policies) {
      try {
        const scores = await inTime(strongest(material), material.remainingMs());
        const isWhole = piecesIn(material.text) <= mostWindows;
        return policies.map((policy) => answerOf(policy, scores, isWhole));
      } catch (error) {
        return policies.map(() => ({ failure: error instanceof Late ? 'onnx_timeout' : 'onnx_failed' }));
      }
    },
  };
}

/** How many windows all of the text is. */
const piecesIn = (text: string): number =>
  Math.max(1, Math.ceil((text.length - overlap) / (windowLength - overlap)));

function piecesOf(text: string): string[] {
  const count = Math.min(mostWindows, piecesIn(text));
  if (count === 1) return [text];
  const last = text.length - windowLength;
  return Array.from({ length: count }, (_, i) => {
    const from = Math.round((last * i) / (count - 1));
    return text.slice(from, from + windowLength);
  });
}

function answerOf(
  { detector }: PolicySource,
  scores: ReadonlyMap<DetectorSlug, number>,
  isWhole: boolean,
): Answer {
  const score = detector === undefined ? undefined : scores.get(detector);
  return score === undefined
    ? { failure: 'onnx_not_covered' }
    : { isSuspicious: false, isWhole, probabilities: shifted(score) };
}

class Late extends Error {}

async function inTime<T>(promise: Promise<T>, ms: number): Promise<T> {
  const { promise: over, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Late()), ms);
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
  }
}
