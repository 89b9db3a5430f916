import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { AppError, unavailable } from '../errors.ts';
import type { WriterMetrics } from '../metrics/metrics.ts';
import { isRetryable } from './errors.ts';

export interface BatchWriterOptions<T> {
  /**
   * Writes entries in their order, all or none. What it throws decides: a 503 (the database is away) or a conflict with
   * another transaction is tried again; anything else is the fault of an entry, which is found and must not take its
   * neighbours along.
   */
  readonly write: (entries: readonly T[]) => Promise<void>;
  /** Entries of one statement. On the embedded database all others wait for it meanwhile. */
  readonly maxBatch: number;
  /** Entries that nobody waits for gather for so long: a statement for many costs little more than one for one. */
  readonly gatherMs: number;
  /** Entries that may wait. */
  readonly maxWaiting: number;
  /** Of all entries that wait, as `sizeOf` measures them. */
  readonly maxWaitingSize?: number;
  readonly sizeOf?: (entry: T) => number;
  /**
   * How often an entry that nobody waits for is tried while the database is away, `pauseMs` apart; until it is back
   * unless said.
   */
  readonly attempts?: number;
  /** 500 unless said. */
  readonly pauseMs?: number;
  /** Told of entries that nobody waits for and that cannot be written: what it does with them is what is left of them. */
  readonly onLost: (entries: readonly T[], error: unknown) => void;
  /** Told how many were not taken since it was last told, because too many waited. */
  readonly onRefused?: (count: number) => void;
  readonly metrics?: WriterMetrics | undefined;
}

interface Waiting<T> {
  readonly entry: T;
  readonly size: number;
  /** Undefined for an entry that nobody waits for. */
  readonly waiter: PromiseWithResolvers<void> | undefined;
  attempts: number;
}

/** How often a batch is tried again at once after a conflict with another transaction. */
const conflictAttempts = 5;
/** How often writing is tried when the service ends. */
const lastAttempts = 4;
const defaultPauseMs = 500;

/**
 * Entries on their way to the database in batches (group commit: while one batch is being written, entries gather for
 * the next), in bounded memory. Each entry is written either before its {@link write} resolves, or behind whoever gave
 * it. Disposing writes what waits; the database has to be there still.
 */
export class BatchWriter<T> implements AsyncDisposable {
  readonly #options: BatchWriterOptions<T>;
  #waiting: Waiting<T>[] = [];
  /** Those in the statement that is being run. */
  #running = 0;
  #size = 0;
  #refused = 0;
  #timer: NodeJS.Timeout | undefined;
  #draining: Promise<void> | undefined;
  #isClosing = false;
  #roomWanted: (() => void)[] = [];

  constructor(options: BatchWriterOptions<T>) {
    this.#options = options;
    options.metrics?.waiting(() => this.waiting);
  }

  /** Entries that are not written yet. */
  get waiting(): number {
    return this.#waiting.length + this.#running;
  }

  /**
   * Resolves once the entry is durable.
   * @throws AppError 503 where too many wait, or the database is away; else what writing it fails with
   */
  async write(entry: T): Promise<void> {
    if (this.#isFull()) throw unavailable('Too many entries wait to be written. Try again shortly.');
    const waiter = Promise.withResolvers<void>();
    this.#take(entry, waiter);
    void this.#begin();
    return waiter.promise;
  }

  /**
   * Takes the entry and writes it with others a moment later; it is lost if the process is killed before that.
   * @returns false, and counts it as lost, where too many wait
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

  /** The same for who had rather wait than lose an entry: undefined where it was taken, else it resolves once it is. */
  writeBehindWithRoom(entry: T): Promise<void> | undefined {
    if (!this.#isFull()) {
      this.writeBehind(entry);
      return undefined;
    }
    return this.#whenRoom(entry);
  }

  /** Resolves once what waits now is written, or is put off because the database is away. */
  async flush(): Promise<void> {
    // What came while the last batch was being written may wait for the next round.
    await this.#draining;
    if (this.#waiting.length > 0) await this.#begin();
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
    // Entries that came with the same turn of the event loop are written together.
    await nextTurn();
    try {
      for (let failures = 0; this.#waiting.length > 0;) {
        if (!(await this.#writeBatch())) failures += 1;
        if (failures > 0 && !(await this.#goesOn(failures))) break;
      }
    } finally {
      // In the very moment in which nothing was found to wait: what comes next begins anew.
      this.#draining = undefined;
    }
    const refused = this.#refused;
    this.#refused = 0;
    if (refused > 0) this.#options.onRefused?.(refused);
  }

  /** Answers whether nothing of the next batch was put off. */
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

  /** After a failure: later, or a few times more where the service ends. */
  async #goesOn(failures: number): Promise<boolean> {
    const { pauseMs = defaultPauseMs } = this.#options;
    if (!this.#isClosing) {
      if (this.#waiting.length > 0) this.#arm(pauseMs);
      return false;
    }
    if (failures < lastAttempts) await sleep(pauseMs);
    else this.#lose(this.#waiting.splice(0), unavailable('The service ended before the database was back.'));
    return true;
  }

  /** Writes a batch; answers what is to be tried again later. */
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

  /** Whoever waits for an entry is told at once; the others are kept. */
  #putOff(batch: readonly Waiting<T>[], error: unknown): Waiting<T>[] {
    const { attempts = Infinity } = this.#options;
    const kept: Waiting<T>[] = [];
    const given: Waiting<T>[] = [];
    for (const each of batch) {
      each.attempts += 1;
      (each.waiter === undefined && each.attempts < attempts ? kept : given).push(each);
    }
    this.#lose(given, error);
    // What is behind this batch would find the database away too.
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
