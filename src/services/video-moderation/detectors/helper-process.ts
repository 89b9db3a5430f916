/**
 * A process of ours that answers questions, a message each. Image models and the reading of words run in such processes
 * and not in threads, since our own process runs WebAssembly without optimisation (decision 005), which halves their
 * speed; and a crash ends the helper alone.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import type { AppError } from '#base/errors.ts';

interface Asked<Question> {
  readonly id: number;
  readonly question: Question;
}

type Answered<Answer> =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly error: string };

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

export class HelperProcess<Question, Answer> implements Disposable {
  readonly #child: ChildProcess;
  readonly #failed: (why: string) => AppError;
  readonly #waiting = new Map<number, Waiting<Answer>>();
  #asked = 0;
  #hasEnded = false;

  /**
   * @param program a module that calls {@link serveQuestions}
   * @param failed the error for callers whose question got none or a failed answer
   */
  constructor(program: URL, failed: (why: string) => AppError) {
    this.#failed = failed;
    this.#child = fork(program, [], {
      serialization: 'advanced',
      execArgv: imported(process.execArgv),
      env: { TMPDIR: tmpdir() },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#child.on('message', (told: Answered<Answer>) => {
      const waiting = this.#waiting.get(told.id);
      if ('error' in told) waiting?.reject(failed(told.error));
      else waiting?.resolve(told.answer);
    });
    this.#child.once('error', (error) => this.#end(error.message));
    this.#child.once('exit', () => this.#end('its process has ended.'));
  }

  /** Questions without an answer yet. */
  get waiting(): number {
    return this.#waiting.size;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** @throws AppError as given to the constructor; the signal’s reason */
  async ask(question: Question, signal?: AbortSignal): Promise<Answer> {
    signal?.throwIfAborted();
    if (this.#hasEnded) throw this.#failed('its process has ended.');
    const id = (this.#asked += 1);
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#waiting.set(id, { resolve, reject });
    this.#hold(true);
    this.#child.send({ id, question } satisfies Asked<Question>);
    const aborted = () => reject(signal?.reason as Error);
    signal?.addEventListener('abort', aborted, { once: true });
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', aborted);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#hold(false);
    }
  }

  [Symbol.dispose](): void {
    this.#child.kill('SIGKILL');
  }

  /** Whether the helper keeps our process alive: an idle one does not. */
  #hold(isBusy: boolean): void {
    if (isBusy) {
      this.#child.ref();
      this.#child.channel?.ref();
    } else {
      this.#child.unref();
      this.#child.channel?.unref();
    }
  }

  #end(why: string): void {
    this.#hasEnded = true;
    for (const { reject } of this.#waiting.values()) reject(this.#failed(why));
  }
}

/** What loads our source in an installed package (`--import`), and nothing that is for our own process alone. */
const imported = (given: readonly string[]): string[] =>
  given.filter((argument, i) => argument.startsWith('--import') || given[i - 1] === '--import');

/** The other side: answers the questions of a {@link HelperProcess}, and ends with the process that asked. */
export function serveQuestions<Question, Answer>(answerOf: (question: Question) => Promise<Answer>): void {
  const tell = (told: Answered<Answer>) => process.send?.(told);
  process.on('message', ({ id, question }: Asked<Question>) => {
    answerOf(question).then(
      (answer) => tell({ id, answer }),
      (error: unknown) => tell({ id, error: String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
}
