import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { AppError, unavailable } from '../errors.ts';
import type { WriterMetrics } from '../metrics/metrics.ts';
import { isRetryable } from './errors.ts';

export interface BatchWriterOptions<T> {
  /**
   * Writes entries in order, all or none. On a 503 (database unavailable) or a conflict with another transaction it
   * is retried; any other error is caused by a single entry, which is isolated so that the rest of the batch is
   * still written.
   */
  readonly write: (entries: readonly T[]) => Promise<void>;
  /** Entries per statement. On the embedded database all other statements wait for it. */
  readonly maxBatch: number;
  /** How long fire-and-forget entries are collected: one statement for many costs little more than for one. */
  readonly gatherMs: number;
  /** Capacity of the queue, in entries. */
  readonly maxWaiting: number;
  /** Capacity of the queue, as `sizeOf` measures entries. */
  readonly maxWaitingSize?: number;
  readonly sizeOf?: (entry: T) => number;
  /**
   * Attempts for a fire-and-forget entry while the database is unavailable, `pauseMs` apart; default: until it is
   * back.
   */
  readonly attempts?: number;
  /** Pause between attempts; default: 500. */
  readonly pauseMs?: number;
  /** Called with fire-and-forget entries that cannot be written, so that the caller can log or count them. */
  readonly onLost: (entries: readonly T[], error: unknown) => void;
  /** Called with how many entries were dropped since its last call, because the queue was full. */
  readonly onRefused?: (count: number) => void;
  readonly metrics?: WriterMetrics | undefined;
}

interface Waiting<T> {
  readonly entry: T;
  readonly size: number;
  /** Undefined for a fire-and-forget entry. */
  readonly waiter: PromiseWithResolvers<void> | undefined;
  attempts: number;
}

/** Immediate retries of a batch after a conflict with another transaction. */
const conflictAttempts = 5;
/** Attempts while shutting down. */
const lastAttempts = 4;
const defaultPauseMs = 500;

/**
 * Writes entries to the database in batches (group commit: while one batch is written, entries collect for
 * the next), in bounded memory. An entry is either written before {@link write} resolves, or in the
 * background. Disposing writes what is queued, so dispose it before the database.
 */
export class BatchWriter<T> implements AsyncDisposable {
  readonly #options: BatchWriterOptions<T>;
  #waiting: Waiting<T>[] = [];
  /** Entries in the current statement. */
  #running = 0;
  #size = 0;
  #refused = 0;
  #timer: NodeJS.Timeout | undefined;
  #draining: Promise<void> | undefined;
  #isClosing = false;
  /** Callers of `flush` that wait. */
  #flushes = 0;
  #roomWanted: (() => void)[] = [];

  constructor(options: BatchWriterOptions<T>) {
    this.#options = options;
    options.metrics?.waiting(() => this.waiting);
  }

  /** Number of entries not written yet. */
  get waiting(): number {
    return this.#waiting.length + this.#running;
  }

  /**
   * Resolves once the entry is durable.
   * @throws AppError 503 if the queue is full or the database unavailable; else the error of writing it
   */
  async write(entry: T): Promise<void> {
    if (this.#isFull()) throw unavailable('The write queue is full. Try again shortly.');
    const waiter = Promise.withResolvers<void>();
    this.#take(entry, waiter);
    void this.#begin();
    return waiter.promise;
  }

  /**
   * Queues the entry and writes it in the background; it is lost if the process is killed before that.
   * @returns false, and counts it as lost, if the queue is full
   */
  writeBehind(entry: T): boolean {
    if (this.#isFull()) {
      this.#refused += 1;
      this.#options.metrics?.lost(1);
      return false;
    }
    this.#take(entry, undefined);
    this.#arm(this.#options.gatherMs);
    return true;
  }

  /** Like {@link writeBehind}, but waits instead of dropping: undefined if queued at once, else a promise for that. */
  writeBehindWithRoom(entry: T): Promise<void> | undefined {
    if (!this.#isFull()) {
      this.writeBehind(entry);
      return undefined;
    }
    return this.#whenRoom(entry);
  }

  /** Resolves once all entries queued now are written, or postponed because the database is unavailable. */
  async flush(): Promise<void> {
    this.#flushes += 1;
    try {
      // Entries that arrived during the last batch may need another round.
      await this.#draining;
      if (this.#waiting.length > 0) await this.#begin();
    } finally {
      this.#flushes -= 1;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true;
    await this.flush();
  }

  #isFull(): boolean {
    const { maxWaiting, maxWaitingSize = Infinity } = this.#options;
    return this.waiting >= maxWaiting || this.#size >= maxWaitingSize;
  }

  async #whenRoom(entry: T): Promise<void> {
    while (this.#isFull()) await new Promise<void>((resolve) => this.#roomWanted.push(resolve));
    this.writeBehind(entry);
  }

  #take(entry: T, waiter: Waiting<T>['waiter']): void {
    const size = this.#options.sizeOf?.(entry) ?? 0;
    this.#size += size;
    this.#waiting.push({ entry, size, waiter, attempts: 0 });
  }

  #arm(ms: number): void {
    this.#timer ??= setTimeout(() => void this.#begin(), ms).unref();
  }

  #begin(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#draining ??= this.#drain();
    return this.#draining;
  }

  async #drain(): Promise<void> {
    // Entries of the same event loop turn are written together.
    await nextTurn();
    try {
      for (let failures = 0; this.#waiting.length > 0;) {
        if (!(await this.#writeBatch())) failures += 1;
        if (failures > 0 && !(await this.#goesOn(failures))) break;
        if (this.#canGather()) {
          this.#arm(this.#options.gatherMs);
          break;
        }
      }
    } finally {
      // Reset synchronously with finding the queue empty, so that the next entry starts a new loop.
      this.#draining = undefined;
    }
    const refused = this.#refused;
    this.#refused = 0;
    if (refused > 0) this.#options.onRefused?.(refused);
  }

  /** Whether what is left may wait for more: nobody waits for any of it, and it is less than a batch. */
  #canGather(): boolean {
    const left = this.#waiting;
    if (this.#isClosing || this.#flushes > 0 || left.length >= this.#options.maxBatch) return false;
    return left.length > 0 && left.every(({ waiter }) => waiter === undefined);
  }

  /** Writes the next batch; returns false if any of it was postponed. */
  async #writeBatch(): Promise<boolean> {
    const batch = this.#waiting.slice(0, this.#options.maxBatch);
    this.#waiting = this.#waiting.slice(batch.length);
    this.#running = batch.length;
    const putOff = await this.#settle(batch);
    this.#running = 0;
    this.#waiting = [...putOff, ...this.#waiting];
    for (const wake of this.#roomWanted.splice(0)) wake();
    return putOff.length === 0;
  }

  /** Waits after a failure; returns false to give up, after a few attempts while shutting down. */
  async #goesOn(failures: number): Promise<boolean> {
    const { pauseMs = defaultPauseMs } = this.#options;
    if (!this.#isClosing) {
      if (this.#waiting.length > 0) this.#arm(pauseMs);
      return false;
    }
    if (failures < lastAttempts) await sleep(pauseMs);
    else
      this.#lose(
        this.#waiting.splice(0),
        unavailable('The service stopped before the database was available again.'),
      );
    return true;
  }

  /** Writes a batch; returns the entries to retry later. */
  async #settle(batch: readonly Waiting<T>[]): Promise<Waiting<T>[]> {
    try {
      await this.#writeRetrying(batch.map(({ entry }) => entry));
    } catch (error) {
      if (error instanceof AppError || isRetryable(error)) return this.#putOff(batch, error);
      if (batch.length === 1) {
        this.#lose(batch, error);
        return [];
      }
      const middle = Math.ceil(batch.length / 2);
      const first = await this.#settle(batch.slice(0, middle));
      return [...first, ...(await this.#settle(batch.slice(middle)))];
    }
    for (const each of batch) this.#done(each).waiter?.resolve();
    return [];
  }

  async #writeRetrying(entries: readonly T[]): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#options.write(entries);
      } catch (error) {
        if (attempt === conflictAttempts || !isRetryable(error)) throw error;
      }
    }
  }

  /** Rejects awaited entries at once; keeps the others for a retry. */
  #putOff(batch: readonly Waiting<T>[], error: unknown): Waiting<T>[] {
    const { attempts = Infinity } = this.#options;
    const kept: Waiting<T>[] = [];
    const given: Waiting<T>[] = [];
    for (const each of batch) {
      each.attempts += 1;
      (each.waiter === undefined && each.attempts < attempts ? kept : given).push(each);
    }
    this.#lose(given, error);
    // The entries after this batch would fail the same way.
    if (error instanceof AppError) {
      const refused = this.#waiting.filter(({ waiter }) => waiter !== undefined);
      this.#waiting = this.#waiting.filter(({ waiter }) => waiter === undefined);
      this.#lose(refused, error);
    }
    return kept;
  }

  #lose(entries: readonly Waiting<T>[], error: unknown): void {
    const behind: T[] = [];
    for (const each of entries) {
      const { waiter, entry } = this.#done(each);
      if (waiter === undefined) behind.push(entry);
      else waiter.reject(error);
    }
    if (behind.length === 0) return;
    this.#options.metrics?.lost(behind.length);
    this.#options.onLost(behind, error);
  }

  #done(each: Waiting<T>): Waiting<T> {
    this.#size -= each.size;
    return each;
  }
}
