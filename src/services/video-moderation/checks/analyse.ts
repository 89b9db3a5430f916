/** From a file to everything that is known about it. */
import { clipWindows, type ClipWindow } from '#engine/video/clips.ts';
import { doubtfulOf, strongest, type ScoredFrame } from '#engine/video/corroborate.ts';
import { embeddedCovering, type Covering } from '#engine/video/coverage.ts';
import { Flow } from '#engine/video/flow.ts';
import { AppError } from '#base/errors.ts';
import type { Caller } from '#identity/caller.ts';
import { decodeFile, flowSize } from '../decoding/decode.ts';
import type { Decoder } from '../decoding/decoder.ts';
import { probe, type Media } from '../decoding/probe.ts';
import { thresholdsOf, type Settings } from '../deployments/settings.ts';
import type { Evidence, FrameDetector, Note } from '../detectors/detector.ts';
import { WordsJudge, type WordsDeps } from '../detectors/judge-words.ts';
import { readMetadata } from '../detectors/metadata.ts';
import type { WordReader } from '../detectors/read-words.ts';
import { grouped, readSubtitles } from '../detectors/subtitles.ts';
import { assemble, isWithin, overlaps } from './assemble.ts';
import { Frames } from './frames.ts';
import type { VideoAnalysis } from './result.ts';
import type { SelectClips } from '../detectors/vision.ts';
import { WordsInPicture } from './words-in-picture.ts';

export interface AnalysisDeps {
  readonly decoder: Decoder;
  readonly words: WordsDeps;
  readonly wordReader: (languages: readonly string[]) => WordReader;
  /** Those of the settings that look at single pictures, and notes on those that are missing. */
  readonly frameDetectors: (
    settings: Settings,
  ) => Promise<{ detectors: readonly FrameDetector[]; notes: readonly Note[] }>;
  /** Undefined where no vision model is configured. */
  readonly vision: SelectClips | undefined;
}

export interface Asked {
  readonly path: string;
  readonly sizeBytes: number;
  readonly caller: Caller;
  readonly settings: Settings;
  readonly fps: number;
  readonly clipSeconds: number;
  readonly longestSeconds: number;
  readonly wallMs: number;
  readonly thumbnails: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (analyzedSeconds: number, durationSeconds: number | undefined) => void;
  readonly onFinding: (finding: Evidence) => void;
}

/** Frames around a hit that stands alone. */
const extraOffset = 0.2;
const mostExtras = 20;
const progressStepSeconds = 0.5;
/** From here on a finding is told while the analysis goes on. */
const toldFrom = 0.3;

export async function analyse(deps: AnalysisDeps, asked: Asked): Promise<VideoAnalysis> {
  const media = await probe(deps.decoder, asked.path, asked.sizeBytes, asked.signal);
  refuseLong(media.durationSeconds, asked.longestSeconds);
  return new Analysis(deps, asked, media).run();
}

/** Files are a little longer than what was cut: by whole seconds, as it is said. */
function refuseLong(seconds: number | undefined, longestSeconds: number): void {
  if (seconds !== undefined && Math.round(seconds) > longestSeconds)
    throw new AppError(
      413,
      'too_long',
      `The video is ${Math.round(seconds)} s long; ${longestSeconds} s is the most for one request.`,
    );
}

class Analysis {
  readonly #deps: AnalysisDeps;
  readonly #asked: Asked;
  readonly #media: Media;
  readonly #judge: WordsJudge;
  readonly #thresholds: Readonly<Record<string, number>>;
  readonly #notes: Note[] = [];
  readonly #evidence: Evidence[] = [];
  readonly #covering: Covering[] = [];

  constructor(deps: AnalysisDeps, asked: Asked, media: Media) {
    this.#deps = deps;
    this.#asked = asked;
    this.#media = media;
    this.#judge = new WordsJudge(deps.words, asked.caller, asked.settings);
    this.#thresholds = thresholdsOf(asked.settings);
  }

  async run(): Promise<VideoAnalysis> {
    const { settings, signal, path } = this.#asked;
    const { detectors: on } = settings;
    const { detectors, notes } = await this.#deps.frameDetectors(settings);
    this.#notes.push(...notes);
    const frames = new Frames(detectors, signal, this.#asked.thumbnails);
    const flow = new Flow(flowSize, { flashes: on.flash.enabled, movement: on.heuristics.enabled });
    const words = this.#wordsInPicture();
    await this.#decode(flow, frames, words);
    const durationSeconds = Math.max(this.#media.durationSeconds ?? 0, flow.lastSeconds);
    const found = await words?.end();
    this.#notes.push(...(found?.notes ?? []));
    this.#evidence.push(...(found?.evidence ?? []));
    if (on.subtitles.enabled) await this.#subtitles();
    if (on.metadata.enabled)
      for (const each of await readMetadata(path, this.#media, durationSeconds)) this.#tell(each);
    let judged = await frames.end();
    if (await this.#addExtras(frames, judged, durationSeconds)) judged = await frames.end();
    this.#notes.push(...frames.notes);
    this.#cover(detectors.filter(({ name }) => !frames.hasFailed(name)));
    return this.#assemble(flow, judged, durationSeconds);
  }

  #tell(evidence: Evidence): void {
    this.#evidence.push(evidence);
    if (evidence.probability >= toldFrom) this.#asked.onFinding(evidence);
  }

  #wordsInPicture(): WordsInPicture | undefined {
    const { settings, signal, onFinding } = this.#asked;
    const { enabled, languages, every_seconds: everySeconds } = settings.detectors.text;
    if (!enabled) return undefined;
    const reader = this.#deps.wordReader(languages);
    const missing = languages.filter((language) => !reader.languages.includes(language));
    if (missing.length > 0)
      this.#notes.push({
        code: 'language_missing',
        message: `Text in pictures is not read in ${missing.join(', ')}: install the npm package @tesseract.js-data/${missing[0]}.`,
      });
    if (reader.languages.length === 0) return undefined;
    for (const category of this.#judge.categories)
      this.#covering.push({
        detector: 'text',
        level: 'text',
        category,
        note: `Words in the picture (${reader.languages.join(', ')}), every ${everySeconds} s.`,
      });
    const onEvidence = (each: Evidence) => {
      if (each.probability >= toldFrom) onFinding(each);
    };
    return new WordsInPicture({ reader, judge: this.#judge }, { everySeconds, signal, onEvidence });
  }

  async #decode(flow: Flow, frames: Frames, words: WordsInPicture | undefined): Promise<void> {
    const { path, fps, longestSeconds, wallMs, signal, settings, onProgress } = this.#asked;
    const { width, height, durationSeconds } = this.#media;
    const { flash, heuristics, text } = settings.detectors;
    const pictures = decodeFile(
      this.#deps.decoder,
      {
        path,
        width,
        height,
        fps,
        withFlow: flash.enabled || heuristics.enabled,
        largeEverySeconds: words === undefined ? undefined : text.every_seconds,
        seconds: longestSeconds + 2,
        wallMs,
      },
      signal,
    );
    let told = -Infinity;
    for await (const picture of pictures) {
      refuseLong(picture.seconds, longestSeconds);
      if (picture.output === 'flow') flow.next(picture);
      else if (picture.output === 'sample') await frames.add(picture);
      else await words?.look(picture);
      if (picture.seconds - told < progressStepSeconds) continue;
      told = picture.seconds;
      onProgress(picture.seconds, durationSeconds);
    }
  }

  /** Samples more frames around hits that stand alone, which tells a wrong frame from a short scene. */
  async #addExtras(
    frames: Frames,
    judged: readonly { seconds: number; probs: Readonly<Record<string, number>> }[],
    durationSeconds: number,
  ): Promise<boolean> {
    const { path, signal, wallMs } = this.#asked;
    const doubtful = doubtfulOf(judged, this.#thresholds);
    for (const seconds of doubtful.slice(0, mostExtras)) {
      const from = Math.max(0, seconds - extraOffset);
      const request = {
        path,
        width: this.#media.width,
        height: this.#media.height,
        fps: 1 / extraOffset,
        withFlow: false,
        largeEverySeconds: undefined,
        fromSeconds: from,
        seconds: Math.min(2 * extraOffset + 0.1, Math.max(0.1, durationSeconds - from)),
        wallMs,
      };
      try {
        for await (const picture of decodeFile(this.#deps.decoder, request, signal)) {
          const at = from + picture.seconds;
          if (Math.abs(at - seconds) > extraOffset / 2) await frames.add({ ...picture, seconds: at }, true);
        }
      } catch (error) {
        // The end of a broken file: the frame stands alone then.
        if (!(error instanceof AppError) || error.status !== 422) throw error;
      }
    }
    if (doubtful.length > mostExtras)
      this.#notes.push({
        code: 'hits_not_sampled_again',
        message: `${doubtful.length - mostExtras} frames that stand alone were not sampled again.`,
      });
    return doubtful.length > 0;
  }

  async #subtitles(): Promise<void> {
    const { path, signal } = this.#asked;
    if (this.#media.subtitles.length === 0) return;
    const { cues, notes } = await readSubtitles(this.#deps.decoder, path, this.#media, signal);
    this.#notes.push(...notes);
    for (const { startSeconds, endSeconds, text } of grouped(cues)) {
      signal.throwIfAborted();
      const verdict = await this.#judge.judge(text);
      for (const [category, probability] of Object.entries(verdict?.probs ?? {}))
        if (probability >= 0.02)
          this.#tell({
            category,
            detector: 'subtitles',
            level: 'text',
            startSeconds,
            endSeconds,
            probability,
            explanation: `Subtitles: “${text.replaceAll(/\s+/g, ' ').slice(0, 200)}”.`,
          });
    }
    if (cues.length > 0)
      for (const category of this.#judge.categories)
        this.#covering.push({ detector: 'subtitles', level: 'text', category });
  }

  #cover(detectors: readonly FrameDetector[]): void {
    const on = this.#asked.settings.detectors;
    this.#covering.unshift(
      ...detectors.flatMap(({ covering }) => covering),
      ...embeddedCovering.filter(
        ({ detector }) => detector !== 'nsfw' && on[detector as 'flash' | 'heuristics' | 'metadata'].enabled,
      ),
    );
    if (this.#media.hasAudio)
      this.#notes.push({ code: 'audio_not_judged', message: 'Sound was not listened to.' });
    this.#notes.push(...this.#judge.notes);
  }

  async #assemble(
    flow: Flow,
    judged: Awaited<ReturnType<Frames['end']>>,
    durationSeconds: number,
  ): Promise<VideoAnalysis> {
    const windows = clipWindows(durationSeconds, this.#asked.clipSeconds);
    for (const window of windows)
      for (const hint of flow.clip(window)) this.#tell({ ...hint, level: 'heuristic', ...window });
    await this.#askVision(windows, judged);
    return {
      ...assemble({
        thresholds: this.#thresholds,
        windows,
        judged,
        evidence: this.#evidence,
        covering: this.#covering,
      }),
      durationSeconds,
      notes: this.#notes,
      media: this.#media,
      deploymentId: this.#asked.settings.deploymentId,
    };
  }

  async #askVision(windows: readonly ClipWindow[], judged: readonly ScoredFrame[]) {
    const { vision } = this.#deps;
    const { settings, path, signal } = this.#asked;
    if (vision === undefined || !settings.detectors.vision.enabled) return;
    const probsOf = (window: ClipWindow) =>
      strongest([
        ...judged.filter(({ seconds }) => isWithin(seconds, window)).map(({ probs }) => probs),
        ...this.#evidence
          .filter((each) => overlaps(each, window))
          .map((each) => ({ [each.category]: each.probability })),
      ]);
    const clips = windows.map((window) => ({ ...window, probs: probsOf(window) }));
    const found = await vision({
      decoder: this.#deps.decoder,
      path,
      media: this.#media,
      settings,
      clips,
      signal,
    });
    for (const each of found.evidence) this.#tell(each);
    this.#notes.push(...found.notes);
    this.#covering.push(...found.covering);
  }
}
