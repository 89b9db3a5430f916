/** Judges a stream while it runs: frames as they come, clips as they end, and the whole at its end. */
import type { ClipWindow } from '#engine/video/clips.ts';
import { clipProbability, strongest, type Probs } from '#engine/video/corroborate.ts';
import { coverageOf, embeddedCovering, type CoverageLevel, type Covering } from '#engine/video/coverage.ts';
import { Flow } from '#engine/video/flow.ts';
import { overlaps, isWithin } from '../../checks/assemble.ts';
import { WordsInPicture } from '../../checks/words-in-picture.ts';
import { flowSize, type DecodedPicture } from '../../decoding/decode.ts';
import { thresholdsOf, type Settings } from '../../deployments/settings.ts';
import type { Evidence, FrameDetector, Note } from '../../detectors/detector.ts';
import type { WordsJudge } from '../../detectors/judge-words.ts';
import type { WordReader } from '../../detectors/read-words.ts';
import { trimmed } from './trimmed.ts';
import { Samples, type JudgedSample } from './samples.ts';

type Flags = Readonly<Record<string, boolean>>;

interface Judged {
  readonly seconds: number;
  readonly flag: boolean;
  readonly categories: Flags;
  readonly probs: Probs;
  readonly latencyMs: number;
}

export interface JudgedClip extends Judged, ClipWindow {}

export interface JudgeSink {
  frame(frame: Judged): void;
  clip(clip: JudgedClip): void;
}

export interface JudgeSettings {
  readonly settings: Settings;
  readonly fps: number;
  readonly clipSeconds: number;
  /** See {@link SamplesSettings.isBursty}. */
  readonly isBursty: boolean;
  readonly detectors: readonly FrameDetector[];
  readonly notes: readonly Note[];
  /** Undefined where words are not looked for. */
  readonly words: { readonly reader: WordReader; readonly judge: WordsJudge } | undefined;
  readonly sink: JudgeSink;
}

export interface LiveSummary {
  readonly durationSeconds: number;
  readonly flag: boolean;
  readonly categories: Flags;
  readonly probs: Probs;
  readonly framesAnalyzed: number;
  readonly clipsAnalyzed: number;
  readonly framesDropped: number;
  readonly coverage: Readonly<Record<string, CoverageLevel>>;
  readonly covering: readonly Covering[];
  readonly notes: readonly Note[];
}

/** How long the end of a clip waits for words of its pictures. */
const wordsWaitMs = 3000;
/** Streams run for hours: as many pictures may be read as come. */
const mostReadings = Infinity;
const rememberedEvidence = 200;

export class LiveJudge {
  readonly #of: JudgeSettings;
  readonly #thresholds: Readonly<Record<string, number>>;
  readonly #ids: readonly string[];
  readonly #flow: Flow;
  readonly #samples: Samples;
  readonly #words: WordsInPicture | undefined;
  readonly #stopped = new AbortController();
  #evidence: Evidence[] = [];
  /** Evidence that was part of a clip. */
  readonly #told = new WeakSet<Evidence>();
  #frames: JudgedSample[] = [];
  /** Where the open clip begins; undefined before the first picture. */
  #clipStart: number | undefined;
  #lastSeconds = 0;
  #lastArrivedMs = 0;
  #closing: Promise<void> = Promise.resolve();
  #clips = 0;
  #wordsLate = 0;
  #worst: Record<string, number> = {};
  readonly #flagged = new Set<string>();

  constructor(of: JudgeSettings) {
    this.#of = of;
    this.#thresholds = thresholdsOf(of.settings);
    this.#ids = Object.keys(this.#thresholds);
    const { flash, heuristics, text } = of.settings.detectors;
    const { signal } = this.#stopped;
    this.#flow = new Flow(flowSize, { flashes: flash.enabled, movement: heuristics.enabled });
    this.#samples = new Samples({
      detectors: of.detectors,
      thresholds: this.#thresholds,
      fps: of.fps,
      isBursty: of.isBursty,
      signal,
      certainAt: (seconds) => this.#certainAt(seconds),
      onJudged: (sample) => this.#judged(sample),
    });
    if (of.words !== undefined)
      this.#words = new WordsInPicture(of.words, {
        everySeconds: text.every_seconds,
        signal,
        onEvidence: (each) => this.#evidence.push(each),
        mostReadings,
      });
  }

  get framesAnalyzed(): number {
    return this.#samples.judged;
  }

  get clipsAnalyzed(): number {
    return this.#clips;
  }

  get framesDropped(): number {
    return this.#samples.dropped;
  }

  /** Pictures of each output come in the order of time. */
  take(picture: DecodedPicture, arrivedMs: number): void {
    this.#lastArrivedMs = arrivedMs;
    this.#advance(picture.seconds);
    if (picture.output === 'flow') this.#flow.next(picture);
    else if (picture.output === 'sample') this.#samples.take(picture, arrivedMs);
    else this.#look(picture);
  }

  /** Ends the last clip and waits for what is being judged. */
  async end(): Promise<LiveSummary> {
    await this.#samples.end();
    const start = this.#clipStart;
    if (start !== undefined && this.#lastSeconds > start)
      this.#close({ startSeconds: start, endSeconds: this.#lastSeconds });
    await this.#closing;
    return this.#summary();
  }

  /** Gives up what is being judged. */
  stop(): void {
    this.#stopped.abort();
  }

  /** What has been looked for so far. */
  get covering(): Covering[] {
    const on = this.#of.settings.detectors;
    const { answered } = this.#samples;
    const words = (this.#words?.looked ?? 0) > 0 ? (this.#of.words?.judge.categories ?? []) : [];
    const known = new Set(this.#ids);
    return [
      ...this.#of.detectors.filter(({ name }) => answered.has(name)).flatMap(({ covering }) => covering),
      ...embeddedCovering.filter(
        ({ detector }) =>
          (detector === 'flash' || detector === 'heuristics') &&
          on[detector].enabled &&
          this.#flow.pictures > 0,
      ),
      ...words.map((category) => ({
        detector: 'text',
        level: 'text' as const,
        category,
        note: `Words in the picture, every ${on.text.every_seconds} s.`,
      })),
    ].filter(({ category }) => known.has(category));
  }

  #summary(): LiveSummary {
    const notes: Note[] = [...this.#of.notes, ...(this.#of.words?.judge.notes ?? [])];
    for (const [name, why] of this.#samples.failed)
      notes.push({
        code: 'detector_failed',
        message: `The detector ${name} could not judge all frames: ${why}`.slice(0, 500),
      });
    if (this.#wordsLate > 0)
      notes.push({
        code: 'words_not_read',
        message: `${this.#wordsLate} pictures were not read, since reading is slower than the stream.`,
      });
    notes.push(...(this.#words?.unreadable ?? []));
    notes.push({ code: 'audio_not_judged', message: 'Sound was not listened to.' });
    const { covering } = this;
    return {
      durationSeconds: this.#lastSeconds,
      flag: this.#flagged.size > 0,
      categories: Object.fromEntries(this.#ids.map((id) => [id, this.#flagged.has(id)])),
      probs: { ...this.#zeros(), ...this.#worst },
      framesAnalyzed: this.#samples.judged,
      clipsAnalyzed: this.#clips,
      framesDropped: this.#samples.dropped,
      coverage: coverageOf(this.#ids, covering),
      covering,
      notes,
    };
  }

  #advance(seconds: number): void {
    const { clipSeconds } = this.#of;
    this.#clipStart ??= Math.floor(seconds / clipSeconds) * clipSeconds;
    // A hundredth: times of the three outputs are rounded.
    if (seconds >= this.#clipStart + clipSeconds - 0.01) {
      this.#close({ startSeconds: this.#clipStart, endSeconds: this.#clipStart + clipSeconds });
      // Where a stream has jumped, nothing is said of what was not seen.
      this.#clipStart = Math.floor((seconds + 0.01) / clipSeconds) * clipSeconds;
    }
    this.#lastSeconds = Math.max(this.#lastSeconds, seconds);
  }

  #look(picture: DecodedPicture): void {
    const words = this.#words;
    if (words === undefined) return;
    if (words.isBusy) this.#wordsLate += 1;
    else void words.look({ ...trimmed(picture), seconds: picture.seconds });
  }

  #judged(sample: JudgedSample): void {
    this.#frames.push(sample);
    const certain = sample.certain ?? {};
    const categories = Object.fromEntries(this.#ids.map((id) => [id, sample.flags[id] === true]));
    const probs = this.#known(strongest([sample.probs, certain]));
    this.#count(categories, probs);
    this.#of.sink.frame({
      seconds: sample.seconds,
      flag: Object.values(categories).includes(true),
      categories,
      probs,
      latencyMs: performance.now() - sample.arrivedMs,
    });
  }

  /** Clips end one after another, each when its pictures have been judged. */
  #close(window: ClipWindow): void {
    const hints = this.#flow.clip(window);
    const arrivedMs = this.#lastArrivedMs;
    const evidence = hints.map((hint): Evidence => ({
      ...hint,
      level: 'heuristic',
      ...window,
      detector: hint.detector,
    }));
    this.#closing = this.#closing.then(() => this.#closeNow(window, evidence, arrivedMs));
  }

  async #closeNow(window: ClipWindow, hints: readonly Evidence[], arrivedMs: number): Promise<void> {
    await this.#samples.settled();
    await this.#readWords();
    const late = this.#evidence.filter(
      (each) => each.endSeconds <= window.startSeconds && !this.#told.has(each),
    );
    this.#evidence = this.#evidence.filter(({ endSeconds }) => endSeconds > window.startSeconds);
    const own = [...hints, ...this.#evidence.filter((each) => overlaps(each, window))];
    for (const each of [...late, ...own]) this.#told.add(each);
    const frames = this.#frames.filter(({ seconds }) => isWithin(seconds, window));
    this.#frames = this.#frames.filter(({ seconds }) => seconds >= window.endSeconds);
    // Words that were read too late for their own clip are told as a clip of their own.
    if (late.length > 0)
      this.#tell({
        window: { startSeconds: late[0]?.startSeconds ?? 0, endSeconds: late.at(-1)?.endSeconds ?? 0 },
        frames: [],
        evidence: late,
        arrivedMs,
      });
    this.#clips += 1;
    this.#tell({ window, frames, evidence: own, arrivedMs });
  }

  async #readWords(): Promise<void> {
    const words = this.#words;
    if (words === undefined) return;
    const waited = Promise.withResolvers<void>();
    const timer = setTimeout(waited.resolve, wordsWaitMs);
    await Promise.race([words.settled(), waited.promise]);
    clearTimeout(timer);
    words.forget();
    this.#evidence = this.#evidence.slice(-rememberedEvidence);
  }

  #tell(clip: {
    window: ClipWindow;
    frames: readonly JudgedSample[];
    evidence: readonly Evidence[];
    arrivedMs: number;
  }): void {
    const { window, frames, evidence, arrivedMs } = clip;
    const byEvidence = strongest(evidence.map(({ category, probability }) => ({ [category]: probability })));
    const probs = this.#known(
      Object.fromEntries(
        this.#ids.map((id) => [id, Math.max(clipProbability(frames, id), byEvidence[id] ?? 0)]),
      ),
    );
    const categories = Object.fromEntries(
      this.#ids.map((id) => {
        const found = byEvidence[id] ?? 0;
        return [
          id,
          (found > 0 && found >= (this.#thresholds[id] ?? 1)) ||
            frames.some(({ flags }) => flags[id] === true),
        ];
      }),
    );
    this.#count(categories, probs);
    this.#of.sink.clip({
      ...window,
      seconds: window.endSeconds,
      flag: Object.values(categories).includes(true),
      categories,
      probs,
      latencyMs: performance.now() - arrivedMs,
    });
  }

  #count(categories: Flags, probs: Probs): void {
    this.#worst = strongest([this.#worst, probs]);
    for (const [id, isFlagged] of Object.entries(categories)) if (isFlagged) this.#flagged.add(id);
  }

  #certainAt(seconds: number): Probs {
    const at = this.#evidence.filter(
      ({ detector, startSeconds, endSeconds }) =>
        detector === 'text' && seconds >= startSeconds && seconds < endSeconds,
    );
    return strongest(at.map(({ category, probability }) => ({ [category]: probability })));
  }

  /** All categories of the deployment, and no others. */
  #known(probs: Probs): Probs {
    return Object.fromEntries(this.#ids.map((id) => [id, Math.min(1, Math.max(0, probs[id] ?? 0))]));
  }

  #zeros(): Record<string, number> {
    return Object.fromEntries(this.#ids.map((id) => [id, 0]));
  }
}
