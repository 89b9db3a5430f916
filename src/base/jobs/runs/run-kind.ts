/** Runs of one kind: what services start and ask for, and what this process executes of them. */
import { invalid } from '#base/errors.ts';
import { newUuid } from '#base/ids.ts';
import type { Database, Queries } from '../../db/database.ts';
import type { Logger } from '../../log/log.ts';
import { type AnyExecuted, boundedJson, type Executed, Execution } from './execution.ts';
import {
  interruptionBy,
  type Outcome,
  type Run,
  type RunOwner,
  type RunRecord,
  type RunScope,
  type RunStatus,
  type RunSummary,
} from './run.ts';
import * as claims from './claim-store.ts';
import * as queue from './queue-store.ts';
import { type RunChange, tell } from './rows.ts';
import * as store from './store.ts';
import { watchRun, type RunChanges } from './watch.ts';

export interface KindOptions<Input, Result> {
  /** How many this process executes at a time; default 1. */
  readonly concurrency?: number;
  /** How many all processes execute at a time; default: as many as each can. */
  readonly overall?: number;
  /** How many of one user all processes execute at a time; default: as many as there are. */
  readonly perUser?: number;
  /** An execution that takes longer has failed; default 3600. */
  readonly timeoutSeconds?: number;
  /** A sentence for whoever started one that took too long: how to ask for less. */
  readonly timeoutAdvice?: string;
  /**
   * With so many crashes it has failed; default 5. 1: it is never begun again by itself. The count begins anew when it is
   * resumed.
   */
  readonly mostCrashes?: number;
  /** How long a run stays after its end; by default until `delete` is called for it. */
  readonly keepSeconds?: number;
  /** Of the input, the checkpoint and the result as JSON, each; default 1 MiB. What is larger belongs in a table or an artifact. */
  readonly limitBytes?: number;
  /** Takes part in the transaction that ends a run, however and wherever it ends. */
  readonly atEnd?: (tx: Queries, run: RunRecord<Input, Result>) => Promise<void>;
  /** Told once a run has ended, with what it threw, by the process in which that happened; for logs and metrics. */
  readonly onEnded?: (run: RunRecord<Input, Result>, cause?: unknown) => void;
}

export interface StartOptions {
  /** Starts it with this transaction, or not at all. */
  readonly tx?: Queries;
  /** A UUID; made here by default. */
  readonly id?: string;
  /** What it is about, for lists. */
  readonly subject?: string;
  /** Starting again with the same key, user and kind makes no second run while the first is kept. */
  readonly key?: string;
  /** Refuses the start, by throwing what `refuse` makes, where the user has so many that have not ended. */
  readonly most?: { readonly underWay: number; readonly refuse: () => Error };
}

export interface RunKind<Input, Result> extends AsyncDisposable {
  /**
   * Makes a run; it is in the queue when this resolves. Answers the id, of an earlier run where that had the same key.
   * @throws AppError 422 where the input is too large.
   */
  start(owner: RunOwner, input: Input, options?: StartOptions): Promise<string>;
  find(id: string, scope: RunScope): Promise<RunRecord<Input, Result> | undefined>;
  /** Newest first; `after` is the `next` of the page before. */
  list(
    scope: RunScope,
    page: store.RunFilter & { readonly after?: string | undefined; readonly limit: number },
  ): Promise<store.RunPage>;
  /** Ends it for good. Undefined where there is none in this scope that has not ended. */
  cancel(id: string, scope: RunScope): Promise<RunRecord<Input, Result> | undefined>;
  /** Stops it, queued or running, until it is resumed. Undefined where there is none in this scope that could be. */
  pause(id: string, scope: RunScope): Promise<RunRecord<Input, Result> | undefined>;
  /**
   * Queues it again, to go on from its checkpoint: one that is paused or waits, or one of those named in `from`. Undefined
   * where there is none in this scope.
   */
  resume(
    id: string,
    scope: RunScope,
    options?: { readonly from?: readonly ('paused' | 'waiting' | 'failed')[]; readonly tx?: Queries },
  ): Promise<RunRecord<Input, Result> | undefined>;
  /** Its place among the runs of all users; undefined where there is no such run. */
  position(id: string): Promise<queue.QueuePlace | undefined>;
  /** Ids in the order of the queue, at most so many of each. */
  queue(scope: RunScope, limit: number): Promise<{ queued: string[]; running: string[] }>;
  /** How it stands now and after each change, wherever that happens, until it has ended; changes that follow fast are one. */
  watch(id: string, scope: RunScope, signal: AbortSignal): AsyncIterable<RunSummary>;
  /** Deletes runs, whatever their status; what runs of them is broken off. Answers their ids. */
  delete(
    tx: Queries,
    which: { readonly ids?: readonly string[]; readonly subject?: string },
  ): Promise<string[]>;
}

const defaults = { timeoutSeconds: 3600, mostCrashes: 5, limitBytes: 1024 * 1024 };
const purgeEveryMs = 600_000;
const purgeBatch = 1000;

interface Surroundings {
  readonly db: Database;
  readonly log: Logger;
  readonly leaseMs: number;
  readonly graceMs: number;
  readonly changes: RunChanges;
}

export class KindHere<Input, Result, Checkpoint> implements RunKind<Input, Result> {
  readonly #db: Database;
  readonly #around: Surroundings;
  readonly #options: KindOptions<Input, Result>;
  readonly #by: AnyExecuted;
  readonly #executions = new Map<string, Execution>();
  #started = false;
  #stopping: Promise<void> | undefined;
  #pumping: Promise<void> | undefined;
  #pumpAgain = false;
  #purgedAtMs = -Infinity;

  constructor(
    around: Surroundings,
    kind: string,
    options: KindOptions<Input, Result>,
    run: (run: Run<Input, Checkpoint>) => Promise<Outcome<Result>>,
    onEnded: (run: RunSummary) => void,
  ) {
    this.#around = around;
    this.#db = around.db;
    this.#options = options;
    const by: Executed<Input, Result, Checkpoint> = {
      kind,
      run,
      timeoutSeconds: options.timeoutSeconds ?? defaults.timeoutSeconds,
      timeoutAdvice: options.timeoutAdvice,
      mostCrashes: options.mostCrashes ?? defaults.mostCrashes,
      limitBytes: options.limitBytes ?? defaults.limitBytes,
      atEnd: options.atEnd,
      onEnded: (ended, cause) => {
        if (ended.error?.code === 'error')
          around.log.error({ err: cause, run_id: ended.id, run_kind: kind }, 'a run has failed');
        onEnded(ended);
        options.onEnded?.(ended, cause);
      },
    };
    // What is stored under a kind is of the types that the kind was defined with.
    this.#by = by as unknown as AnyExecuted;
  }

  get #kind(): string {
    return this.#by.kind;
  }

  async start(owner: RunOwner, input: Input, options: StartOptions = {}): Promise<string> {
    const { tx, subject, key, most, id = newUuid() } = options;
    const { limitBytes } = this.#by;
    const stored = boundedJson(input, limitBytes, (bytes) => {
      throw invalid(
        `What is asked for takes ${bytes} bytes, more than ${limitBytes}. Ask for less at a time.`,
      );
    });
    const { tenantId, userId } = owner;
    const insert = async (within: Queries) => {
      if (most !== undefined && (await store.countUnderWay(within, this.#kind, owner)) >= most.underWay)
        throw most.refuse();
      const run = { id, kind: this.#kind, tenantId, userId, subject, key, input: stored };
      const made = await store.insertRun(within, run);
      if (made === id) await tell(within, { kind: this.#kind, id, status: 'queued' });
      return made;
    };
    return tx === undefined ? this.#db.transaction(insert) : insert(tx);
  }

  async find(id: string, scope: RunScope) {
    return (await store.findRun(this.#db, this.#kind, id, scope)) as RunRecord<Input, Result> | undefined;
  }

  async list(scope: RunScope, page: Parameters<typeof store.listRuns>[3]): Promise<store.RunPage> {
    return store.listRuns(this.#db, this.#kind, scope, page);
  }

  async cancel(id: string, scope: RunScope) {
    const from = ['queued', 'running', 'paused', 'waiting'] as const;
    const cancelled = await this.#db.transaction(async (tx) => {
      const run = await store.moveRun(tx, this.#kind, id, scope, { from, to: 'cancelled' });
      if (run !== undefined) await this.#by.atEnd?.(tx, run);
      return run;
    });
    if (cancelled !== undefined) this.#by.onEnded(cancelled);
    return cancelled as RunRecord<Input, Result> | undefined;
  }

  async pause(id: string, scope: RunScope) {
    const paused = await this.#db.transaction((tx) =>
      store.moveRun(tx, this.#kind, id, scope, { from: ['queued', 'running'], to: 'paused' }),
    );
    return paused as RunRecord<Input, Result> | undefined;
  }

  async resume(
    id: string,
    scope: RunScope,
    {
      tx,
      from = ['paused', 'waiting'],
    }: { from?: readonly ('paused' | 'waiting' | 'failed')[]; tx?: Queries } = {},
  ) {
    const move = async (within: Queries) =>
      store.moveRun(within, this.#kind, id, scope, { from, to: 'queued' });
    const queued = await (tx === undefined ? this.#db.transaction(move) : move(tx));
    return queued as RunRecord<Input, Result> | undefined;
  }

  async position(id: string): Promise<queue.QueuePlace | undefined> {
    return queue.findPlace(this.#db, this.#kind, id);
  }

  async queue(scope: RunScope, limit: number) {
    return queue.listQueue(this.#db, this.#kind, scope, limit);
  }

  watch(id: string, scope: RunScope, signal: AbortSignal): AsyncIterable<RunSummary> {
    return watchRun(this.#around.changes, async () => this.find(id, scope), id, signal);
  }

  async delete(tx: Queries, which: { ids?: readonly string[]; subject?: string }): Promise<string[]> {
    return store.deleteRuns(tx, this.#kind, which);
  }

  /** From now on this process executes them. `first`: no other process lives, so every claim is of a dead one. */
  async begin(first: boolean): Promise<void> {
    await this.recover(first);
    this.#started = true;
    this.pump();
  }

  /** Takes as many of the queue as there is room for; one call at a time, and once more where it is called meanwhile. */
  pump(): void {
    if (!this.#started || this.#stopping !== undefined) return;
    if (this.#pumping !== undefined) {
      this.#pumpAgain = true;
      return;
    }
    this.#pumping = this.#claim()
      .catch((err: unknown) =>
        this.#around.log.warn(
          { err, run_kind: this.#kind },
          'queued runs could not be taken; tried again soon',
        ),
      )
      .finally(() => {
        this.#pumping = undefined;
        if (!this.#pumpAgain) return;
        this.#pumpAgain = false;
        this.pump();
      });
  }

  async #claim(): Promise<void> {
    const { concurrency = 1, overall, perUser } = this.#options;
    const free = concurrency - this.#executions.size;
    if (free <= 0) return;
    const limits = { free, leaseMs: this.#around.leaseMs, overall, perUser };
    const claimed = await this.#db.transaction((tx) => claims.claimRuns(tx, this.#kind, limits));
    for (const run of claimed) {
      const execution = new Execution(this.#db, this.#around.log, this.#by, run);
      this.#executions.set(run.claim, execution);
      if (this.#stopping !== undefined) execution.interrupt('stopping');
      void execution.done.then(() => {
        this.#executions.delete(run.claim);
        this.pump();
      });
    }
  }

  /** Another process, or this one, has changed a run. */
  changed({ id, status }: RunChange): void {
    if (status !== 'running' && status !== 'queued')
      for (const execution of this.#executions.values())
        if (execution.claimed.id === id) execution.interrupt(interruptionBy(status));
    if (status !== 'running') this.pump();
  }

  /** Claims that this process has. */
  get claims(): readonly string[] {
    return [...this.#executions.keys()];
  }

  /** Which of the claims that were `asked` for still stand; the others are broken off. */
  standing(statuses: ReadonlyMap<string, RunStatus>, asked: ReadonlySet<string>): void {
    for (const [claim, execution] of this.#executions) {
      if (!asked.has(claim)) continue;
      const status = statuses.get(claim);
      if (status !== 'running') execution.interrupt(interruptionBy(status));
    }
  }

  /** Takes back the runs of dead processes, and deletes what is kept no longer. */
  async recover(lostAtOnce = false): Promise<void> {
    const { mostCrashes, atEnd, onEnded } = this.#by;
    const failed = await this.#db.transaction(async (tx) => {
      const recovery = { mostCrashes, except: this.claims, lostAtOnce };
      const taken = await claims.recoverRuns(tx, this.#kind, recovery);
      const ended = taken.filter(({ status }) => status === 'failed');
      for (const run of ended) await atEnd?.(tx, run);
      return ended;
    });
    for (const run of failed) onEnded(run);
    await this.#purge();
  }

  async #purge(): Promise<void> {
    const { keepSeconds } = this.#options;
    if (keepSeconds === undefined || performance.now() - this.#purgedAtMs < purgeEveryMs) return;
    this.#purgedAtMs = performance.now();
    while ((await store.deleteEnded(this.#db, this.#kind, keepSeconds, purgeBatch)) === purgeBatch);
  }

  /** Executes no more here. What runs is told, and put back in its place in the queue; that is no crash. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping ??= this.#stop();
    await this.#stopping;
  }

  async #stop(): Promise<void> {
    for (const execution of this.#executions.values()) execution.interrupt('stopping');
    await this.#pumping;
    const running = [...this.#executions.values()];
    const over = new AbortController();
    const grace = setTimeout(() => over.abort(), this.#around.graceMs);
    await Promise.race([
      Promise.all(running.map(({ done }) => done)),
      new Promise<void>((resolve) => over.signal.addEventListener('abort', () => resolve())),
    ]);
    clearTimeout(grace);
    for (const execution of this.#executions.values())
      await execution
        .abandon()
        .catch((err: unknown) =>
          this.#around.log.warn(
            { err },
            'a run could not be put back; it is taken up when its lease is over',
          ),
        );
  }
}
