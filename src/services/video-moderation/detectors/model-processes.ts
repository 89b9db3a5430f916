/** Processes in which image models run; each loads a model when it first needs it. */
import { AppError } from '#base/errors.ts';
import type { Picture } from '#engine/video/picture.ts';
import { HelperProcess } from './helper-process.ts';

/** How a model wants its pictures, and what its numbers mean. */
export interface ModelSpec {
  readonly path: string;
  readonly input: {
    readonly width: number;
    readonly height: number;
    /** `bytes`: height × width × 3 as they are; else numbers, (byte × scale − mean) ÷ std. */
    readonly layout: 'bytes' | 'nchw' | 'nhwc';
    readonly channels: 'rgb' | 'bgr';
    readonly scale: number;
    readonly mean: readonly number[];
    readonly std: readonly number[];
  };
  readonly output: { readonly activation: 'none' | 'softmax' | 'sigmoid'; readonly temperature: number };
}

export interface ModelQuestion {
  readonly spec: ModelSpec;
  readonly size: { readonly width: number; readonly height: number };
  readonly pictures: readonly Uint8Array[];
}

/** The model’s outputs for each picture. */
export type ModelAnswer = readonly (readonly number[])[];

interface Running {
  readonly process: HelperProcess<ModelQuestion, ModelAnswer>;
  pictures: number;
}

/** A process is replaced after so many pictures: runtimes of models are known to leak. */
const mostPictures = 50_000;

const failed = (why: string) =>
  new AppError(503, 'model_failed', `The image model cannot be run: ${why}`.slice(0, 500));

export class ModelProcesses implements Disposable {
  readonly #most: number;
  #running: Running[] = [];
  #isClosed = false;

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * The model’s outputs for each picture. All pictures have one size.
   * @throws AppError 503 where the model cannot be run; the signal’s reason
   */
  async run(spec: ModelSpec, pictures: readonly Picture[], signal?: AbortSignal): Promise<ModelAnswer> {
    signal?.throwIfAborted();
    const [first] = pictures;
    if (first === undefined) return [];
    if (this.#isClosed) throw failed('the service is shutting down.');
    const running = this.#free();
    running.pictures += pictures.length;
    const question = {
      spec,
      size: { width: first.width, height: first.height },
      pictures: pictures.map(({ rgb }) => new Uint8Array(rgb)),
    };
    try {
      return await running.process.ask(question, signal);
    } finally {
      this.#replaceIfWorn(running);
    }
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    for (const { process } of this.#running.splice(0)) process[Symbol.dispose]();
  }

  /** The least busy process, or another one. */
  #free(): Running {
    this.#running = this.#running.filter(({ process }) => !process.hasEnded);
    const least = this.#running.toSorted((a, b) => a.process.waiting - b.process.waiting)[0];
    if (least !== undefined && (least.process.waiting === 0 || this.#running.length >= this.#most))
      return least;
    const running: Running = {
      process: new HelperProcess(new URL('./model-process.ts', import.meta.url), failed),
      pictures: 0,
    };
    this.#running.push(running);
    return running;
  }

  /** A process that has worked long makes room for a new one. */
  #replaceIfWorn(running: Running): void {
    if (running.pictures < mostPictures || running.process.waiting > 0) return;
    this.#running = this.#running.filter((each) => each !== running);
    running.process[Symbol.dispose]();
  }
}
