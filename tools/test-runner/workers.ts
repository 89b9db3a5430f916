import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { failedWhole, type FileReport, type WorkerMessage } from './file-report.ts';

export interface RunSettings {
  /** Root of the repository; paths are relative to it. */
  readonly root: string;
  /** Number of concurrent processes. */
  readonly workers: number;
  readonly env: NodeJS.ProcessEnv;
  /** Time limit of a file; afterwards it has failed and its process is killed. */
  readonly fileLimitMs: number;
  /** One process per file instead of shared ones. */
  readonly alone?: boolean;
  /** No file begins after this, in milliseconds of `performance.now()`; those left have no report. */
  readonly beginUntilMs?: number | undefined;
  /** Called with each finished file and its output. */
  readonly onReport: (report: FileReport, output: string) => void;
}

/** Memory limit of a worker; above it a new one is started. */
const mostResidentBytes = 2 * 1024 ** 3;
/** Maximum output kept per file; the end is kept. */
const keptOutput = 20_000;

/** Runs the files in the given order, one per worker at a time. */
export async function runFiles(files: readonly string[], settings: RunSettings): Promise<FileReport[]> {
  const waiting = [...files];
  const reports: FileReport[] = [];
  const { beginUntilMs = Infinity } = settings;
  const next = () => (performance.now() < beginUntilMs ? waiting.shift() : undefined);
  const lane = async () => {
    let worker: TestWorker | undefined;
    for (let file = next(); file !== undefined; file = next()) {
      worker ??= new TestWorker(settings);
      const report = await worker.run(file);
      reports.push(report);
      settings.onReport(report, worker.output);
      if (!worker.isSpent && settings.alone !== true) continue;
      await worker.end();
      worker = undefined;
    }
    await worker?.end();
  };
  await Promise.all(Array.from({ length: Math.min(settings.workers, files.length) }, lane));
  return reports;
}

class TestWorker {
  readonly #settings: RunSettings;
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown[]>;
  #onReport: (report: FileReport) => void = () => {};
  #running = '';
  #output = '';
  #residentBytes = 0;

  constructor(settings: RunSettings) {
    this.#settings = settings;
    this.#child = fork(join(import.meta.dirname, 'worker.ts'), [settings.root], {
      cwd: settings.root,
      env: settings.env,
      // Same flag as the program itself: docs/decisions/005-webassembly-compiled-once.md
      execArgv: ['--liftoff-only'],
      silent: true,
      // A separate process group, so that child processes of tests can be killed with it.
      detached: true,
    });
    this.#exited = once(this.#child, 'exit');
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk) => (this.#output = (this.#output + String(chunk)).slice(-keptOutput)));
    this.#child.on('message', (message: WorkerMessage) => this.#hear(message));
  }

  /** Output since the last file started. */
  get output(): string {
    return this.#output;
  }

  /** Whether it cannot run more files. */
  get isSpent(): boolean {
    return !this.#child.connected || this.#residentBytes > mostResidentBytes;
  }

  async run(file: string): Promise<FileReport> {
    const begunMs = performance.now();
    this.#output = '';
    this.#running = 'no test had begun';
    const over = new AbortController();
    const reported = new Promise<FileReport>((resolve) => (this.#onReport = resolve));
    const failed = (why: string) =>
      failedWhole(file, performance.now() - begunMs, `${why} (${this.#running}).`);
    const died = this.#exited.then(([code, signal]) =>
      failed(`Its process ended with ${String(code ?? signal)} before its tests were over`),
    );
    const late = sleep(this.#settings.fileLimitMs, undefined, { signal: over.signal }).then(
      () => {
        this.#kill();
        return failed(
          `It was not over after ${this.#settings.fileLimitMs / 1000} s: a test waits for something that never comes, or something was left open`,
        );
      },
      () => reported,
    );
    this.#child.send(file, () => {});
    const report = await Promise.race([reported, died, late]);
    over.abort();
    // Output and report arrive on different channels.
    if (report.failures.length > 0) await sleep(100);
    return report;
  }

  async end(): Promise<void> {
    if (this.#child.connected) this.#child.disconnect();
    await this.#exited;
    this.#kill();
  }

  #hear(message: WorkerMessage): void {
    if (message.kind === 'begun') this.#running = `last begun: ${message.test}`;
    else if (message.kind === 'report') {
      this.#residentBytes = message.residentBytes;
      this.#onReport(message.report);
    }
  }

  #kill(): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // No process of the group is left.
    }
  }
}
