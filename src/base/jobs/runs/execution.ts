import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#base/errors.ts';
import type { Database, Queries } from '../../db/database.ts';
import { jsonText } from '../../db/values.ts';
import type { Logger } from '../../log/log.ts';
import {
  interruptionBy,
  type Outcome,
  type Run,
  RunInterrupted,
  type RunProgress,
  type RunRecord,
} from './run.ts';
import { tell } from './rows.ts';
import * as store from './claim-store.ts';

/** How to execute runs of one kind; defaults are in `run-kind.ts`. */
export interface Executed<Input, Result, Checkpoint> {
  readonly kind: string;
  readonly timeoutSeconds: number;
  readonly timeoutAdvice: string | undefined;
  readonly mostCrashes: number;
  readonly limitBytes: number;
  readonly run: (run: Run<Input, Checkpoint>) => Promise<Outcome<Result>>;
  readonly atEnd: ((tx: Queries, run: RunRecord<Input, Result>) => Promise<void>) | undefined;
  readonly onEnded: (run: RunRecord<Input, Result>, cause?: unknown) => void;
}

export type AnyExecuted = Executed<unknown, unknown, unknown>;

const progressEveryMs = 250;
const endAgainMs = 1_000;
/** setTimeout fires longer timers at once. */
const longestTimerMs = 2 ** 31 - 1;
const defect = {
  code: 'error',
  message: 'Internal error; the service’s log has details.',
} as const;

/** One execution of a run, from claim to end; all its writes require the claim. */
export class Execution {
  /** Resolves when the run's code has ended and the outcome is saved. Never rejects. */
  readonly done: Promise<void>;
  readonly claimed: store.Claimed;
  readonly #db: Database;
  readonly #log: Logger;
  readonly #by: AnyExecuted;
  readonly #interruption = new AbortController();
  #progress: RunProgress | undefined;
  #progressTimer: NodeJS.Timeout | undefined;
  #notifiedAtMs = -Infinity;
  #timedOut: Promise<void> | undefined;
  #released = false;
  /** Timers started inside a transaction would otherwise inherit its async context. */
  readonly #outside = AsyncLocalStorage.snapshot();

  constructor(db: Database, log: Logger, by: AnyExecuted, claimed: store.Claimed) {
    this.#db = db;
    this.#log = log.child({ run_id: claimed.id, run_kind: claimed.kind });
    this.#by = by;
    this.claimed = claimed;
    this.done = this.#execute().catch((err: unknown) => {
      this.#log.error({ err }, 'the outcome of a run could not be saved; the run is retried later');
    });
  }

  /** Interrupts the execution; the first reason counts. */
  interrupt(why: RunInterrupted['why']): void {
    if (this.#interruption.signal.aborted) return;
    this.#interruption.abort(new RunInterrupted(why));
    if (why !== 'timed_out') return;
    const { timeoutSeconds, timeoutAdvice } = this.#by;
    const [count, unit] =
      timeoutSeconds % 60 === 0 ? [timeoutSeconds / 60, 'minutes'] : [timeoutSeconds, 'seconds'];
    const message = [`It took longer than ${count} ${unit}.`, timeoutAdvice].filter(Boolean).join(' ');
    const error = { code: 'timed_out', message } as const;
    // Recorded at once, even if the run's code ignores its signal.
    this.#timedOut = this.#end({ status: 'failed', error }).catch((err: unknown) =>
      this.#log.error({ err }, 'a run that took too long could not be ended'),
    );
  }

  /** Returns the run to the queue although its code is still running: its later writes are refused. */
  async abandon(): Promise<void> {
    if (this.#released) return;
    this.#released = true;
    const { id, kind, claim } = this.claimed;
    const status = await store.releaseRun(this.#db, id, claim);
    if (status !== undefined) await tell(this.#db, { kind, id, status });
  }

  async #execute(): Promise<void> {
    const timer = setTimeout(
      () => this.interrupt('timed_out'),
      Math.min(this.#by.timeoutSeconds * 1000, longestTimerMs),
    ).unref();
    try {
      const outcome = await this.#by.run(this.#handle());
      await this.#timedOut;
      await this.#endAs(outcome);
    } catch (error) {
      await this.#timedOut;
      await this.#broken(error);
    } finally {
      clearTimeout(timer);
      clearTimeout(this.#progressTimer);
    }
    // A paused or cancelled run keeps its claim, so that no other process starts it before this one has ended.
    await this.abandon();
  }

  async #endAs(outcome: Outcome<unknown>): Promise<void> {
    // Interrupted code may report the interruption as its own failure: ignore that; the interruption decides the status.
    if (this.#interruption.signal.aborted && !('completed' in outcome)) return;
    if ('waiting' in outcome) await this.#end({ status: 'waiting', waitingFor: outcome.waiting }, outcome);
    else if ('failed' in outcome)
      await this.#end({ status: 'failed', error: { code: 'failed', message: outcome.failed } }, outcome);
    else await this.#end({ status: 'completed', result: this.#json('result', outcome.completed) }, outcome);
  }

  async #broken(error: unknown): Promise<void> {
    const { signal } = this.#interruption;
    if (signal.aborted) return;
    if (error instanceof AppError && error.status === 503) {
      this.#log.warn({ err: error }, 'a run was interrupted and will be retried');
      await this.#tryAgain();
      return;
    }
    await this.#end({ status: 'failed', error: defect }, {}, error);
  }

  /** Counts as a crash, so that it is not retried forever. */
  async #tryAgain(): Promise<void> {
    const { kind, mostCrashes, atEnd, onEnded } = this.#by;
    const claims = [this.claimed.claim];
    const failed = await this.#db.transaction(async (tx) => {
      const taken = await store.recoverRuns(tx, kind, { mostCrashes, claims, lostAtOnce: false, except: [] });
      const ended = taken.filter(({ status }) => status === 'failed');
      for (const run of ended) await atEnd?.(tx, run);
      return ended;
    });
    this.#released = true;
    for (const run of failed) onEnded(run);
  }

  /** Saves the outcome, retrying until the database is available. */
  async #end(
    end: store.End,
    { write }: Pick<Outcome<unknown>, 'write'> = {},
    cause?: unknown,
  ): Promise<void> {
    const { id, kind, claim } = this.claimed;
    const { atEnd, onEnded } = this.#by;
    for (;;) {
      try {
        const ended = await this.#db.transaction(async (tx) => {
          if (this.#progress !== undefined)
            await store.saveRun(tx, id, claim, { progress: this.#progress, notifies: false });
          const run = await store.endRun(tx, id, claim, end);
          if (run === undefined) return undefined;
          await write?.(tx);
          if (end.status !== 'waiting') await atEnd?.(tx, run);
          await tell(tx, { kind, id, status: end.status });
          return run;
        });
        if (ended === undefined) return;
        this.#released = true;
        if (end.status !== 'waiting') onEnded(ended, cause);
        return;
      } catch (error) {
        if (!(error instanceof AppError && error.status === 503)) {
          if (end.error === defect) throw error;
          await this.#end({ status: 'failed', error: defect }, {}, error);
          return;
        }
        const { why } = (this.#interruption.signal.reason ?? {}) as Partial<RunInterrupted>;
        if (why === 'stopping' || why === 'claim_lost') throw error;
        await sleep(endAgainMs, undefined, { ref: false });
      }
    }
  }

  #handle(): Run<unknown, unknown> {
    const { id, tenantId, userId, subject, input, checkpoint } = this.claimed;
    return {
      id,
      tenantId,
      userId,
      subject,
      input,
      checkpoint: checkpoint ?? undefined,
      signal: this.#interruption.signal,
      progress: (progress) => {
        this.#progress = progress;
        this.#progressTimer ??= setTimeout(
          () => this.#outside(() => void this.#writeProgress()),
          this.#untilNextMs(),
        );
      },
      save: async (tx, { checkpoint: reached, progress }) => {
        const notifies = this.#untilNextMs() === 0;
        if (notifies) this.#notifiedAtMs = performance.now();
        const kept = reached === undefined ? undefined : this.#json('checkpoint', reached);
        if (!(await store.saveRun(tx, id, this.claimed.claim, { checkpoint: kept, progress, notifies })))
          throw await this.#lost(tx);
        // Pending progress is older than what was just saved.
        if (progress !== undefined) this.#progress = undefined;
      },
    };
  }

  #untilNextMs = (): number => Math.max(0, this.#notifiedAtMs + progressEveryMs - performance.now());

  async #writeProgress(): Promise<void> {
    this.#progressTimer = undefined;
    const progress = this.#progress;
    if (progress === undefined) return;
    this.#notifiedAtMs = performance.now();
    const { id, claim } = this.claimed;
    try {
      const saved = await store.saveRun(this.#db, id, claim, { progress, notifies: true });
      if (!saved) await this.#lost(this.#db);
      // Until it is saved, the run's end may overtake this write, and then saves it itself.
      else if (this.#progress === progress) this.#progress = undefined;
    } catch (err) {
      // Later progress may succeed; loss of the claim is detected separately.
      this.#log.debug({ err }, 'the progress of a run could not be written');
    }
  }

  /** Finds the reason for a refused write, which may not have been signalled here yet. */
  async #lost(queries: Queries): Promise<RunInterrupted> {
    const { id, claim } = this.claimed;
    const status = await store.findClaimed(queries, id, claim);
    this.interrupt(interruptionBy(status));
    return this.#interruption.signal.reason as RunInterrupted;
  }

  #json(what: string, value: unknown): object {
    return boundedJson(value, this.#by.limitBytes, (bytes) => {
      throw new Error(`The ${what} of the run has ${bytes} bytes, more than ${this.#by.limitBytes}.`);
    });
  }
}

/** Encodes a JSON query parameter; `refuse` throws if it is too large. */
export function boundedJson(value: unknown, limitBytes: number, refuse: (bytes: number) => never): object {
  const text = JSON.stringify(value ?? null);
  const bytes = Buffer.byteLength(text);
  return bytes > limitBytes ? refuse(bytes) : jsonText(text);
}
