/** Single pictures of a stream, through all detectors that look at single pictures: in time, or not at all. */
import { AppError } from '#base/errors.ts';
import { doubtfulOf, flagsOf, type Probs, type ScoredFrame } from '#engine/video/corroborate.ts';
import type { TimedPicture } from '#engine/video/picture.ts';
import type { FrameDetector } from '../../detectors/detector.ts';

export interface JudgedSample extends ScoredFrame {
  /** Category → whether it is flagged, by this picture and those before. */
  readonly flags: Readonly<Record<string, boolean>>;
  readonly arrivedMs: number;
}

export interface SamplesSettings {
  readonly detectors: readonly FrameDetector[];
  readonly thresholds: Readonly<Record<string, number>>;
  readonly fps: number;
  /** Pictures come many seconds at a time, as from files. */
  readonly isBursty: boolean;
  readonly signal: AbortSignal;
  /** What words said of a moment: it needs no corroboration. */
  readonly certainAt: (seconds: number) => Probs;
  readonly onJudged: (sample: JudgedSample) => void;
}

interface Waiting {
  readonly picture: TimedPicture;
  readonly arrivedMs: number;
  /** Looked at to tell whether a hit that stands alone is right; not reported itself. */
  readonly isExtra: boolean;
}

/** Pictures a second that the decoder hands over, so that neighbours of a hit are at hand. */
export const sampledPerSecond = 5;
const mostWaiting = 2;
/** Before the first answer, while models are being loaded. */
const mostWaitingAtFirst = 12;
/** Of a stream that comes in files of some seconds. */
const burstSeconds = 10;
const mostOfBurst = 64;
/** Pictures that corroborate each other. */
const remembered = 8;
/** Rounding of times must not lose a picture. */
const slackSeconds = 0.01;
const neighbourSeconds = 0.5;

export class Samples {
  readonly #settings: SamplesSettings;
  readonly #stepSeconds: number;
  readonly #failed = new Map<string, string>();
  readonly #answered = new Set<string>();
  #waiting: Waiting[] = [];
  #recent: ScoredFrame[] = [];
  /** The last picture that was not due. */
  #spare: Waiting | undefined;
  /** A hit that stands alone, held until its neighbours have been judged. */
  #doubtful: { readonly sample: Waiting; readonly probs: Probs } | undefined;
  #wantsNext = false;
  #nextSeconds = -Infinity;
  #working: Promise<void> | undefined;
  #judged = 0;
  #dropped = 0;

  constructor(settings: SamplesSettings) {
    this.#settings = settings;
    this.#stepSeconds = 1 / settings.fps;
  }

  get judged(): number {
    return this.#judged;
  }

  get dropped(): number {
    return this.#dropped;
  }

  get #mostWaiting(): number {
    const { isBursty, fps } = this.#settings;
    if (isBursty) return Math.min(mostOfBurst, Math.max(mostWaitingAtFirst, Math.ceil(burstSeconds * fps)));
    return this.#judged === 0 ? mostWaitingAtFirst : mostWaiting;
  }

  /** Names of detectors that have answered at least once. */
  get answered(): ReadonlySet<string> {
    return this.#answered;
  }

  /** The last failure of each detector. */
  get failed(): ReadonlyMap<string, string> {
    return this.#failed;
  }

  /** Pictures come in the order of time. */
  take(picture: TimedPicture, arrivedMs: number): void {
    if (this.#settings.detectors.length === 0) return;
    const isDue = picture.seconds + slackSeconds >= this.#nextSeconds;
    if (!isDue && !this.#wantsNext) {
      this.#spare = { picture, arrivedMs, isExtra: true };
      return;
    }
    this.#wantsNext = false;
    if (isDue) this.#nextSeconds = this.#dueAfter(picture.seconds);
    this.#waiting.push({ picture, arrivedMs, isExtra: !isDue });
    const most = this.#mostWaiting;
    while (this.#waiting.length > most) this.#dropOldest();
    this.#work();
  }

  /** Resolves when everything so far has been judged. */
  async settled(): Promise<void> {
    await this.#working;
  }

  /** Nothing more comes. */
  async end(): Promise<void> {
    await this.settled();
    this.#release();
  }

  /** The grid goes on from where it was, unless the stream has jumped. */
  #dueAfter(seconds: number): number {
    const next = this.#nextSeconds + this.#stepSeconds;
    return next > seconds && next <= seconds + this.#stepSeconds ? next : seconds + this.#stepSeconds;
  }

  #dropOldest(): void {
    const dropped = this.#waiting.shift();
    if (dropped?.isExtra === false) this.#dropped += 1;
  }

  #work(): void {
    this.#working ??= this.#judgeAll().finally(() => (this.#working = undefined));
  }

  async #judgeAll(): Promise<void> {
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      const probs = await this.#probsOf(next.picture);
      // What is given up at the end of a stream counts as dropped.
      if (!this.#settings.signal.aborted) this.#note(next, probs);
      else if (!next.isExtra) this.#dropped += 1;
    }
  }

  async #probsOf(picture: TimedPicture): Promise<Probs> {
    const { detectors, signal } = this.#settings;
    const probs: Record<string, number> = {};
    if (signal.aborted) return probs;
    await Promise.all(
      detectors.map(async (detector) => {
        try {
          const [found = {}] = await detector.detect([picture], signal);
          this.#answered.add(detector.name);
          for (const [category, value] of Object.entries(found))
            probs[category] = Math.max(probs[category] ?? 0, value);
        } catch (error) {
          if (signal.aborted) return;
          if (!(error instanceof AppError)) throw error;
          this.#failed.set(detector.name, error.detail);
        }
      }),
    );
    return probs;
  }

  #note(sample: Waiting, probs: Probs): void {
    const { thresholds, certainAt } = this.#settings;
    const { seconds } = sample.picture;
    const frame = { seconds, probs, certain: certainAt(seconds) };
    this.#recent = [...this.#recent, frame].toSorted((a, b) => a.seconds - b.seconds).slice(-remembered);
    if (sample.isExtra) {
      // Its later neighbour is the last that a doubtful hit waits for.
      if (seconds > (this.#doubtful?.sample.picture.seconds ?? Infinity)) this.#release();
      return;
    }
    this.#release();
    this.#judged += 1;
    const isDoubtful = doubtfulOf(this.#recent, thresholds).includes(seconds);
    this.#doubtful = { sample, probs };
    if (!isDoubtful || this.#settings.fps >= sampledPerSecond) this.#release();
    else this.#askNeighbours(seconds);
  }

  /** The picture before a doubtful one, if it is still there, and the next one. */
  #askNeighbours(seconds: number): void {
    const spare = this.#spare;
    if (spare !== undefined && Math.abs(spare.picture.seconds - seconds) < neighbourSeconds)
      this.#waiting.unshift(spare);
    this.#wantsNext = spare === undefined || spare.picture.seconds < seconds;
  }

  /** Reports the picture that was held back. */
  #release(): void {
    const held = this.#doubtful;
    if (held === undefined) return;
    this.#doubtful = undefined;
    const { thresholds, certainAt, onJudged } = this.#settings;
    const { seconds } = held.sample.picture;
    const at = this.#recent.findIndex((frame) => frame.seconds === seconds);
    const flags = Object.fromEntries(
      Object.entries(thresholds).map(([category, threshold]) => [
        category,
        flagsOf(this.#recent, category, threshold)[at] ?? false,
      ]),
    );
    const { arrivedMs } = held.sample;
    onJudged({ seconds, probs: held.probs, certain: certainAt(seconds), flags, arrivedMs });
  }
}
