/**
 * Processes in which image models run; each loads a model when it first needs it. Processes and not threads, since our
 * own runs WebAssembly without optimisation (decision 005), which halves the speed of a model; and a crash ends it alone.
 */
import { fork, type ChildProcess } from 'node:child_process';
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

interface Running {
  readonly child: ChildProcess;
  readonly waiting: Map<number, Waiting>;
  pictures: number;
}

/** A process is replaced after so many pictures: runtimes of models are known to leak. */
const mostPictures = 50_000;

const failed = (why: string) =>
  new AppError(503, 'model_failed', `The image model cannot be run: ${why}`.slice(0, 500));

export class ModelProcesses implements Disposable {
  readonly #most: number;
  readonly #processes: Running[] = [];
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
    const running = this.#free();
    const id = (this.#next += 1);
    const { promise, resolve, reject } = Promise.withResolvers<readonly (readonly number[])[]>();
    running.waiting.set(id, { resolve, reject });
    running.pictures += pictures.length;
    const question: ModelQuestion = {
      id,
      spec,
      size: { width: first.width, height: first.height },
      pictures: pictures.map(({ rgb }) => new Uint8Array(rgb)),
    };
    hold(running, true);
    running.child.send(question);
    const aborted = () => reject(signal?.reason as Error);
    signal?.addEventListener('abort', aborted, { once: true });
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', aborted);
      running.waiting.delete(id);
      if (running.waiting.size === 0) this.#rest(running);
    }
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    for (const { child } of this.#processes.splice(0)) child.kill('SIGKILL');
  }

  /** The least busy process, or another one. */
  #free(): Running {
    const least = this.#processes.toSorted((a, b) => a.waiting.size - b.waiting.size)[0];
    if (least !== undefined && (least.waiting.size === 0 || this.#processes.length >= this.#most))
      return least;
    return this.#start();
  }

  #start(): Running {
    const child = fork(new URL('./model-process.ts', import.meta.url), [], {
      serialization: 'advanced',
      execArgv: imported(process.execArgv),
      env: {},
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    const running: Running = { child, waiting: new Map(), pictures: 0 };
    child.on('message', (answer: ModelAnswer) => {
      const waiting = running.waiting.get(answer.id);
      if ('probs' in answer) waiting?.resolve(answer.probs);
      else waiting?.reject(failed(answer.error));
    });
    const gone = (why: string) => {
      const at = this.#processes.indexOf(running);
      if (at >= 0) this.#processes.splice(at, 1);
      for (const { reject } of running.waiting.values()) reject(failed(why));
    };
    child.once('error', (error) => gone(error.message));
    child.once('exit', () => gone('its process has ended.'));
    this.#processes.push(running);
    return running;
  }

  /** An idle process does not keep ours alive, and one that has worked long makes room for a new one. */
  #rest(running: Running): void {
    hold(running, false);
    if (running.pictures < mostPictures) return;
    const at = this.#processes.indexOf(running);
    if (at >= 0) this.#processes.splice(at, 1);
    running.child.kill('SIGKILL');
  }
}

/** What loads our source in an installed package (`--import`), and nothing that is for our own process alone. */
const imported = (given: readonly string[]): string[] =>
  given.filter((argument, i) => argument.startsWith('--import') || given[i - 1] === '--import');

/** Whether the process keeps ours alive. */
function hold({ child }: Running, isBusy: boolean): void {
  if (isBusy) {
    child.ref();
    child.channel?.ref();
  } else {
    child.unref();
    child.channel?.unref();
  }
}
