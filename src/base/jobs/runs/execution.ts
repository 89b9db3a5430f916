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

/** How runs of one kind are executed; defaults stand in `run-kind.ts`. */
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
/** A longer timer would fire at once. */
const longestTimerMs = 2 ** 31 - 1;
const defect = {
  code: 'error',
  message: 'It failed for a reason that is in the log of the service.',
} as const;

/** One run in this process, from the claim to its end; everything that it writes is written only under that claim. */
export class Execution {
  /** Resolves when the run's own code has ended, and what became of it is written. Never rejects. */
  readonly done: Promise<void>;
  readonly claimed: store.Claimed;
  readonly #db: Database;
  readonly #log: Logger;
  readonly #by: AnyExecuted;
  readonly #interruption = new AbortController();
  #progress: RunProgress | undefined;
  #progressTimer: NodeJS.Timeout | undefined;
  #toldAtMs = -Infinity;
  #timedOut: Promise<void> | undefined;
  #released = false;
  /** Timers that are set within a transaction of the run's would else count as part of it. */
  readonly #outside = AsyncLocalStorage.snapshot();

  constructor(db: Database, log: Logger, by: AnyExecuted, claimed: store.Claimed) {
    this.#db = db;
    this.#log = log.child({ run_id: claimed.id, run_kind: claimed.kind });
    this.#by = by;
    this.claimed = claimed;
    this.done = this.#execute().catch((err: unknown) => {
      this.#log.error({ err }, 'what became of a run could not be written; it is taken up again later');
    });
  }

  /** Breaks it off; the first reason stands. */
  interrupt(why: RunInterrupted['why']): void {
    if (this.#interruption.signal.aborted) return;
    this.#interruption.abort(new RunInterrupted(why));
    if (why !== 'timed_out') return;
    const { timeoutSeconds, timeoutAdvice } = this.#by;
    const [count, unit] =
      timeoutSeconds % 60 === 0 ? [timeoutSeconds / 60, 'minutes'] : [timeoutSeconds, 'seconds'];
    const message = [`It took longer than ${count} ${unit}.`, timeoutAdvice].filter(Boolean).join(' ');
    const error = { code: 'timed_out', message } as const;
    // Said at once, even where the run's own code does not listen to its signal.
    this.#timedOut = this.#end({ status: 'failed', error }).catch((err: unknown) =>
      this.#log.error({ err }, 'a run that took too long could not be ended'),
    );
  }

  /** Puts the run back although its code still runs: what that writes from now on is refused. */
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
    // One that was paused or cancelled still has its claim, so that no other process begins before this has ended.
    await this.abandon();
  }

  async #endAs(outcome: Outcome<unknown>): Promise<void> {
    // What was broken off may take that for its own failure: it is put back, or stays as whoever broke it off wants it.
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
      this.#log.warn({ err: error }, 'a run was broken off, and is tried again');
      await this.#tryAgain();
      return;
    }
    await this.#end({ status: 'failed', error: defect }, {}, error);
  }

  /** Counts as a crash, so that it does not go on without end. */
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

  /** Writes the end with what belongs to it, as soon as the database can be reached. */
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
            await store.saveRun(tx, id, claim, { progress: this.#progress, tells: false });
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
        const tells = this.#untilNextMs() === 0;
        if (tells) this.#toldAtMs = performance.now();
        const kept = reached === undefined ? undefined : this.#json('checkpoint', reached);
        if (!(await store.saveRun(tx, id, this.claimed.claim, { checkpoint: kept, progress, tells })))
          throw await this.#lost(tx);
        // What was shown before is older than what was saved.
        if (progress !== undefined) this.#progress = undefined;
      },
    };
  }

  #untilNextMs = (): number => Math.max(0, this.#toldAtMs + progressEveryMs - performance.now());

  async #writeProgress(): Promise<void> {
    this.#progressTimer = undefined;
    const progress = this.#progress;
    if (progress === undefined) return;
    this.#progress = undefined;
    this.#toldAtMs = performance.now();
    const { id, claim } = this.claimed;
    try {
      if (!(await store.saveRun(this.#db, id, claim, { progress, tells: true }))) await this.#lost(this.#db);
    } catch (err) {
      // The next one may be written; whether the claim stands is found out beside it.
      this.#log.debug({ err }, 'the progress of a run could not be written');
    }
  }

  /** What could not be written was refused for a reason, which may be told here only later. */
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

/** A value as a parameter of a query; `refuse` throws where it is too large. */
export function boundedJson(value: unknown, limitBytes: number, refuse: (bytes: number) => never): object {
  const text = JSON.stringify(value ?? null);
  const bytes = Buffer.byteLength(text);
  return bytes > limitBytes ? refuse(bytes) : jsonText(text);
}
