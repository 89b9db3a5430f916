/** Runs of one kind: the interface for services, and their execution in this process. */
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
  /** Concurrent executions in this process; default 1. */
  readonly concurrency?: number;
  /** Concurrent executions over all processes; default: unlimited. */
  readonly overall?: number;
  /** Concurrent executions per user over all processes; default: unlimited. */
  readonly perUser?: number;
  /** Timeout of an execution, which then fails; default 3600. */
  readonly timeoutSeconds?: number;
  /** Advice for users whose run timed out: how to request less. */
  readonly timeoutAdvice?: string;
  /**
   * Crashes after which it fails; default 5. 1: never retried automatically. The count is reset when it is
   * resumed.
   */
  readonly mostCrashes?: number;
  /** Retention after the end; default: until `delete` is called. */
  readonly keepSeconds?: number;
  /** Size limit of input, checkpoint and result as JSON, each; default 1 MiB. Store larger data in a table or artifact. */
  readonly limitBytes?: number;
  /** Called within the transaction that ends a run, for every kind of end. */
  readonly atEnd?: (tx: Queries, run: RunRecord<Input, Result>) => Promise<void>;
  /** Called once a run has ended, with any error, in the process where it ended; for logs and metrics. */
  readonly onEnded?: (run: RunRecord<Input, Result>, cause?: unknown) => void;
}

export interface StartOptions {
  /** Creates the run in this transaction. */
  readonly tx?: Queries;
  /** A UUID; default: a new one. */
  readonly id?: string;
  /** The resource it is about, for lists. */
  readonly subject?: string;
  /** Idempotency key: starting again with the same key, user and kind returns the existing run. */
  readonly key?: string;
  /** Limit of unfinished runs per user, without those that wait for somebody; beyond it the error made by `refuse` is thrown. */
  readonly most?: { readonly underWay: number; readonly refuse: () => Error };
}

export interface RunKind<Input, Result> extends AsyncDisposable {
  /**
   * Queues a run. Returns its id, or that of an earlier run with the same key.
   * @throws AppError 422 if the input is too large.
   */
  start(owner: RunOwner, input: Input, options?: StartOptions): Promise<string>;
  find(id: string, scope: RunScope): Promise<RunRecord<Input, Result> | undefined>;
  /** Newest first; `after` is the `next` of the page before. */
  list(
    scope: RunScope,
    page: store.RunFilter & { readonly after?: string | undefined; readonly limit: number },
  ): Promise<store.RunPage>;
  /** Cancels it permanently. Undefined if the scope has no such unfinished run. */
  cancel(id: string, scope: RunScope): Promise<RunRecord<Input, Result> | undefined>;
  /** Pauses a queued or running run. Undefined if the scope has no such run. */
  pause(id: string, scope: RunScope): Promise<RunRecord<Input, Result> | undefined>;
  /**
   * Queues it again from its checkpoint, if it is paused, waiting or in a status of `from`. Undefined
   * if the scope has no such run.
   */
  resume(
    id: string,
    scope: RunScope,
    options?: { readonly from?: readonly ('paused' | 'waiting' | 'failed')[]; readonly tx?: Queries },
  ): Promise<RunRecord<Input, Result> | undefined>;
  /** Its queue position among the runs of all users; undefined if there is no such run. */
  position(id: string): Promise<queue.QueuePlace | undefined>;
  /** Ids in queue order, at most `limit` of each. */
  queue(scope: RunScope, limit: number): Promise<{ queued: string[]; running: string[] }>;
  /** Yields its state now and after each change in any process, until it ends; rapid changes are merged. */
  watch(id: string, scope: RunScope, signal: AbortSignal): AsyncIterable<RunSummary>;
  /** Deletes runs in any status, interrupting running ones. Returns their ids. */
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
    // Stored data has the types that the kind was defined with.
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
        `The request takes ${bytes} bytes; the limit is ${limitBytes}. Split it into smaller ones.`,
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

  /** Starts executing in this process. `first`: no other process is running, so every claim is of a crashed one. */
  async begin(first: boolean): Promise<void> {
    await this.recover(first);
    this.#started = true;
    this.pump();
  }

  /** Claims as many queued runs as there are free slots; calls are serialized and coalesced. */
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
          'queued runs could not be claimed; retrying soon',
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

  /** Handles a change of a run by any process. */
  changed({ id, status }: RunChange): void {
    if (status !== 'running' && status !== 'queued')
      for (const execution of this.#executions.values())
        if (execution.claimed.id === id) execution.interrupt(interruptionBy(status));
    if (status !== 'running') this.pump();
  }

  /** Claims held by this process. */
  get claims(): readonly string[] {
    return [...this.#executions.keys()];
  }

  /** Interrupts executions whose claims are no longer held. */
  standing(statuses: ReadonlyMap<string, RunStatus>, asked: ReadonlySet<string>): void {
    for (const [claim, execution] of this.#executions) {
      if (!asked.has(claim)) continue;
      const status = statuses.get(claim);
      if (status !== 'running') execution.interrupt(interruptionBy(status));
    }
  }

  /** Recovers runs of crashed processes, and deletes expired ones. */
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

  /** Stops executing here. Running runs are interrupted and return to their place in the queue, not counted as crashed. */
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
            'a run could not be returned to the queue; it is recovered when its lease expires',
          ),
        );
  }
}
