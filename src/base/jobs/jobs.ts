import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import { unavailable } from '#base/errors.ts';
import type { Database, Queries } from '../db/database.ts';
import { openBoss } from './boss.ts';

interface JobOptions {
  /** How many of this name run at a time in this process; default 1. */
  concurrency?: number;
  /** A run that takes longer has failed, and its signal is aborted; default 900. */
  timeoutSeconds?: number;
  /** How often a failed run is tried again; default 2. Give 0 to what must not happen twice. */
  retries?: number;
  /** The pause before the first retry, doubled with each; default 5. */
  retryDelaySeconds?: number;
  /** How long a finished job stays in the database; default a day. */
  keepSeconds?: number;
}

interface Job<T extends object> {
  id: string;
  data: T;
  /** Aborted when the job takes too long, when its claim is lost, and when the process has to stop. */
  signal: AbortSignal;
}

interface SendOptions {
  /** Not before so many seconds from now. */
  delaySeconds?: number;
  /** Higher ones run first; default 0. */
  priority?: number;
  /** With `everySeconds`: the sends that count as one. */
  key?: string;
  /** Only the first send in each slot of so many seconds makes a job; the others answer null. */
  everySeconds?: number;
  /** Makes the job with the transaction, or not at all. */
  tx?: Queries;
}

/** How often: a number of seconds, or a cron expression of five fields in UTC. */
type Schedule = { everySeconds: number } | { cron: string };

export interface JobSettings {
  /** How long running jobs may take to end when the process stops; default 10,000. */
  graceMs?: number;
  /** By how much a delayed or retried job may be late; default 10. A new one starts at once. */
  pollSeconds?: number;
  /**
   * A process that gave no sign for so long is taken for dead, and its jobs run again; default 30, at least 10. On
   * the embedded database that is known at once, because no other process can have it.
   */
  deadAfterSeconds?: number;
  onWarning?: (message: string) => void;
}

/**
 * Background jobs that outlive the process: a job is in the database from `send` on, runs at least once, and is run
 * again where its process died. So a run must be able to find half of its work done.
 */
export interface Jobs extends AsyncDisposable {
  /** Says how jobs of this name are run; they run once `start` was called. */
  define<T extends object>(
    name: string,
    options: JobOptions,
    run: (job: Job<T>) => Promise<void>,
  ): Promise<void>;
  /** Makes a job and answers its id; null where `everySeconds` says that there is one already. The name must be defined. */
  send<T extends object>(name: string, data: T, options?: SendOptions): Promise<string | null>;
  /** Makes a job of that name again and again; several processes together make one at a time. */
  schedule<T extends object>(name: string, when: Schedule, data?: T): Promise<void>;
  /** Starts running what is defined. Without a definition the queue is not touched at all. */
  start(): Promise<void>;
  /** Whether jobs are being executed: true from the end of `start` until disposal begins. */
  readonly isExecuting: boolean;
}

/** The queue of `db`, in its schema `jobs`. Disposing it lets running jobs end for `graceMs`, then puts them back. */
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
  /** The transaction that a send goes with. */
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
    // What was sent under a name is of the type that the name was defined with.
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
            // There may be more to do, and a notification that came meanwhile is gone: look again at once.
            boss.notifyWorker(worker);
          }
        },
      );
    }
  }

  async #stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    if (this.#boss === undefined) return;
    // One that could not be opened has told its callers.
    const boss = await this.#boss.catch(() => undefined);
    await boss?.stop({ graceful: true, timeout: this.#graceMs, close: false });
    // What had to be interrupted gets a moment to notice, before its database is closed.
    await Promise.race([Promise.allSettled(this.#running), sleep(1_000, undefined, { ref: false })]);
  }
}

const sendOptions = ({ delaySeconds, priority, key, everySeconds }: SendOptions) => ({
  ...(delaySeconds !== undefined && { startAfter: delaySeconds }),
  ...(priority !== undefined && { priority }),
  ...(key !== undefined && { singletonKey: key }),
  ...(everySeconds !== undefined && { singletonSeconds: everySeconds }),
});

/** Makes the queue of this name, or brings it to the options that it is defined with now. */
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
