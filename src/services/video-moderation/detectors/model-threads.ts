/** Threads in which image models run; each loads a model when it first needs it. */
import { Worker } from 'node:worker_threads';
import { AppError } from '#base/errors.ts';
import type { Picture } from '#engine/video/picture.ts';

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
  readonly id: number;
  readonly spec: ModelSpec;
  readonly size: { readonly width: number; readonly height: number };
  readonly pictures: readonly Uint8Array[];
}

export type ModelAnswer =
  | { readonly id: number; readonly probs: readonly (readonly number[])[] }
  | { readonly id: number; readonly error: string };

interface Waiting {
  readonly resolve: (probs: readonly (readonly number[])[]) => void;
  readonly reject: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
  pictures: number;
}

/** A thread is replaced after so many pictures: runtimes of models are known to leak. */
const mostPictures = 50_000;

const failed = (why: string) =>
  new AppError(503, 'model_failed', `The image model cannot be run: ${why}`.slice(0, 500));

export class ModelThreads implements AsyncDisposable {
  readonly #most: number;
  readonly #threads: Thread[] = [];
  #next = 1;
  #isClosed = false;

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * The model’s outputs for each picture. All pictures have one size.
   * @throws AppError 503 where the model cannot be run; the signal’s reason
   */
  async run(
    spec: ModelSpec,
    pictures: readonly Picture[],
    signal?: AbortSignal,
  ): Promise<readonly (readonly number[])[]> {
    signal?.throwIfAborted();
    const [first] = pictures;
    if (first === undefined) return [];
    if (this.#isClosed) throw failed('the service is shutting down.');
    const thread = this.#free();
    const id = (this.#next += 1);
    const { promise, resolve, reject } = Promise.withResolvers<readonly (readonly number[])[]>();
    thread.waiting.set(id, { resolve, reject });
    thread.pictures += pictures.length;
    const question: ModelQuestion = {
      id,
      spec,
      size: { width: first.width, height: first.height },
      pictures: pictures.map(({ rgb }) => new Uint8Array(rgb)),
    };
    thread.worker.ref();
    thread.worker.postMessage(
      question,
      question.pictures.map(({ buffer }) => buffer as ArrayBuffer),
    );
    const aborted = () => reject(signal?.reason as Error);
    signal?.addEventListener('abort', aborted, { once: true });
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', aborted);
      thread.waiting.delete(id);
      if (thread.waiting.size === 0) this.#rest(thread);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()));
  }

  /** The least busy thread, or another one. */
  #free(): Thread {
    const least = this.#threads.toSorted((a, b) => a.waiting.size - b.waiting.size)[0];
    if (least !== undefined && (least.waiting.size === 0 || this.#threads.length >= this.#most)) return least;
    return this.#start();
  }

  #start(): Thread {
    const worker = new Worker(new URL('./model-thread.ts', import.meta.url));
    const thread: Thread = { worker, waiting: new Map(), pictures: 0 };
    worker.on('message', (answer: ModelAnswer) => {
      const waiting = thread.waiting.get(answer.id);
      if ('probs' in answer) waiting?.resolve(answer.probs);
      else waiting?.reject(failed(answer.error));
    });
    const gone = (why: string) => {
      const at = this.#threads.indexOf(thread);
      if (at >= 0) this.#threads.splice(at, 1);
      for (const { reject } of thread.waiting.values()) reject(failed(why));
    };
    worker.once('error', (error) => gone(error.message));
    worker.once('exit', () => gone('its thread has ended.'));
    this.#threads.push(thread);
    return thread;
  }

  /** An idle thread does not keep the process alive, and one that has worked long makes room for a new one. */
  #rest(thread: Thread): void {
    thread.worker.unref();
    if (thread.pictures < mostPictures) return;
    const at = this.#threads.indexOf(thread);
    if (at >= 0) this.#threads.splice(at, 1);
    void thread.worker.terminate();
  }
}
