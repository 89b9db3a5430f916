/** Paces requests to a target: concurrency, requests per minute, and Retry-After. */
import { setTimeout as timer } from 'node:timers/promises';
import type { Clock } from '#base/clock.ts';
import { createSemaphore, type Semaphore } from '#base/semaphore.ts';

/** Waits; rejects with the signal's reason when it is aborted. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export const realSleep: Sleep = async (ms, signal) => {
  try {
    await timer(ms, undefined, { signal });
  } catch (cause) {
    signal.throwIfAborted();
    throw cause;
  }
};

const minuteMs = 60_000;
/**
 * The target counts arrivals, and a busy network or machine delays some requests more than others. A request has arrived
 * by the time of its answer, and is taken to have arrived after this long where the answer takes longer.
 */
const mostTransitMs = 5_000;
/** Starts that are older no longer count. */
export const windowMs = minuteMs + mostTransitMs;

export interface Pace {
  /** Requests under way at a time. */
  readonly concurrency: number;
  /** Requests that arrive within any 60 seconds, retries among them; undefined: no limit. */
  readonly queriesPerMinute?: number | undefined;
  /** Starts of the last minute that another pacer has let begin, oldest first: they count in the window. */
  readonly startsBefore?: readonly number[] | undefined;
  /**
   * Called before a request begins where there is a limit, with its time, for whoever keeps the window beyond this
   * process; the request waits for it.
   */
  readonly onStart?: ((atMs: number) => Promise<void>) | undefined;
}

/** A request that has begun. */
interface Start {
  readonly atMs: number;
  /** It has certainly arrived by then. */
  arrivedMs: number;
}

const startAt = (atMs: number): Start => ({ atMs, arrivedMs: atMs + mostTransitMs });

/** First come, first served: who waits for the window keeps its place before all who come later. */
export class Pacer {
  readonly #pace: Pace;
  readonly #clock: Clock;
  readonly #sleep: Sleep;
  readonly #places: Semaphore;
  /** The last `queriesPerMinute`, oldest first. */
  readonly #starts: Start[];
  #quietUntil = 0;
  /** Resolves when the previous caller has started: starts are granted in order. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(pace: Pace, clock: Clock, sleep: Sleep = realSleep) {
    this.#pace = pace;
    this.#starts = (pace.startsBefore ?? []).slice(-(pace.queriesPerMinute ?? 1)).map(startAt);
    this.#places = createSemaphore(pace.concurrency);
    this.#clock = clock;
    this.#sleep = sleep;
  }

  /**
   * Waits until a request may start; dispose the returned object when the request is over.
   * @throws the signal's reason
   */
  async enter(signal: AbortSignal): Promise<Disposable> {
    const place = await this.#places.acquire(signal);
    try {
      const turn = this.#turn.then(() => this.#start(signal));
      this.#turn = turn.catch(() => undefined);
      const start = await turn;
      return {
        [Symbol.dispose]: () => {
          start.arrivedMs = Math.min(start.arrivedMs, this.#clock.now());
          place[Symbol.dispose]();
        },
      };
    } catch (cause) {
      place[Symbol.dispose]();
      throw cause;
    }
  }

  /** Pauses all new requests, as the target requested. */
  quiet(ms: number): void {
    this.#quietUntil = Math.max(this.#quietUntil, this.#clock.now() + ms);
  }

  async #start(signal: AbortSignal): Promise<Start> {
    for (;;) {
      signal.throwIfAborted();
      const waitMs = this.#waitMs();
      if (waitMs <= 0) break;
      await this.#sleep(waitMs, signal);
    }
    const { queriesPerMinute, onStart } = this.#pace;
    const at = this.#clock.now();
    if (queriesPerMinute === undefined) return startAt(at);
    this.#starts.push(startAt(at));
    if (this.#starts.length > queriesPerMinute) this.#starts.shift();
    if (onStart !== undefined) await onStart(at);
    // Kept late, it begins late: the window counts from when it really begins.
    const start = startAt(this.#clock.now());
    this.#starts[this.#starts.length - 1] = start;
    return start;
  }

  #waitMs(): number {
    const now = this.#clock.now();
    const quietMs = this.#quietUntil - now;
    const { queriesPerMinute } = this.#pace;
    const oldest = this.#starts[0];
    if (queriesPerMinute === undefined || this.#starts.length < queriesPerMinute || oldest === undefined)
      return quietMs;
    // One millisecond more: an arrival exactly a minute after the oldest would still share a window with it.
    return Math.max(quietMs, oldest.arrivedMs + minuteMs + 1 - now);
  }
}
