/** Runs one detector on a test picture, so that its set-up can be checked before a video depends on it. */
import { AppError } from '#base/errors.ts';
import type { TimedPicture } from '#engine/video/picture.ts';
import { FlashRule } from '#engine/video/flash.ts';
import type { Caller } from '#identity/caller.ts';
import type { LanguageModel } from '#llm/language-model.ts';
import type { DetectorName } from '../contract/names.ts';
import type { Decoder } from '../decoding/decoder.ts';
import { flowSize, sampleSize } from '../decoding/decode.ts';
import { splitJpegs } from '../decoding/jpegs.ts';
import type { Settings } from '../deployments/settings.ts';
import type { Detectors } from './detectors.ts';
import { WordsJudge, type WordsDeps } from './judge-words.ts';
import { pngOf } from './png.ts';
import type { WordReader } from './read-words.ts';
import { askAboutPictures } from './vision.ts';

export interface TryDeps {
  readonly detectors: Detectors;
  readonly decoder: Decoder;
  readonly words: WordsDeps;
  readonly wordReader: (languages: readonly string[]) => WordReader;
  readonly visionModel: LanguageModel | undefined;
  readonly visionTimeoutMs: number;
}

export interface Trial {
  readonly ok: boolean;
  readonly message: string;
  readonly probs: Readonly<Record<string, number>>;
}

const trialMs = 30_000;

/** Soft colours without meaning. */
function testPicture({ width, height }: { width: number; height: number }, seconds = 0): TimedPicture {
  const rgb = new Uint8Array(width * height * 3);
  for (let y = 0, at = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1, at += 3) {
      rgb[at] = 90 + Math.round((80 * x) / width);
      rgb[at + 1] = 120;
      rgb[at + 2] = 90 + Math.round((80 * y) / height);
    }
  return { width, height, seconds, rgb };
}

export async function tryDetector(
  deps: TryDeps,
  caller: Caller,
  name: DetectorName,
  settings: Settings,
): Promise<Trial> {
  const signal = AbortSignal.timeout(trialMs);
  try {
    return await trials[name]({ ...deps, caller, settings, signal });
  } catch (error) {
    if (error instanceof AppError) return { ok: false, message: error.detail, probs: {} };
    if (signal.aborted) return { ok: false, message: 'It did not answer in time.', probs: {} };
    throw error;
  }
}

type Task = TryDeps & { readonly caller: Caller; readonly settings: Settings; readonly signal: AbortSignal };

const ofFrames =
  (name: DetectorName) =>
  async ({ detectors, settings, signal }: Task): Promise<Trial> => {
    const { detectors: found, notes } = await detectors.forFrames(settings);
    const detector = found.find((each) => each.name === name);
    if (detector === undefined)
      return { ok: false, message: notes[0]?.message ?? 'It is not set up in these settings.', probs: {} };
    const [probs = {}] = await detector.detect([testPicture(sampleSize)], signal);
    return { ok: true, message: 'It judged a test picture without content.', probs };
  };

const words = async ({ words: deps, wordReader, caller, settings }: Task): Promise<Trial> => {
  const { languages } = settings.detectors.text;
  const judge = new WordsJudge(deps, caller, settings);
  const verdict = await judge.judge('Open daily from nine to five.');
  if (verdict === undefined)
    return { ok: false, message: judge.notes[0]?.message ?? 'The policy guard did not answer.', probs: {} };
  const reader = wordReader(languages);
  if (reader.languages.length === 0)
    return { ok: false, message: `None of the languages ${languages.join(', ')} is installed.`, probs: {} };
  return {
    ok: true,
    message: `The policy guard judged a test sentence; text is read in ${reader.languages.join(', ')}.`,
    probs: verdict.probs,
  };
};

const trials: Readonly<Record<DetectorName, (task: Task) => Promise<Trial>>> = {
  nsfw: ofFrames('nsfw'),
  onnx: ofFrames('onnx'),
  http: ofFrames('http'),
  text: words,
  subtitles: words,
  async flash() {
    const rule = new FlashRule(flowSize.width, flowSize.height);
    let transitions = 0;
    for (let i = 0; i < 10; i += 1) {
      const rgb = new Uint8Array(flowSize.width * flowSize.height * 3).fill(i % 2 === 0 ? 0 : 255);
      transitions += rule.next({ ...flowSize, seconds: i / 10, rgb }).transitions.length;
    }
    return {
      ok: transitions === 9,
      message: `${transitions} of 9 transitions of a test sequence counted.`,
      probs: {},
    };
  },
  async heuristics({ decoder }) {
    const { version, message } = await decoder.state();
    return { ok: version !== undefined, message, probs: {} };
  },
  async metadata({ decoder }) {
    const { version, message } = await decoder.state();
    return { ok: version !== undefined, message, probs: {} };
  },
  async vision({ visionModel, visionTimeoutMs, decoder, settings, signal }) {
    if (visionModel === undefined)
      return { ok: false, message: 'No vision model: set video_moderation.vision_model.', probs: {} };
    const args = [
      '-nostdin',
      '-v',
      'error',
      ...decoder.inputOptions('pipe:0', 'png_pipe'),
      '-f',
      'image2pipe',
      '-c:v',
      'mjpeg',
      '-pix_fmt',
      'yuvj420p',
      'pipe:1',
    ];
    const { stdout } = await decoder.run(
      'ffmpeg',
      args,
      { wallMs: 10_000 },
      { input: pngOf(testPicture(sampleSize)), signal },
    );
    const [jpeg] = splitJpegs(stdout);
    if (jpeg === undefined) return { ok: false, message: 'The test picture could not be made.', probs: {} };
    const found = await askAboutPictures(visionModel, settings, [{ seconds: 0, jpeg }], {
      timeoutMs: visionTimeoutMs,
      signal,
    });
    return {
      ok: true,
      message: `${visionModel.model} judged a test picture.`,
      probs: Object.fromEntries(found.map(({ category, probability }) => [category, probability])),
    };
  },
};
