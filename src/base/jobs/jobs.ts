import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import { unavailable } from '#base/errors.ts';
import type { Database, Queries } from '../db/database.ts';
import { openBoss } from './boss.ts';

interface JobOptions {
  /** Concurrency in this process; default 1. */
  concurrency?: number;
  /** Timeout, after which the job fails and its signal is aborted; default 900. */
  timeoutSeconds?: number;
  /** Retries; default 2. Use 0 for work that must not happen twice. */
  retries?: number;
  /** Delay before the first retry, doubled each time; default 5. */
  retryDelaySeconds?: number;
  /** Retention of finished jobs; default a day. */
  keepSeconds?: number;
}

interface Job<T extends object> {
  id: string;
  data: T;
  /** Aborted on timeout, when the claim is lost, and when the process stops. */
  signal: AbortSignal;
}

interface SendOptions {
  /** Delay before the job may start. */
  delaySeconds?: number;
  /** Higher ones run first; default 0. */
  priority?: number;
  /** With `everySeconds`: deduplication key. */
  key?: string;
  /** At most one job per slot of this length; further sends return null. */
  everySeconds?: number;
  /** Creates the job in this transaction. */
  tx?: Queries;
}

/** An interval in seconds, or a cron expression of five fields in UTC. */
type Schedule = { everySeconds: number } | { cron: string };

export interface JobSettings {
  /** Time for running jobs to finish at shutdown; default 10,000. */
  graceMs?: number;
  /** Polling interval for delayed and retried jobs; default 10. New ones start at once. */
  pollSeconds?: number;
  /**
   * A process without a heartbeat for this long is considered dead and its jobs run again; default 30, at least 10. On
   * the embedded database this is known at once, because only one process can use it.
   */
  deadAfterSeconds?: number;
  onWarning?: (message: string) => void;
}

/**
 * Durable background jobs: a job is stored in the database by `send`, runs at least once, and runs
 * again if its process died. So jobs must be idempotent.
 */
export interface Jobs extends AsyncDisposable {
  /** Registers the code for jobs of this name; they run after `start`. */
  define<T extends object>(
    name: string,
    options: JobOptions,
    run: (job: Job<T>) => Promise<void>,
  ): Promise<void>;
  /** Creates a job and returns its id; null if `everySeconds` finds one already. The name must be defined. */
  send<T extends object>(name: string, data: T, options?: SendOptions): Promise<string | null>;
  /** Creates jobs on a schedule; several processes together create one at a time. */
  schedule<T extends object>(name: string, when: Schedule, data?: T): Promise<void>;
  /** Starts running defined jobs. Without definitions the queue is not touched. */
  start(): Promise<void>;
  /** Whether jobs are being executed: true from the end of `start` until disposal begins. */
  readonly isExecuting: boolean;
}

/** The queue of `db`, in its schema `jobs`. Disposing it waits `graceMs` for running jobs, then returns them to the queue. */
export const createJobs = (db: Database, settings: JobSettings = {}): Jobs => new JobQueue(db, settings);

interface Definition {
  options: JobOptions;
  run: (job: Job<object>) => Promise<void>;
}

class JobQueue implements Jobs {
  readonly #db: Database;
  readonly #graceMs: number;
  readonly #pollSeconds: number;
  readonly #deadAfterSeconds: number;
  readonly #onWarning: (message: string) => void;
  readonly #definitions = new Map<string, Definition>();
  readonly #schedules: (() => Promise<void>)[] = [];
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #queues = new Map<string, Promise<PgBoss>>();
  /** The transaction of the current send. */
  readonly #joined = new AsyncLocalStorage<Queries>();
  readonly #running = new Set<Promise<unknown>>();
  #boss: Promise<PgBoss> | undefined;
  #started = false;
  #isExecuting = false;
  #stopping: Promise<void> | undefined;

  constructor(
    db: Database,
    { graceMs = 10_000, pollSeconds = 10, deadAfterSeconds = 30, onWarning = () => {} }: JobSettings,
  ) {
    this.#db = db;
    this.#graceMs = graceMs;
    this.#pollSeconds = pollSeconds;
    this.#deadAfterSeconds = deadAfterSeconds;
    this.#onWarning = onWarning;
  }

  async define<T extends object>(
    name: string,
    options: JobOptions,
    run: (job: Job<T>) => Promise<void>,
  ): Promise<void> {
    if (this.#definitions.has(name)) throw new Error(`The job "${name}" is defined already.`);
    // Data sent under a name has the type of its definition.
    const definition = { options, run: run as Definition['run'] };
    this.#definitions.set(name, definition);
    if (this.#started) await this.#work(name, definition);
  }

  async send<T extends object>(name: string, data: T, options: SendOptions = {}): Promise<string | null> {
    const boss = await this.#queue(name);
    const { tx } = options;
    const send = async () => boss.send(name, data, sendOptions(options));
    return tx === undefined ? send() : this.#joined.run(tx, send);
  }

  async schedule<T extends object>(name: string, when: Schedule, data?: T): Promise<void> {
    const begin = async () => {
      if ('cron' in when) {
        await (await this.#queue(name)).schedule(name, when.cron, data ?? {}, { tz: 'UTC', key: 'bulwark' });
        return;
      }
      const { everySeconds } = when;
      const tick = async () => {
        try {
          await this.send(name, data ?? {}, { everySeconds });
        } catch (error) {
          this.#onWarning(`The job "${name}" could not be scheduled: ${String(error)}`);
        }
      };
      this.#timers.push(setInterval(() => void tick(), everySeconds * 1000).unref());
      await tick();
    };
    if (this.#started) await begin();
    else this.#schedules.push(begin);
  }

  async start(): Promise<void> {
    if (this.#started) return;
    this.#started = true;
    for (const [name, definition] of this.#definitions) await this.#work(name, definition);
    for (const begin of this.#schedules) await begin();
    this.#isExecuting = true;
  }

  get isExecuting(): boolean {
    return this.#isExecuting && this.#stopping === undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping ??= this.#stop();
    await this.#stopping;
  }

  /** pg-boss, with the queue of this name in it. */
  #queue(name: string): Promise<PgBoss> {
    if (this.#stopping !== undefined) throw unavailable('The service is shutting down.');
    const definition = this.#definitions.get(name);
    if (definition === undefined) throw new Error(`The job "${name}" is not defined.`);
    const open = async () => {
      this.#boss ??= openBoss(this.#db, this.#joined, this.#deadAfterSeconds, this.#onWarning);
      const boss = await this.#boss;
      await ensureQueue(boss, name, definition.options, this.#deadAfterSeconds);
      return boss;
    };
    const queue = this.#queues.get(name) ?? open();
    this.#queues.set(name, queue);
    return queue;
  }

  async #work(name: string, { options, run }: Definition): Promise<void> {
    const boss = await this.#queue(name);
    for (let i = 0; i < (options.concurrency ?? 1); i++) {
      const worker: string = await boss.work<object>(
        name,
        {
          notifyPollingIntervalSeconds: this.#pollSeconds,
          pollingIntervalSeconds: Math.min(2, this.#pollSeconds),
        },
        async ([job]) => {
          if (job === undefined) return;
          const done = run({ id: job.id, data: job.data, signal: job.signal });
          this.#running.add(done);
          try {
            await done;
          } finally {
            this.#running.delete(done);
            // A notification may have been missed meanwhile: check for more work at once.
            boss.notifyWorker(worker);
          }
        },
      );
    }
  }

  async #stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    if (this.#boss === undefined) return;
    // A failed start was already reported to its callers.
    const boss = await this.#boss.catch(() => undefined);
    await boss?.stop({ graceful: true, timeout: this.#graceMs, close: false });
    // Give interrupted jobs a moment to stop before the database is closed.
    await Promise.race([Promise.allSettled(this.#running), sleep(1_000, undefined, { ref: false })]);
  }
}

const sendOptions = ({ delaySeconds, priority, key, everySeconds }: SendOptions) => ({
  ...(delaySeconds !== undefined && { startAfter: delaySeconds }),
  ...(priority !== undefined && { priority }),
  ...(key !== undefined && { singletonKey: key }),
  ...(everySeconds !== undefined && { singletonSeconds: everySeconds }),
});

/** Creates the queue of this name, or updates its options. */
async function ensureQueue(
  boss: PgBoss,
  name: string,
  options: JobOptions,
  heartbeatSeconds: number,
): Promise<void> {
  const wanted = {
    expireInSeconds: options.timeoutSeconds ?? 900,
    retryLimit: options.retries ?? 2,
    retryDelay: options.retryDelaySeconds ?? 5,
    retryBackoff: true,
    deleteAfterSeconds: options.keepSeconds ?? 86_400,
    heartbeatSeconds,
    notify: true,
  };
  if ((await boss.getQueue(name)) === null) await boss.createQueue(name, wanted);
  else await boss.updateQueue(name, wanted);
}
