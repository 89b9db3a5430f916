/** Which detectors a deployment has, what of them is there, and a trial of each. */
import { AppError } from '#base/errors.ts';
import type { Outbound } from '#base/net/outbound.ts';
import { embeddedCovering, type Covering } from '#engine/video/coverage.ts';
import { textPolicies } from '#engine/video/text-policies.ts';
import type { Settings } from '../deployments/settings.ts';
import type { DetectorName } from '../contract/names.ts';
import type { FrameDetector, Note } from './detector.ts';
import type { ModelThreads } from './model-threads.ts';
import { createNsfw } from './nsfw.ts';
import { openOwnModel } from './own-model.ts';
import { languageFile } from './read-words.ts';
import { createRemote } from './remote.ts';

export interface DetectorsDeps {
  readonly threads: ModelThreads;
  readonly outbound: Outbound;
  readonly modelsFolder: string | undefined;
  /** Name of the vision model; undefined where none is configured. */
  readonly visionModel: string | undefined;
}

export interface DetectorState {
  readonly detector: DetectorName;
  readonly available: boolean;
  readonly enabled: boolean;
  readonly message: string;
}

export class Detectors {
  readonly #deps: DetectorsDeps;
  readonly #nsfw: FrameDetector;

  constructor(deps: DetectorsDeps) {
    this.#deps = deps;
    this.#nsfw = createNsfw(deps.threads);
  }

  /** Those that look at single pictures. One that cannot be opened is left out and noted. */
  async forFrames({ detectors }: Settings): Promise<{ detectors: FrameDetector[]; notes: Note[] }> {
    const { threads, outbound, modelsFolder } = this.#deps;
    const found: FrameDetector[] = detectors.nsfw.enabled ? [this.#nsfw] : [];
    const notes: Note[] = [];
    if (detectors.onnx.model !== null)
      try {
        found.push(await openOwnModel(threads, modelsFolder, detectors.onnx.model));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        notes.push({ code: 'detector_missing', message: error.detail });
      }
    if (detectors.http.url !== null)
      found.push(createRemote(outbound, detectors.http.url, detectors.http.categories));
    return { detectors: found, notes };
  }

  /** What would look for each category, before any video is seen. */
  async covering(settings: Settings, isDecoderThere: boolean): Promise<Covering[]> {
    if (!isDecoderThere) return [];
    const on = settings.detectors;
    const { detectors } = await this.forFrames(settings);
    const known = new Set(settings.categories.map(({ id }) => id));
    const words = settings.categories
      .filter(
        ({ id, description }) => description !== '' || textPolicies.some(({ category }) => category === id),
      )
      .map(({ id }) => id);
    const inWords = (detector: 'text' | 'subtitles', note: string): Covering[] =>
      words.map((category) => ({ detector, level: 'text', category, note }));
    return [
      ...detectors.flatMap(({ covering }) => covering),
      ...embeddedCovering.filter(
        ({ detector }) => detector !== 'nsfw' && on[detector as 'flash' | 'heuristics' | 'metadata'].enabled,
      ),
      ...(on.text.enabled && on.text.languages.some((each) => languageFile(each) !== undefined)
        ? inWords('text', `Words in the picture (${on.text.languages.join(', ')}).`)
        : []),
      ...(on.subtitles.enabled ? inWords('subtitles', 'Where the file has subtitles.') : []),
      ...(on.vision.enabled && this.#deps.visionModel !== undefined
        ? settings.categories.map(({ id }) => ({
            detector: 'vision',
            level: 'model' as const,
            category: id,
            note: 'Some clips of a video.',
          }))
        : []),
    ].filter(({ category }) => known.has(category));
  }

  /** Each detector, and what is missing. */
  async states({ detectors: on }: Settings): Promise<DetectorState[]> {
    const { threads, modelsFolder, visionModel } = this.#deps;
    const embedded = (detector: DetectorName, enabled: boolean, message: string): DetectorState => ({
      detector,
      available: true,
      enabled,
      message,
    });
    const missing = on.text.languages.filter((each) => languageFile(each) === undefined);
    const own = on.onnx.model;
    const problem =
      own === null
        ? undefined
        : await openOwnModel(threads, modelsFolder, own).then(
            () => undefined,
            (error: unknown) => (error as Error).message,
          );
    return [
      embedded('nsfw', on.nsfw.enabled, 'Embedded image model for sexual content (MobileNet V2).'),
      embedded('flash', on.flash.enabled, 'Flash rule of WCAG 2.2, exact, on every picture.'),
      embedded('heuristics', on.heuristics.enabled, 'Movement, fire and cuts; hints, capped.'),
      {
        detector: 'text',
        available: missing.length < on.text.languages.length,
        enabled: on.text.enabled,
        message:
          missing.length === 0
            ? `Reads ${on.text.languages.join(', ')}; judged by ${on.text.guard_uuid === null ? 'policies made from the categories' : `the guard ${on.text.guard_uuid}`}.`
            : `Not installed: ${missing.map((each) => `@tesseract.js-data/${each}`).join(', ')} (npm).`,
      },
      embedded('subtitles', on.subtitles.enabled, 'Judged like words in the picture.'),
      embedded('metadata', on.metadata.enabled, 'C2PA and generator tags; the signature is not checked.'),
      {
        detector: 'vision',
        available: visionModel !== undefined,
        enabled: on.vision.enabled,
        message: visionModel ?? 'No vision model: set video_moderation.vision_model.',
      },
      {
        detector: 'onnx',
        available: own !== null && problem === undefined,
        enabled: own !== null,
        message: own === null ? 'No model of your own is chosen.' : (problem ?? `The model ${own}.`),
      },
      {
        detector: 'http',
        available: on.http.url !== null,
        enabled: on.http.url !== null,
        message: on.http.url === null ? 'No address is given.' : new URL(on.http.url).origin,
      },
    ];
  }
}
