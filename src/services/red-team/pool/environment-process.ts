import { createInterface } from 'node:readline';
import type { EnvironmentHandle } from '#engine/red-team/session/sandbox-session.ts';
import type { RunningProcess } from '#base/processes/start-process.ts';
import type { Sink } from '#environments/kit/environment.ts';
import type { ListedTool } from '#environments/kit/instance.ts';
import type { Row } from '#environments/kit/row.ts';
import type {
  EnvironmentAnswer,
  EnvironmentMethod,
  EnvironmentMethods,
} from '#environments/process/protocol.ts';

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (reason: Error) => void;
  timer: NodeJS.Timeout;
}

/** A process that does not answer in this time is ended, for instance because a statement of an agent never ends. */
const longestAnswerMs = 20_000;

/** An environment in another process: the other end of `serve-environment.ts`. */
export class EnvironmentProcess implements EnvironmentHandle, AsyncDisposable {
  readonly sinks: Sink[];
  readonly #name: string;
  readonly #process: RunningProcess;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;
  #fault: Error | undefined;
  #lastWords = '';
  #tools: ListedTool[] | undefined;

  constructor(name: string, sinks: Sink[], running: RunningProcess) {
    this.#name = name;
    this.sinks = sinks;
    this.#process = running;
    createInterface({ input: running.stdout, crlfDelay: Infinity }).on('line', (line) => this.#read(line));
    running.stderr.on('data', (part: Buffer) => {
      this.#lastWords = `${this.#lastWords}${part.toString('utf8')}`.slice(-400);
    });
    void running.exited.then(({ code, signal }) =>
      this.#fail(
        `ended (${signal ?? `status ${code}`})${this.#lastWords ? `: ${this.#lastWords.trim()}` : ''}`,
      ),
    );
  }

  get pid(): number {
    return this.#process.pid;
  }

  async reset(seed: string, additions: Record<string, Row[]>): Promise<void> {
    await this.#ask('reset', { seed, additions });
  }

  /** Asked once: tools do not depend on the session. */
  async tools(): Promise<ListedTool[]> {
    this.#tools ??= await this.#ask('tools', {});
    return this.#tools;
  }

  call(tool: string, args: Record<string, unknown>) {
    return this.#ask('call', { tool, args });
  }

  changes() {
    return this.#ask('changes', {});
  }

  rows(table: string) {
    return this.#ask('rows', { table });
  }

  /** Whether the process still answers. */
  async answers(): Promise<boolean> {
    try {
      await this.#ask('ping', {});
      return true;
    } catch {
      return false;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#fail('was stopped');
    await this.#process[Symbol.asyncDispose]();
  }

  #ask<Method extends EnvironmentMethod>(
    method: Method,
    parameters: Parameters<EnvironmentMethods[Method]>[0],
  ): Promise<ReturnType<EnvironmentMethods[Method]>> {
    if (this.#fault) return Promise.reject(this.#fault);
    const id = ++this.#count;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const timer = setTimeout(() => {
      this.#fail(`did not answer within ${longestAnswerMs / 1000} seconds`);
      void this.#process.stop();
    }, longestAnswerMs);
    this.#waiting.set(id, { resolve, reject, timer });
    this.#process.stdin.write(`${JSON.stringify({ id, method, parameters })}\n`);
    return promise as Promise<ReturnType<EnvironmentMethods[Method]>>;
  }

  #read(line: string): void {
    const answer = JSON.parse(line) as EnvironmentAnswer;
    const waiting = this.#waiting.get(answer.id);
    if (!waiting) return;
    this.#waiting.delete(answer.id);
    clearTimeout(waiting.timer);
    if ('error' in answer) waiting.reject(new Error(`The environment ${this.#name}: ${answer.error}`));
    else waiting.resolve(answer.result);
  }

  /** Every request under way and every later one is refused with this reason. */
  #fail(how: string): void {
    this.#fault ??= new Error(`The process of the environment ${this.#name} ${how}.`);
    for (const { reject, timer } of this.#waiting.values()) {
      clearTimeout(timer);
      reject(this.#fault);
    }
    this.#waiting.clear();
  }
}
