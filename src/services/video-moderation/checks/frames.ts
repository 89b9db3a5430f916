/** Single pictures of one video, through all detectors that look at single pictures. */
import { AppError } from '#base/errors.ts';
import type { Probs } from '#engine/video/corroborate.ts';
import type { TimedPicture } from '#engine/video/picture.ts';
import type { FrameDetector, Note } from '../detectors/detector.ts';

const batchSize = 4;
/** Batches under way at a time, of some 600 kB each; beyond, the decoder waits. Some slack keeps all processes at work. */
const mostBatches = 8;
/** Pictures that are kept for thumbnails: the strongest ones. */
const mostKept = 60;

export class Frames {
  readonly #detectors: readonly FrameDetector[];
  readonly #signal: AbortSignal;
  readonly #keepsPictures: boolean;
  readonly #frames: { seconds: number; probs: Probs; isExtra: boolean; picture: TimedPicture | undefined }[] =
    [];
  readonly #failed = new Map<string, string>();
  #batch: { picture: TimedPicture; isExtra: boolean }[] = [];
  readonly #under = new Set<Promise<void>>();

  constructor(detectors: readonly FrameDetector[], signal: AbortSignal, keepsPictures: boolean) {
    this.#detectors = detectors;
    this.#signal = signal;
    this.#keepsPictures = keepsPictures;
  }

  async add(picture: TimedPicture, isExtra = false): Promise<void> {
    this.#batch.push({ picture: { ...picture, rgb: new Uint8Array(picture.rgb) }, isExtra });
    if (this.#batch.length >= batchSize) await this.#send();
  }

  /** All frames in the order of time. */
  async end() {
    await this.#send();
    await Promise.all(this.#under);
    return this.#frames.toSorted((a, b) => a.seconds - b.seconds);
  }

  /** Detectors that could not answer; the others stand alone then. */
  get notes(): Note[] {
    return [...this.#failed].map(([name, why]) => ({
      code: 'detector_failed',
      message: `The detector ${name} could not judge all frames: ${why}`.slice(0, 500),
    }));
  }

  hasFailed(name: string): boolean {
    return this.#failed.has(name);
  }

  async #send(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    if (batch.length === 0) return;
    const work = this.#judge(batch).finally(() => this.#under.delete(work));
    work.catch(() => undefined);
    this.#under.add(work);
    while (this.#under.size >= mostBatches) await Promise.race(this.#under);
  }

  async #judge(batch: readonly { picture: TimedPicture; isExtra: boolean }[]): Promise<void> {
    const pictures = batch.map(({ picture }) => picture);
    const answers = await Promise.all(
      this.#detectors.map((detector) =>
        detector.detect(pictures, this.#signal).catch((error: unknown) => {
          this.#signal.throwIfAborted();
          if (!(error instanceof AppError)) throw error;
          this.#failed.set(detector.name, error.detail);
          return pictures.map(() => ({}) as Probs);
        }),
      ),
    );
    batch.forEach(({ picture, isExtra }, i) => {
      const probs: Record<string, number> = {};
      for (const answer of answers)
        for (const [category, value] of Object.entries(answer[i] ?? {}))
          probs[category] = Math.max(probs[category] ?? 0, value);
      this.#frames.push({
        seconds: picture.seconds,
        probs,
        isExtra,
        picture: this.#keepsPictures ? picture : undefined,
      });
    });
    if (this.#keepsPictures) this.#forgetWeak();
  }

  #forgetWeak(): void {
    const kept = this.#frames.filter(({ picture }) => picture !== undefined);
    if (kept.length <= 2 * mostKept) return;
    const strength = ({ probs }: { probs: Probs }) => Math.max(0, ...Object.values(probs));
    for (const frame of kept.toSorted((a, b) => strength(b) - strength(a)).slice(mostKept))
      frame.picture = undefined;
  }
}
