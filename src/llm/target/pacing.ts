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
 * The target counts arrivals, and a busy network or machine delays some requests more than others: a window is longer by
 * this, so that it holds by the target's clock too.
 */
const transitMs = 1_000;
/** Starts that are older no longer count. */
export const windowMs = minuteMs + transitMs;

export interface Pace {
  /** Requests under way at a time. */
  readonly concurrency: number;
  /** Requests begun within any 60 seconds, retries among them; undefined: no limit. */
  readonly queriesPerMinute?: number | undefined;
  /** Starts of the last minute that another pacer has let begin, oldest first: they count in the window. */
  readonly startsBefore?: readonly number[] | undefined;
  /**
   * Called before a request begins where there is a limit, with its time, for whoever keeps the window beyond this
   * process; the request waits for it.
   */
  readonly onStart?: ((atMs: number) => Promise<void>) | undefined;
}

/** First come, first served: who waits for the window keeps its place before all who come later. */
export class Pacer {
  readonly #pace: Pace;
  readonly #clock: Clock;
  readonly #sleep: Sleep;
  readonly #places: Semaphore;
  /** When the last `queriesPerMinute` requests began or will begin, oldest first. */
  readonly #starts: number[];
  #quietUntil = 0;
  /** Resolves when the previous caller has started: starts are granted in order. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(pace: Pace, clock: Clock, sleep: Sleep = realSleep) {
    this.#pace = pace;
    this.#starts = (pace.startsBefore ?? []).slice(-(pace.queriesPerMinute ?? 1));
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
      await turn;
      return place;
    } catch (cause) {
      place[Symbol.dispose]();
      throw cause;
    }
  }

  /** Pauses all new requests, as the target requested. */
  quiet(ms: number): void {
    this.#quietUntil = Math.max(this.#quietUntil, this.#clock.now() + ms);
  }

  async #start(signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted();
      const waitMs = this.#waitMs();
      if (waitMs <= 0) break;
      await this.#sleep(waitMs, signal);
    }
    const { queriesPerMinute } = this.#pace;
    if (queriesPerMinute === undefined) return;
    const at = this.#clock.now();
    this.#starts.push(at);
    if (this.#starts.length > queriesPerMinute) this.#starts.shift();
    if (this.#pace.onStart === undefined) return;
    await this.#pace.onStart(at);
    // Kept late, it begins late: the window counts from when it really begins.
    this.#starts[this.#starts.length - 1] = this.#clock.now();
  }

  #waitMs(): number {
    const now = this.#clock.now();
    const quietMs = this.#quietUntil - now;
    const { queriesPerMinute } = this.#pace;
    const oldest = this.#starts[0];
    if (queriesPerMinute === undefined || this.#starts.length < queriesPerMinute || oldest === undefined)
      return quietMs;
    // One millisecond more: a start exactly a minute after the oldest would still share a window with it.
    return Math.max(quietMs, oldest + windowMs + 1 - now);
  }
}
