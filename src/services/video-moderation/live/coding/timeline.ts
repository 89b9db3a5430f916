/** From the clock of a sender to the time of its session: from 0, without long gaps, never far ahead of real time. */

/** A jump of the sender’s clock beyond what has really passed. */
const largestJumpMs = 5000;
/** How far a stream may be ahead, such as when a sender first sends what it had kept. */
const mostAheadMs = 15_000;

export class Timeline {
  #offsetMs: number | undefined;
  #startedMs = 0;
  #last = { senderMs: 0, arrivedMs: 0, sessionMs: 0 };

  /** The latest time of the session. */
  get latestMs(): number {
    return this.#last.sessionMs;
  }

  /** The sender’s clock begins anew, as after a reconnect: what follows comes after what was, as late as it really is. */
  restart(): void {
    if (this.#offsetMs !== undefined) this.#offsetMs = Number.NaN;
  }

  /**
   * @param senderMs by the sender’s clock, which may be wrong or hostile
   * @param arrivedMs by `performance.now()`
   * @returns whole milliseconds
   */
  at(senderMs: number, arrivedMs: number): number {
    if (this.#offsetMs === undefined) {
      this.#offsetMs = -senderMs;
      this.#startedMs = arrivedMs;
    }
    const passedMs = Math.max(1, arrivedMs - this.#last.arrivedMs);
    let sessionMs = senderMs + this.#offsetMs;
    const isPlausible =
      Math.abs(sessionMs - this.#last.sessionMs) <= passedMs + largestJumpMs &&
      sessionMs <= arrivedMs - this.#startedMs + mostAheadMs;
    // Also where the clock was restarted: nothing compares with NaN.
    if (!isPlausible && this.#last.arrivedMs > 0) {
      const behind = arrivedMs - this.#startedMs;
      sessionMs = Math.max(this.#last.sessionMs + 1, Math.min(this.#last.sessionMs + passedMs, behind));
      this.#offsetMs = sessionMs - senderMs;
    }
    const whole = Math.max(0, Math.round(sessionMs));
    if (whole >= this.#last.sessionMs) this.#last = { senderMs, arrivedMs, sessionMs: whole };
    return whole;
  }
}
